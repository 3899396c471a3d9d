#pragma once

#include <QWidget>

class QCheckBox;
class QLabel;

namespace attnscope::ui {

class CaptionCombo;
class ElidedLabel;
class IconButton;
class LiveSession;

/// Play, step, speed, loop, how often a clip is due, and how well inference keeps up.
class TransportBar : public QWidget {
    Q_OBJECT
public:
    explicit TransportBar(LiveSession& session, QWidget* parent = nullptr);

    IconButton* loopButton() const { return m_loop; }
    CaptionCombo* speed() const { return m_speed; }
    CaptionCombo* every() const { return m_every; }
    QCheckBox* everyClip() const { return m_everyClip; }
    QLabel* time() const { return m_time; }
    QLabel* keepingUp() const;
    /// 0.25 to 4, one step faster or slower.
    void changeSpeed(int steps);

public slots:
    void refresh();
    void fillEvery();

signals:
    /// The keyboard goes back to the image.
    void done();

private:
    IconButton* button(const QString& icon, const QString& name, const QString& key);
    CaptionCombo* box(const QString& name, const QString& help);
    QString everyText(int every) const;
    QStringList keepingUpParts() const;

    LiveSession& m_session;
    IconButton* m_back;
    IconButton* m_play;
    IconButton* m_forward;
    IconButton* m_loop;
    IconButton* m_difference;
    QLabel* m_time;
    CaptionCombo* m_speed;
    CaptionCombo* m_every;
    QCheckBox* m_everyClip;
    ElidedLabel* m_keepingUp;
};

}

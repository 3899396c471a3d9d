#pragma once

#include <QImage>
#include <QVector>
#include <QWidget>

#include <map>

class QTableView;

namespace attnscope::ui {

class CaptionCombo;
class CompareSession;
class ElidedLabel;
class FrameStrip;
class RunTableModel;
class ViewsModel;

/// A video in Compare: the frames of the chosen view as the model sees them, and what each view predicts under each backend.
class ViewsPanel : public QWidget {
    Q_OBJECT
public:
    explicit ViewsPanel(CompareSession& session, QWidget* parent = nullptr);

    /// Whether the shown input is a video that was opened.
    bool any() const;
    QTableView* table() const { return m_table; }
    FrameStrip* strip() const { return m_strip; }
    CaptionCombo* grids() const { return m_grids; }

signals:
    void anyChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void connectTable();
    void takeFrames(int input, int view, const QVector<QImage>& frames);
    void refresh();
    void refreshFrames();
    void fitColumns();
    int chosenView() const;

    CompareSession& m_session;
    RunTableModel& m_runs;
    ViewsModel* m_model;
    ElidedLabel* m_title;
    CaptionCombo* m_grids;
    FrameStrip* m_strip;
    QTableView* m_table;
    std::map<int, std::map<int, QVector<QImage>>> m_frames;  ///< by input and view
    int m_view = -1;
    bool m_any = false;
};

}

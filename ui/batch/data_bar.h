#pragma once

#include <QWidget>

namespace attnscope::ui {

/// What was found in a folder, in one line: its name, metadata about it, and how reading its first files went.
class DataBar : public QWidget {
    Q_OBJECT
public:
    enum class Outcome { None, Good, Bad };
    explicit DataBar(QWidget* parent = nullptr);
    void show(const QString& title, const QStringList& settings, Outcome outcome, const QString& words);
    QString text() const { return accessibleName(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    QString m_title, m_words;
    QStringList m_settings;
    Outcome m_outcome = Outcome::None;
};

}

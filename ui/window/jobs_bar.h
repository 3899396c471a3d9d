// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/compare_session.h"

#include <QWidget>

namespace attnscope::ui {

/// The running job: what, how far, how fast, how much longer; stop at the right.
class JobsBar : public QWidget {
    Q_OBJECT
public:
    explicit JobsBar(QWidget* parent = nullptr);
    /// A comparison or an inspection: it can be stopped.
    void show(const JobProgress& progress);
    /// Another one that can be stopped: what it is, how far (0 … 1) and in words.
    void showStoppable(const QString& what, double part, const QString& text);
    /// Another job: what it is, how far (0 … 1) and in words; it can be paused.
    void showPausable(const QString& what, double part, const QString& text);
    QString what() const { return m_what; }
    QString text() const { return m_text; }

signals:
    void stopRequested();
    void pauseRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    void announce();

    QString m_what, m_text;
    double m_part = 0;
    QWidget* m_stop;
    QWidget* m_pause;
};

}  // namespace attnscope::ui

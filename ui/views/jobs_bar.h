// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/compare_session.h"

#include <QWidget>

namespace attnscope::ui {

/// The running job: what, how far, how fast, how much longer; stop at the right.
class JobsBar : public QWidget {
    Q_OBJECT
public:
    explicit JobsBar(QWidget* parent = nullptr);
    void show(const JobProgress& progress);
    QString text() const { return m_text; }

signals:
    void stopAsked();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    JobProgress m_progress;
    QString m_text;
    QWidget* m_stop;
};

}  // namespace attnscope::ui

#pragma once

#include "ui/workspace/session.h"

#include <QWidget>

namespace attnscope::ui {

/// The running job: what, how far, how fast, how much longer; stop at the right.
class JobsBar : public QWidget {
    Q_OBJECT
public:
    explicit JobsBar(QWidget* parent = nullptr);
    void show(const Session::Job& job);
    QString what() const { return m_job.title; }
    QString text() const { return m_job.text; }

signals:
    void stopRequested();
    void pauseRequested();

protected:
    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;

private:
    Session::Job m_job;
    QWidget* m_stop;
    QWidget* m_pause;
};

}

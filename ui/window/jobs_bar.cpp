#include "ui/window/jobs_bar.h"

#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

JobsBar::JobsBar(QWidget* parent)
    : QWidget(parent)
{
    auto* stop = new IconButton(u"close"_s, tr("Stop this job"), this);
    m_stop = stop;
    connect(stop, &IconButton::clicked, this, &JobsBar::stopRequested);
    auto* pause = new IconButton(u"pause"_s, tr("Pause this job"), this);
    m_pause = pause;
    m_pause->hide();
    connect(pause, &IconButton::clicked, this, &JobsBar::pauseRequested);
    setFixedHeight(std::max(36, QFontMetrics(font()).height() + 16));
    setAccessibleName(tr("Running job"));
}

void JobsBar::show(const Session::Job& job)
{
    m_job = job;
    m_stop->setVisible(!job.pausable);
    m_pause->setVisible(job.pausable);
    setAccessibleDescription(job.text);
    update();
}

void JobsBar::resizeEvent(QResizeEvent*)
{
    m_stop->move(width() - 36, (height() - 24) / 2);
    m_pause->move(m_stop->pos());
}

void JobsBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    painter.fillRect(rect(), theme.surface);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);
    const QFontMetricsF metrics(fontFor(Type::BodyMedium));
    double x = 14;
    drawLine(painter, QRectF(x, 0, 80, height()), tr("Jobs"), fontFor(Type::SmallMedium), theme.text3);
    x += 48;
    const double room = std::min(metrics.horizontalAdvance(m_job.title) + 4, width() * 0.42);
    drawLine(painter, QRectF(x, 0, room, height()), m_job.title, fontFor(Type::BodyMedium), theme.text);
    x = std::max(250.0, x + room + 16);
    const double track = std::clamp(width() - x - 360.0, 60.0, 220.0);
    drawProgress(painter, QRectF(x, height() / 2.0 - 2, track, 4), m_job.fraction, theme);
    drawLine(painter, QRectF(x + track + 12, 0, width() - x - track - 60, height()), m_job.text, font(),
             theme.text2);
}

}

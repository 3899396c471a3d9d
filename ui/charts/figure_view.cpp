// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_view.h"

#include "ui/charts/figure_file.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/figure/svg.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr double near = 16;

/// The mark under the pointer, above the plot: it moves without a new drawing.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* parent)
        : QWidget(parent)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFixedSize(24, 24);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(palette()).focus, 2));
        painter.drawEllipse(QRectF(rect()).adjusted(2, 2, -2, -2));
    }
};

}  // namespace

FigureView::FigureView(const QString& name, QWidget* parent)
    : PlotWidget(name, parent)
    , m_ring(new Ring(m_plot))
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleDescription(spoken());
}

void FigureView::setChart(Chart chart)
{
    m_chart = std::move(chart);
    rebuildSoon();
}

void FigureView::setHidden(const QStringList& names)
{
    m_hidden = names;
    rebuildSoon();
}

void FigureView::setPlaces(const std::vector<std::int64_t>& places)
{
    m_places.assign(places.begin(), places.end());
    rebuildSoon();
}

std::vector<const ChartSeries*> FigureView::shown() const
{
    std::vector<const ChartSeries*> series;
    for (const ChartSeries& each : m_chart.series)
        if (!m_hidden.contains(toQt(each.name)))
            series.push_back(&each);
    return series;
}

void FigureView::draw(const Theme& theme)
{
    m_targets.clear();
    m_current = -1;
    m_ring->hide();
    const auto series = shown();
    styleAxes(theme);
    setTicks(series);
    addFront(theme);
    for (const ChartSeries* each : series)
        addBand(*each, theme);
    for (const ChartSeries* each : series)
        addSeries(*each, theme);
    addMissing(series, theme);
    const bool any = std::any_of(series.begin(), series.end(),
                                 [](const ChartSeries* s) { return !s->points.empty(); });
    m_plot->yAxis->setTickLabels(any);
    m_plot->xAxis->setTickLabels(any);
    m_plot->yAxis->grid()->setVisible(any);
    if (!any)
        addNotice(theme);
    m_plot->replot(QCustomPlot::rpImmediateRefresh);  // margins first: pixel positions below need them
    collectTargets(series);
}

QString FigureView::spoken() const
{
    QStringList parts;
    for (const ChartSeries* series : shown())
        for (const ChartPoint& point : series->points) {
            if (!point.missing.empty())
                parts << tr("%1 stopped: %2").arg(toQt(point.title), toQt(point.missing));
            else if (isDrawn(point))
                parts << toQt(point.title);
        }
    return parts.isEmpty() ? notice() : parts.join(QStringLiteral("; "));
}

QString FigureView::current() const
{
    return m_current < 0 ? QString() : m_targets[static_cast<std::size_t>(m_current)].words;
}

void FigureView::moveTo(int target, const QPoint& tipAt)
{
    m_current = target;
    m_ring->setVisible(target >= 0);
    if (target < 0) {
        QToolTip::hideText();
        return;
    }
    const Target& now = m_targets[static_cast<std::size_t>(target)];
    m_ring->move((now.at - QPointF(12, 12)).toPoint());
    setAccessibleDescription(now.words);
    QToolTip::showText(tipAt, now.words, this);
}

bool FigureView::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Leave)
        moveTo(-1, {});
    if (event->type() == QEvent::MouseButtonPress)
        setFocus(Qt::MouseFocusReason);
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        int best = -1;
        double distance = near;
        for (std::size_t i = 0; i < m_targets.size(); ++i) {
            const QPointF away = m_targets[i].at - mouse->position();
            if (const double length = std::hypot(away.x(), away.y()); length <= distance)
                distance = length, best = static_cast<int>(i);
        }
        if (best != m_current)
            moveTo(best, mouse->globalPosition().toPoint());
    }
    return QWidget::eventFilter(watched, event);
}

/// Left and right walk a series, up and down go to the next one.
void FigureView::keyPressEvent(QKeyEvent* event)
{
    const int along = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int across = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((along == 0 && across == 0) || m_targets.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    const int count = static_cast<int>(m_targets.size());
    int to = m_current < 0 ? 0 : (m_current + along + count) % count;
    if (m_current >= 0 && across != 0) {
        const Target& from = m_targets[static_cast<std::size_t>(m_current)];
        for (int step = 1; step < count; ++step) {
            const int at = ((m_current + across * step) % count + count) % count;
            if (m_targets[static_cast<std::size_t>(at)].series == from.series)
                continue;
            to = at;
            // Of that series, the one nearest above or below.
            for (int i = 0; i < count; ++i)
                if (m_targets[static_cast<std::size_t>(i)].series == m_targets[static_cast<std::size_t>(at)].series
                    && std::abs(m_targets[static_cast<std::size_t>(i)].at.x() - from.at.x())
                           < std::abs(m_targets[static_cast<std::size_t>(to)].at.x() - from.at.x()))
                    to = i;
            break;
        }
    }
    moveTo(to, m_plot->mapToGlobal(m_targets[static_cast<std::size_t>(to)].at.toPoint()));
}

void FigureView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    moveTo(-1, {});
}

QString FigureView::saveAs(const QString& path)
{
    const QString refused = tr("%1: cannot be written; choose a writable folder.").arg(path);
    const auto ends = [&](const char* suffix) {
        return path.endsWith(QLatin1String(suffix), Qt::CaseInsensitive);
    };
    if (ends(".svg") || ends(".csv")) {
        Chart chart = m_chart;
        std::erase_if(chart.series, [this](const ChartSeries& s) { return m_hidden.contains(toQt(s.name)); });
        return writeBytes(path, QByteArray::fromStdString(ends(".svg") ? svg(chart, {.styles = seriesStyle}) : csv(chart)));
    }
    if (!ends(".png") && !ends(".pdf"))
        return tr("%1: unknown file format; use the extension svg, png, pdf or csv.").arg(path);
    return savePlot(path) ? QString() : refused;
}

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scatter_chart.h"

#include "ui/widgets/painting.h"
#include "ui/widgets/plot_style.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope::ui {

namespace {

struct Range {
    double low = 1e300, high = -1e300;
    void take(double a, double b)
    {
        low = std::min(low, a);
        high = std::max(high, b);
    }
    /// With room for marks and names around it, never below zero.
    QCPRange withMargins(double before, double after) const
    {
        if (low > high)
            return {0, 1};
        const double span = std::max(high - low, 1e-9 + std::abs(high) * 0.05);
        return {std::max(0.0, low - before * span), high + after * span};
    }
};

}  // namespace

ScatterChart::ScatterChart(const QString& name, QWidget* parent)
    : PlotWidget(name, parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void ScatterChart::setPoints(std::vector<ScatterPoint> points, const ScatterAxis& x, const ScatterAxis& y)
{
    m_points = std::move(points);
    m_x = x;
    m_y = y;
    rebuildSoon();
}

void ScatterChart::setChosen(qint64 key)
{
    if (key == m_chosen)
        return;
    m_chosen = key;
    rebuildSoon();
}

void ScatterChart::setNotice(const QString& sentence)
{
    m_notice = sentence;
    rebuildSoon();
}

void ScatterChart::styleAxes(const Theme& theme)
{
    stylePlot(*m_plot, theme, fontFor(Type::Small), 4);
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        auto ticker = QSharedPointer<QCPAxisTicker>::create();
        ticker->setTickCount(axis == m_plot->yAxis && height() < 170 ? 3 : 5);
        axis->setTicker(ticker);
    }
    m_plot->axisRect()->setMinimumMargins(QMargins(46, 8, 20, 4));
}

void ScatterChart::setRanges()
{
    Range x, y;
    for (const ScatterPoint& point : m_points) {
        x.take(point.xLow, point.xHigh);
        y.take(point.yLow, point.yHigh);
    }
    m_plot->xAxis->setRange(x.withMargins(0.1, 0.16));
    m_plot->yAxis->setRange(y.withMargins(0.16, 0.16));
}

void ScatterChart::addIntervals(const ScatterPoint& point, const Theme& theme)
{
    const auto line = [&](double x1, double y1, double x2, double y2) {
        auto* item = new QCPItemLine(m_plot);
        item->setPen(QPen(theme.backend(point.backend), 1.5));
        item->start->setCoords(x1, y1);
        item->end->setCoords(x2, y2);
        item->setHead(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
        item->setTail(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    };
    if (point.xHigh > point.xLow)
        line(point.xLow, point.y, point.xHigh, point.y);
    if (point.yHigh > point.yLow)
        line(point.x, point.yLow, point.x, point.yHigh);
}

void ScatterChart::addMark(const ScatterPoint& point, const Theme& theme)
{
    const auto scatter = [&](const QCPScatterStyle& style) {
        auto* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setPen(Qt::NoPen);
        graph->setScatterStyle(style);
        graph->setData({point.x}, {point.y});
        graph->setAdaptiveSampling(false);
    };
    const QColor colour = theme.backend(point.backend);
    scatter(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::transparent, theme.surface, 15));
    scatter(point.published ? QCPScatterStyle(markPath(point.backend, 3), QPen(colour, 1.6), Qt::NoBrush, 11)
                            : QCPScatterStyle(markPath(point.backend, 3), Qt::NoPen, colour, 11));
    if (point.key == m_chosen || point.key == m_hovered)
        scatter(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.focus, 2), Qt::NoBrush, 22));
}

QList<qint64> ScatterChart::front() const
{
    // Turned so that little is better in both.
    const double xSign = m_x.better == ScatterAxis::Better::Low ? 1 : -1,
                 ySign = m_y.better == ScatterAxis::Better::Low ? 1 : -1;
    std::vector<const ScatterPoint*> sorted;
    for (const ScatterPoint& point : m_points)
        if (!point.published)
            sorted.push_back(&point);
    std::sort(sorted.begin(), sorted.end(), [&](const ScatterPoint* a, const ScatterPoint* b) {
        return a->x != b->x ? xSign * a->x < xSign * b->x : ySign * a->y < ySign * b->y;
    });
    QList<qint64> keys;
    double best = INFINITY;
    for (const ScatterPoint* point : sorted)
        if (ySign * point->y < best) {
            best = ySign * point->y;
            keys << point->key;
        }
    if (xSign < 0)
        std::reverse(keys.begin(), keys.end());
    return keys;
}

void ScatterChart::addFront(const Theme& theme)
{
    const QList<qint64> keys = front();
    if (keys.size() < 2)
        return;
    auto* line = m_plot->addGraph();
    QPen pen(theme.text3, 1.2);
    pen.setDashPattern({4, 4});
    line->setPen(pen);
    QVector<double> x, y;
    for (const qint64 key : keys)
        for (const ScatterPoint& point : m_points)
            if (point.key == key)
                x << point.x, y << point.y;
    line->setData(x, y);
}

/// Names beside the marks, moved to where neither a mark nor another name is; where there is no such place, the name is in the tooltip.
void ScatterChart::addLabels(const Theme& theme)
{
    m_plot->replot(QCustomPlot::rpImmediateRefresh);  // margins first: pixel positions below need them
    const QFont font = fontFor(Type::BodyStrong);
    const QFontMetricsF metrics(font);
    const QRectF area = m_plot->axisRect()->rect();
    const auto pixel = [this](const ScatterPoint& point) {
        return QPointF(m_plot->xAxis->coordToPixel(point.x), m_plot->yAxis->coordToPixel(point.y));
    };
    std::vector<QRectF> taken;
    for (const ScatterPoint& point : m_points)
        taken.emplace_back(pixel(point) - QPointF(7, 7), QSizeF(14, 14));
    for (const ScatterPoint& point : m_points) {
        const QPointF at = pixel(point);
        const QSizeF size(metrics.horizontalAdvance(point.name) + 2, metrics.height());
        const QPointF places[]{{at.x() + 12, at.y() - size.height() - 4},
                               {at.x() + 12, at.y() + 4},
                               {at.x() - 12 - size.width(), at.y() - size.height() - 4},
                               {at.x() - 12 - size.width(), at.y() + 4},
                               {at.x() - size.width() / 2, at.y() - size.height() - 12},
                               {at.x() - size.width() / 2, at.y() + 12}};
        for (const QPointF& place : places) {
            const QRectF rect(place, size);
            const bool free = area.adjusted(-4, -6, 16, 2).contains(rect)
                              && std::none_of(taken.begin(), taken.end(),
                                              [&](const QRectF& other) { return other.intersects(rect); });
            if (!free)
                continue;
            taken.push_back(rect);
            auto* label = new QCPItemText(m_plot);
            label->setText(point.name);
            label->setFont(font);
            label->setColor(theme.text);
            label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
            label->setPadding({});
            label->setClipToAxisRect(false);
            label->position->setType(QCPItemPosition::ptAbsolute);
            label->position->setPixelPosition(place);
            break;
        }
    }
}

void ScatterChart::draw(const Theme& theme)
{
    styleAxes(theme);
    m_plot->xAxis->setLabel(m_x.title);
    setRanges();
    if (m_points.empty()) {
        auto* text = new QCPItemText(m_plot);
        text->setText(m_notice);
        text->setFont(font());
        text->setColor(theme.text3);
        text->position->setType(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(0.5, 0.45);
    }
    addFront(theme);
    for (const ScatterPoint& point : m_points)
        addIntervals(point, theme);
    for (const ScatterPoint& point : m_points)
        addMark(point, theme);
    addLabels(theme);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

QString ScatterChart::tooltip(const ScatterPoint& point) const
{
    return tr("%1\n%2: %3\n%4: %5").arg(point.name, m_y.title, point.yText, m_x.title, point.xText);
}

QString ScatterChart::spoken() const
{
    QStringList parts;
    for (const ScatterPoint& point : m_points)
        parts << tooltip(point).replace(QLatin1Char('\n'), QLatin1String(", "));
    return parts.isEmpty() ? m_notice : parts.join(QStringLiteral("; "));
}

const ScatterPoint* ScatterChart::nearest(QPointF position) const
{
    const ScatterPoint* best = nullptr;
    double distance = 16;
    for (const ScatterPoint& point : m_points) {
        const double away = std::hypot(m_plot->xAxis->coordToPixel(point.x) - position.x(),
                                       m_plot->yAxis->coordToPixel(point.y) - position.y());
        if (away <= distance) {
            distance = away;
            best = &point;
        }
    }
    return best;
}

bool ScatterChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseMove) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        const ScatterPoint* hit = nearest(mouse->position());
        if (hit != nullptr)
            QToolTip::showText(mouse->globalPosition().toPoint(), tooltip(*hit), this);
        else
            QToolTip::hideText();
        if (const qint64 key = hit == nullptr ? 0 : hit->key; key != m_hovered) {
            m_hovered = key;
            rebuild();
        }
    }
    if (event->type() == QEvent::MouseButtonPress)
        if (const ScatterPoint* hit = nearest(static_cast<QMouseEvent*>(event)->position()); hit != nullptr)
            emit chosenChanged(hit->key);
    return QWidget::eventFilter(watched, event);
}

void ScatterChart::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    std::vector<const ScatterPoint*> sorted;
    for (const ScatterPoint& point : m_points)
        sorted.push_back(&point);
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->x < b->x; });
    const auto now = std::find_if(sorted.begin(), sorted.end(),
                                  [this](const auto* point) { return point->key == m_chosen; });
    const int count = static_cast<int>(sorted.size());
    const int at = now == sorted.end() ? (step > 0 ? -1 : 0) : static_cast<int>(now - sorted.begin());
    emit chosenChanged(sorted[static_cast<std::size_t>((at + step + count) % count)]->key);
}

}  // namespace attnscope::ui

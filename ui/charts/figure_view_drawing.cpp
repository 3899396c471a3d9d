// SPDX-License-Identifier: GPL-3.0-or-later
// How a figure is drawn: axes, bands, lines, marks.
#include "ui/charts/figure_view.h"

#include "ui/charts/plot_style.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/base/format.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace attnscope::ui {

namespace {

constexpr double crossStep = 13;

struct Range {
    double low = 1e300, high = -1e300;

    void take(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool isEmpty() const { return low > high; }
    /// With room for marks around it.
    QCPRange around(const ChartAxis& axis, double fraction) const
    {
        if (isEmpty())
            return axis.scale == AxisScale::Log ? QCPRange(1, 10) : QCPRange(0, 1);
        if (axis.scale == AxisScale::Log) {
            const double factor = std::pow(std::max(high / low, 1.5), fraction);
            return {axis.low.value_or(low / factor), axis.high.value_or(high * factor)};
        }
        const double span = std::max(high - low, 1e-9 + std::abs(high) * 0.05);
        return {axis.low.value_or(low - fraction * span), axis.high.value_or(high + fraction * span)};
    }
};

/// Small whole numbers as they are, "1 024": on an axis of lengths nobody wants 1.02 k.
QString tickText(double value, AxisNumbers numbers)
{
    const bool whole = numbers == AxisNumbers::Quantity && value >= 1 && value < 1e6 && value == std::floor(value);
    return toQt(whole ? formatCount(static_cast<std::int64_t>(value)) : axisNumber(value, numbers));
}

}  // namespace

bool FigureView::isDrawn(const ChartPoint& point) const
{
    return point.missing.empty() && std::isfinite(point.x) && std::isfinite(point.y)
           && (m_chart.x.scale == AxisScale::Linear || point.x > 0)
           && (m_chart.y.scale == AxisScale::Linear || point.y > 0);
}

void FigureView::styleAxes(const Theme& theme)
{
    stylePlot(*m_plot, theme, fontFor(Type::Small), 4);
    m_plot->xAxis->setLabel(toQt(m_chart.x.title));
    const auto scale = [](QCPAxis* axis, AxisScale wanted) {
        axis->setScaleType(wanted == AxisScale::Log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    };
    scale(m_plot->xAxis, m_chart.x.scale);
    scale(m_plot->yAxis, m_chart.y.scale);
    m_plot->axisRect()->setMinimumMargins(QMargins(46, 10, 14, 4));
}

/// Ranges, and numbers where core/figure puts them; on an axis of few values, at those.
void FigureView::setTicks(const std::vector<const ChartSeries*>& series)
{
    Range x, y;
    std::set<double> places;
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points) {
            if (!isDrawn(point) && point.missing.empty())
                continue;
            x.take(point.x);
            places.insert(point.x);
            if (point.missing.empty())
                y.take(point.y);
            for (const auto& end : {point.low, point.high})
                if (end && point.missing.empty() && (m_chart.y.scale == AxisScale::Linear || *end > 0))
                    y.take(*end);
        }
    m_plot->xAxis->setRange(x.around(m_chart.x, 0.04));
    m_plot->yAxis->setRange(y.around(m_chart.y, 0.07));
    const auto put = [](QCPAxis* axis, const std::vector<double>& values, AxisNumbers numbers) {
        auto ticker = QSharedPointer<QCPAxisTickerText>::create();
        for (const double value : values)
            ticker->addTick(value, tickText(value, numbers));
        axis->setTicker(ticker);
    };
    const auto numbers = [](const QCPRange& range, const ChartAxis& axis, int count) {
        return axisTicks(range.lower, range.upper, axis, count);
    };
    std::vector<double> heights = numbers(m_plot->yAxis->range(), m_chart.y, height() < 190 ? 3 : 5);
    if (y.low >= 0)
        std::erase_if(heights, [](double value) { return value < 0; });  // the margin below zero
    put(m_plot->yAxis, heights, m_chart.y.numbers);
    const bool few = m_chart.x.scale == AxisScale::Log && places.size() >= 2 && places.size() <= 12;
    std::vector<double> values = m_places;
    if (values.empty() && few)
        values.assign(places.begin(), places.end());
    if (values.empty())
        values = numbers(m_plot->xAxis->range(), m_chart.x, 5);
    // No two numbers touch: the shorter ones give way, the last stays.
    const QFontMetrics metrics(fontFor(Type::Small));
    std::vector<double> kept;
    const double wide = std::max(80, m_plot->width() - 76);
    const auto pixel = [&](double value) {
        const QCPRange range = m_plot->xAxis->range();
        return wide
               * (m_chart.x.scale == AxisScale::Log
                      ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                      : (value - range.lower) / range.size());
    };
    double left = 1e300;
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
        const double half = metrics.horizontalAdvance(tickText(*value, m_chart.x.numbers)) / 2.0 + 5;
        if (pixel(*value) + half > left)
            continue;
        left = pixel(*value) - half;
        kept.push_back(*value);
    }
    put(m_plot->xAxis, kept, m_chart.x.numbers);
}

/// The spread of a joined series, 16 % of its colour.
void FigureView::addBand(const ChartSeries& series, const Theme& theme)
{
    if (!series.joined || series.published)
        return addWhiskers(series, theme);
    QVector<double> x, low, high;
    for (const ChartPoint& point : series.points)
        if (isDrawn(point) && point.low && point.high && (m_chart.y.scale == AxisScale::Linear || *point.low > 0))
            x << point.x, low << *point.low, high << *point.high;
    if (x.size() < 2)
        return;
    auto* lower = m_plot->addGraph();
    auto* upper = m_plot->addGraph();
    lower->setData(x, low);
    upper->setData(x, high);
    QColor colour = theme.backend(toQt(series.backend));
    colour.setAlphaF(0.16F);
    for (QCPGraph* graph : {lower, upper}) {
        graph->setPen(Qt::NoPen);
        graph->setAdaptiveSampling(false);
    }
    upper->setBrush(colour);
    upper->setChannelFillGraph(lower);
}

void FigureView::addWhiskers(const ChartSeries& series, const Theme& theme)
{
    for (const ChartPoint& point : series.points) {
        if (!isDrawn(point) || !point.low || !point.high)
            continue;
        auto* item = new QCPItemLine(m_plot);
        item->setPen(QPen(theme.backend(toQt(series.backend)), 1.5));
        item->start->setCoords(point.x, *point.low);
        item->end->setCoords(point.x, *point.high);
        item->setHead(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
        item->setTail(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    }
}

void FigureView::addSeries(const ChartSeries& series, const Theme& theme)
{
    const QString backend = toQt(series.backend);
    const bool joined = series.joined && !series.published;
    const QColor colour = backend.isEmpty() ? theme.text3 : theme.backend(backend);
    QVector<double> x, y;
    for (const ChartPoint& point : series.points)
        if (isDrawn(point))
            x << point.x, y << point.y;
    if (x.isEmpty())
        return;
    if (joined) {
        auto* line = m_plot->addGraph();
        QPen pen(colour, backend.isEmpty() ? 1.2 : 1.75);
        const auto& dash = seriesStyle(series.backend).dash;
        if (!dash.empty())
            pen.setDashPattern(QVector<qreal>(dash.begin(), dash.end()));
        pen.setCapStyle(Qt::FlatCap);
        line->setPen(pen);
        line->setData(x, y);
        line->setAdaptiveSampling(false);
    }
    if (backend.isEmpty()) {  // a yardstick is a line without marks
        if (y.size() > 1 && y.front() == y.back())
            addLevelName(series, x.back(), y.back(), theme);
        return;
    }
    const auto marks = [&](const QCPScatterStyle& style) {
        auto* graph = m_plot->addGraph();
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setPen(Qt::NoPen);  // else marks without an outline of their own get the graph's
        graph->setScatterStyle(style);
        graph->setData(x, y);
        graph->setAdaptiveSampling(false);
    };
    if (series.published)
        return marks(QCPScatterStyle(markPath(backend, 3), QPen(colour, 1.6), Qt::NoBrush, 10));
    marks(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::transparent, theme.surface, 13));
    marks(QCPScatterStyle(markPath(backend, 3), Qt::NoPen, colour, 10));
}

/// Levels look alike: each has its name on it, at the right.
void FigureView::addLevelName(const ChartSeries& series, double x, double y, const Theme& theme)
{
    auto* name = new QCPItemText(m_plot);
    name->setText(toQt(series.name));
    name->setFont(fontFor(Type::Small));
    name->setColor(theme.text2);
    name->setPadding({4, 0, 0, 2});
    name->setBrush(theme.surface);           // no line of the grid runs through it …
    name->setLayer(QStringLiteral("grid"));  // … and it covers no curve
    name->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    name->setClipToAxisRect(false);
    name->position->setCoords(x, y);
}

void FigureView::addFront(const Theme& theme)
{
    QVector<double> x, y;
    for (const ChartPoint& point : m_chart.front)
        if (isDrawn(point))
            x << point.x, y << point.y;
    if (x.size() < 2)
        return;
    auto* line = m_plot->addGraph();
    QPen pen(theme.text3, 1.2);
    pen.setDashPattern({4, 3});
    line->setPen(pen);
    line->setData(x, y);
    line->setAdaptiveSampling(false);
}

void FigureView::addMissing(const std::vector<const ChartSeries*>& series, const Theme& theme)
{
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points) {
            if (point.missing.empty())
                continue;
            std::size_t before = 0;
            for (const ChartSeries* other : series) {
                if (other == each)
                    break;
                for (const ChartPoint& another : other->points)
                    before += another.x == point.x && !another.missing.empty() ? 1 : 0;
            }
            auto* cross = new QCPItemText(m_plot);
            cross->setText(QStringLiteral("✕"));
            cross->setFont(fontFor(Type::BodyStrong));
            cross->setColor(theme.backend(toQt(each->backend)));
            cross->setPadding({});
            cross->setClipToAxisRect(false);
            cross->setPositionAlignment(Qt::AlignHCenter | Qt::AlignVCenter);
            cross->position->setTypeX(QCPItemPosition::ptPlotCoords);
            cross->position->setTypeY(QCPItemPosition::ptAbsolute);
            cross->position->setCoords(point.x, 10 + 6 + crossStep * static_cast<double>(before));
        }
}

void FigureView::collectTargets(const std::vector<const ChartSeries*>& series)
{
    std::size_t number = 0;
    std::vector<double> missingAt;
    for (const ChartSeries* each : series) {
        for (const ChartPoint& point : each->points) {
            const double x = m_plot->xAxis->coordToPixel(point.x);
            if (!point.missing.empty()) {
                const auto before = std::count(missingAt.begin(), missingAt.end(), point.x);
                missingAt.push_back(point.x);
                m_targets.push_back({number,
                                     {x, 16 + crossStep * static_cast<double>(before)},
                                     tr("%1\nstopped: %2").arg(toQt(point.title), toQt(point.missing))});
            } else if (isDrawn(point)) {
                m_targets.push_back({number, {x, m_plot->yAxis->coordToPixel(point.y)}, toQt(point.title)});
            }
        }
        ++number;
    }
}

}  // namespace attnscope::ui

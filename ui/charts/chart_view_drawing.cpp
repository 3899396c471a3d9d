// SPDX-License-Identifier: GPL-3.0-or-later
// How a chart is drawn: axes, bands, lines, marks, bars.
#include "ui/charts/chart_view.h"

#include "core/attention/backend_info.h"
#include "ui/charts/chart_plot.h"
#include "ui/style/painting.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

namespace attnscope::ui {

namespace {

constexpr double crossStep = 13;

/// What the values of an axis span, and the room that is left around them, in fractions of that.
struct Span {
    bool log = false;
    double low = 1e300, high = -1e300;
    bool zero = false;  ///< a value has no place on the logarithmic axis

    void take(double value)
    {
        zero = zero || (log && value <= 0);
        if (log && value <= 0)
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void takeEnd(const std::optional<double>& end)
    {
        if (end && (!log || *end > 0))
            take(*end);
    }
    /// `zeroPlace`: where zero would stand on the logarithmic axis.
    QCPRange range(const ChartAxis& axis, double room, double* zeroPlace) const
    {
        const double least = axis.least.value_or(-1e300), most = axis.most.value_or(1e300);
        if (low > high)
            return log ? QCPRange(1, 10) : QCPRange(axis.low.value_or(std::max(0.0, least)), axis.high.value_or(std::min(1.0, most)));
        if (log) {
            const double factor = std::pow(std::max(high / low, 1.5), room);
            *zeroPlace = low / factor;
            return {axis.low.value_or(zero ? *zeroPlace / std::sqrt(factor) : *zeroPlace), axis.high.value_or(high * factor)};
        }
        const double span = std::max(high - low, 1e-9 + std::abs(high) * 0.05);
        const double lower = axis.fromZero ? std::min(0.0, low) - room / 2 * span : std::max(least, low - room * span);
        return {axis.low.value_or(lower), axis.high.value_or(std::min(most, high + room * span))};
    }
};

/// Small whole numbers as they are, "1 024": on an axis of lengths nobody wants 1.02 k.
QString tickText(double value, AxisNumbers numbers)
{
    const bool whole = numbers == AxisNumbers::Quantity && value >= 1 && value < 1e6 && value == std::floor(value);
    return toQt(whole ? formatCount(static_cast<std::int64_t>(value)) : axisNumber(value, numbers));
}

/// Round numbers for an axis as it is drawn. Where zero has a place they begin with what the points span, and few powers of ten will do.
std::vector<double> ticksOf(const QCPRange& range, ChartAxis axis, const Span& span, double zeroPlace, int count)
{
    axis.scale = span.log ? AxisScale::Log : AxisScale::Linear;
    std::vector<double> ticks = axisTicks(zeroPlace > 0 ? span.low : range.lower, range.upper, axis, count);
    if (!span.log && span.low >= 0)
        std::erase_if(ticks, [](double value) { return value < 0; });  // the margin below zero
    const auto isPower = [](double tick) { return std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-6; };
    if (zeroPlace > 0 && std::ssize(ticks) > count + 1 && std::count_if(ticks.begin(), ticks.end(), isPower) >= 2)
        std::erase_if(ticks, [&](double tick) { return !isPower(tick); });
    if (zeroPlace > 0 && span.zero)
        ticks.insert(ticks.begin(), zeroPlace);
    return ticks;
}

}  // namespace

QPen seriesPen(const QString& backend, const Theme& theme)
{
    QPen pen(backend.isEmpty() ? theme.text3 : theme.backend(backend), backend.isEmpty() ? 1.2 : 1.75);
    const auto& dash = seriesStyle(fromQt(backend)).dash;
    if (!dash.empty())
        pen.setDashPattern(QVector<qreal>(dash.begin(), dash.end()));
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

void ChartView::draw(const Theme& theme)
{
    const SeriesList series = shown();
    const bool any = std::ranges::any_of(
        series, [](const ChartSeries* each) { return !each->points.empty() && each->line != SeriesLine::Level; });
    m_zeroX = m_zeroY = 0;
    styleAxes(theme, series, any);
    if (m_form == Form::Bars) {
        addBars(series, theme);
    } else {
        setRanges(series);
        addFront(m_chart.front, theme);
        for (const std::vector<ChartPoint>& front : m_chart.moreFronts)
            addFront(front, theme);
        for (const ChartSeries* each : series)
            addBand(*each, theme);
        for (const ChartSeries* each : series)
            addSeries(*each, theme);
        addMissing(series, theme);
        addScaleNote(theme);
    }
    if (!any)
        addNotice(theme);
    m_plot->arrange();  // pixel positions below need it
    collectTargets(series);
    if (m_form == Form::Marks && m_names == Names::AtMarks)
        addNamesAtMarks(series, theme);
    else if (m_form == Form::Marks && m_names == Names::AtEnds)
        addNamesAtEnds(series, theme);
    m_plot->replot(QCustomPlot::rpQueuedRefresh);
}

/// Quiet axes, lines across for the values.
void ChartView::styleAxes(const Theme& theme, const SeriesList& series, bool any)
{
    const QFont font = fontFor(Type::Small);
    m_plot->setBackground(QBrush(theme.surface));
    for (QCPAxis* axis : {m_plot->xAxis, m_plot->yAxis}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(theme.text2);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLength(0);
        axis->setSubTickLength(0);
        axis->setLabelFont(font);
        axis->setLabelColor(theme.text3);
        axis->setLabelPadding(2);
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setPen(QPen(theme.line, 1));
        // Without a point there are no values to read off; but curves over epochs have their axis from the beginning.
        axis->setTickLabels(any || (axis == m_plot->xAxis && m_names == Names::AtEnds));
    }
    m_plot->xAxis->grid()->setVisible(false);
    m_plot->yAxis->grid()->setVisible(any);
    m_plot->xAxis->setBasePen(QPen(theme.ctl, 1));
    m_plot->yAxis->setBasePen(Qt::NoPen);
    m_plot->xAxis->setTickLabelPadding(5);
    m_plot->yAxis->setTickLabelPadding(8);
    m_plot->xAxis->setLabel(engineText(m_form == Form::Bars ? m_chart.y.title : m_chart.x.title));
    m_plot->xAxis->setScaleType(m_logX ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    m_plot->yAxis->setScaleType(m_logY ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    const int top = scaleNote().isEmpty() ? 10 : QFontMetrics(font).height() + 6;
    m_plot->axisRect()->setMinimumMargins(QMargins(46, top, 14 + nameRoom(series), 4));
}

double ChartView::across(double x) const
{
    return m_zeroX <= 0 ? x : std::max(m_zeroX, x);
}

double ChartView::up(double y) const
{
    return m_zeroY <= 0 ? y : std::max(m_zeroY, y);
}

/// Ranges, and numbers where core/figure puts them; on an axis of few whole values, as of lengths, at those.
void ChartView::setRanges(const SeriesList& series)
{
    Span x{m_logX}, y{m_logY};
    std::set<double> places;
    for (const ChartSeries* each : series) {
        std::vector<double> heights;
        for (const ChartPoint& point : each->points) {
            if (!isDrawn(point) && point.missing.empty())
                continue;
            places.insert(point.x);
            x.take(point.x);
            x.takeEnd(point.xLow);
            x.takeEnd(point.xHigh);
            if (!point.missing.empty())
                continue;
            heights.push_back(point.y);
            y.takeEnd(point.low);
            y.takeEnd(point.high);
        }
        std::ranges::sort(heights);
        // A few wild steps do not press the rest together.
        const std::size_t cut = each->line == SeriesLine::Faint ? heights.size() / 50 : 0;
        for (std::size_t i = cut; i + cut < heights.size(); ++i)
            y.take(heights[i]);
    }
    const double least = m_names == Names::AtEnds ? 1e-3 + std::abs(y.high) * 0.1 : 0;  // curves that hardly rise are not blown up
    if (y.low <= y.high && y.high - y.low < least)
        y.low -= (least - (y.high - y.low)) / 2, y.high = y.low + least;
    const bool room = m_names != Names::Aside;
    m_plot->xAxis->setRange(x.range(m_chart.x, room ? 0.14 : 0.04, &m_zeroX));
    m_plot->yAxis->setRange(y.range(m_chart.y, room ? 0.14 : 0.07, &m_zeroY));
    if (m_scale == Scale::OfChart)
        m_zeroX = m_zeroY = 0;
    putTicks(false, ticksOf(m_plot->yAxis->range(), m_chart.y, y, m_zeroY, height() < 190 ? 3 : 5));
    std::vector<double> values = m_places;
    if (values.empty() && m_scale == Scale::OfChart && m_logX && places.size() >= 2 && places.size() <= 12
        && std::ranges::all_of(places, [](double place) { return place == std::floor(place); }))
        values.assign(places.begin(), places.end());
    putTicks(true, values.empty() ? ticksOf(m_plot->xAxis->range(), m_chart.x, x, m_zeroX, 5) : values);
}

/// On the horizontal axis no two numbers touch: the shorter ones give way, the last stays.
void ChartView::putTicks(bool across, std::vector<double> values)
{
    QCPAxis* axis = across ? m_plot->xAxis : m_plot->yAxis;
    const double zero = across ? m_zeroX : m_zeroY;
    const AxisNumbers numbers = (across ? m_chart.x : m_chart.y).numbers;
    const QFontMetrics metrics(fontFor(Type::Small));
    const QMargins margins = m_plot->axisRect()->minimumMargins();
    const double wide = std::max(80, m_plot->width() - margins.left() - margins.right() - 16);
    const QCPRange range = axis->range();
    const auto pixel = [&](double value) {
        const bool log = axis->scaleType() == QCPAxis::stLogarithmic;
        return wide * (log ? std::log(value / range.lower) / std::log(range.upper / range.lower) : (value - range.lower) / range.size());
    };
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    double left = 1e300;
    for (double& value : std::views::reverse(values)) {
        const QString text = zero > 0 && value == zero ? QStringLiteral("0") : tickText(value, numbers);
        const double half = metrics.horizontalAdvance(text) / 2.0 + 5;
        if (across && pixel(value) + half > left)
            continue;
        left = pixel(value) - half;
        ticker->addTick(value, text);
    }
    axis->setTicker(ticker);
}

QCPGraph* ChartView::addGraph(const QVector<double>& x, const QVector<double>& y, const QPen& pen)
{
    auto* graph = m_plot->addGraph();
    graph->setPen(pen);
    graph->setData(x, y);
    graph->setAdaptiveSampling(false);
    return graph;
}

/// The spread of a joined series, 16 % of its colour.
void ChartView::addBand(const ChartSeries& series, const Theme& theme)
{
    if (!series.joined || series.published)
        return addIntervals(series, theme);
    QVector<double> x, low, high;
    for (const ChartPoint& point : series.points)
        if (isDrawn(point) && point.low && point.high && (!m_logY || *point.low > 0))
            x << point.x, low << *point.low, high << *point.high;
    if (x.size() < 2)
        return;
    QColor colour = theme.backend(toQt(series.backend));
    colour.setAlphaF(0.16F);
    auto* lower = addGraph(x, low, Qt::NoPen);
    auto* upper = addGraph(x, high, Qt::NoPen);
    upper->setBrush(colour);
    upper->setChannelFillGraph(lower);
}

void ChartView::addIntervals(const ChartSeries& series, const Theme& theme)
{
    const QColor colour = theme.backend(toQt(series.backend));
    for (const ChartPoint& point : series.points) {
        if (!isDrawn(point))
            continue;
        if (point.xLow && point.xHigh)
            addInterval(across(*point.xLow), up(point.y), across(*point.xHigh), up(point.y), colour);
        if (point.low && point.high)
            addInterval(across(point.x), up(*point.low), across(point.x), up(*point.high), colour);
    }
}

void ChartView::addInterval(double fromX, double fromY, double toX, double toY, const QColor& colour)
{
    auto* item = new QCPItemLine(m_plot);
    item->setPen(QPen(colour, 1.5));
    item->start->setCoords(fromX, fromY);
    item->end->setCoords(toX, toY);
    item->setHead(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    item->setTail(QCPLineEnding(QCPLineEnding::esBar, 6, 0));
    item->setClipToAxisRect(m_scale == Scale::OfChart);
}

void ChartView::addSeries(const ChartSeries& series, const Theme& theme)
{
    const QString backend = toQt(series.backend);
    QVector<double> x, y;
    for (const ChartPoint& point : series.points)
        if (isDrawn(point))
            x << across(point.x), y << up(point.y);
    if (x.isEmpty())
        return;
    if (series.line == SeriesLine::Level) {
        x = {m_plot->xAxis->range().lower, m_plot->xAxis->range().upper};
        y = {y.back(), y.back()};
    }
    if (series.joined && !series.published) {
        QPen pen = series.line == SeriesLine::Faint ? QPen(theme.band(backend), 1) : seriesPen(backend, theme);
        if (m_names == Names::AtEnds)  // a name on the line tells them apart
            pen.setStyle(Qt::SolidLine);
        if (series.line == SeriesLine::Dashed)
            pen.setDashPattern({4, 3});
        if (series.line == SeriesLine::Level)
            pen.setDashPattern({8, 4});
        addGraph(x, y, pen);
    }
    if (backend.isEmpty() && m_names != Names::AtEnds && y.size() > 1 && std::ranges::all_of(y, [&](double each) { return each == y.front(); }))
        addLevelName(series, x.back(), y.back(), theme);
    if (!backend.isEmpty() && series.line == SeriesLine::OfBackend)  // a baseline is a line without marks
        addMarks(series, x, y, theme);
}

void ChartView::addMarks(const ChartSeries& series, const QVector<double>& x, const QVector<double>& y, const Theme& theme)
{
    const auto add = [&](const QCPScatterStyle& style, const QVector<double>& atX, const QVector<double>& atY) {
        auto* graph = addGraph(atX, atY, Qt::NoPen);  // else marks without an outline of their own get the graph's
        graph->setLineStyle(QCPGraph::lsNone);
        graph->setScatterStyle(style);
    };
    const QColor colour = theme.backend(toQt(series.backend));
    const QPainterPath path = markPath(toQt(series.backend), 3);
    if (m_names == Names::AtEnds) {
        const double apart = m_plot->axisRect()->width() / std::max(1.0, m_plot->xAxis->range().size());
        const double size = std::clamp(apart * 0.7, 4.0, 9.0);  // many epochs: the line alone is clearer
        return add(QCPScatterStyle(path, QPen(theme.surface, 0.8), colour, size), x, y);
    }
    const double size = m_names == Names::AtMarks ? 11 : 10;
    add(QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::transparent, theme.surface, size + (m_names == Names::AtMarks ? 4 : 3)), x, y);
    add(series.published ? QCPScatterStyle(path, QPen(colour, 1.6), Qt::NoBrush, size)
                         : QCPScatterStyle(path, Qt::NoPen, colour, size),
        x, y);
    for (const ChartPoint& point : series.points)
        if (m_chosen != none && point.key == m_chosen)
            add(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.focus, 2), Qt::NoBrush, 22), {across(point.x)}, {up(point.y)});
}

void ChartView::addFront(const std::vector<ChartPoint>& front, const Theme& theme)
{
    QVector<double> x, y;
    for (const ChartPoint& point : front)
        if (isDrawn(point))
            x << across(point.x), y << up(point.y);
    if (x.size() < 2)
        return;
    QPen pen(theme.text3, 1.2);
    pen.setDashPattern({4, 3});
    addGraph(x, y, pen);
}

/// Crosses at the top edge for what has no value, below each other where several have none.
void ChartView::addMissing(const SeriesList& series, const Theme& theme)
{
    std::vector<double> before;
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points) {
            if (point.missing.empty())
                continue;
            auto* cross = addText(QStringLiteral("✕"), fontFor(Type::BodyStrong), theme.backend(toQt(each->backend)), Qt::AlignCenter);
            cross->position->setTypeX(QCPItemPosition::ptPlotCoords);
            cross->position->setCoords(point.x, 16 + crossStep * static_cast<double>(std::count(before.begin(), before.end(), point.x)));
            before.push_back(point.x);
        }
}

void ChartView::addBars(const SeriesList& series, const Theme& theme)
{
    auto names = QSharedPointer<QCPAxisTickerText>::create();
    double place = 0, high = 0;
    for (const ChartSeries* each : series)
        for (const ChartPoint& point : each->points) {
            names->addTick(++place, toQt(each->name));
            const double top = std::max(point.high.value_or(point.y), point.y);
            high = std::max(high, top);
            auto* bar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
            bar->setWidth(0.5);
            bar->setPen(m_chosen != none && point.key == m_chosen ? QPen(theme.focus, 2) : QPen(Qt::NoPen));
            bar->setBrush(theme.band(toQt(each->backend)));
            bar->setData({place}, {point.y});
            if (point.low && point.high)
                addInterval(place, *point.low, place, *point.high, theme.backend(toQt(each->backend)));
            auto* label = addText(toQt(point.label), fontFor(Type::BodyMedium), theme.text, Qt::AlignHCenter | Qt::AlignBottom);
            label->position->setType(QCPItemPosition::ptPlotCoords);
            label->position->setCoords(place, top);
            label->setPadding({0, 0, 0, 3});
        }
    m_plot->xAxis->setTicker(names);
    m_plot->xAxis->setRange(0.4, std::max(1.0, place) + 0.6);
    m_plot->yAxis->setRange(0, high > 0 ? high * 1.22 : 1);
    ChartAxis values = m_chart.y;
    values.scale = AxisScale::Linear;
    const QCPRange range = m_plot->yAxis->range();
    putTicks(false, axisTicks(range.lower, range.upper, values, height() < 190 ? 3 : 5));
}

void ChartView::collectTargets(const SeriesList& series)
{
    const auto pixel = [this](double x, double y) { return QPointF(m_plot->xAxis->coordToPixel(x), m_plot->yAxis->coordToPixel(y)); };
    std::vector<double> missing;
    double place = 0;
    for (std::size_t number = 0; number < series.size(); ++number)
        for (const ChartPoint& point : series[number]->points) {
            const QString words = toQt(point.title);
            if (m_form == Form::Bars) {
                ++place;
                const QRectF bar(pixel(place - 0.25, point.y), pixel(place + 0.25, 0));
                m_targets.push_back({number, pixel(place, point.y), words, point.key, false, bar.toAlignedRect()});
            } else if (!point.missing.empty()) {
                const auto before = std::count(missing.begin(), missing.end(), point.x);
                missing.push_back(point.x);
                m_targets.push_back({number,
                                     {pixel(point.x, 1).x(), 16 + crossStep * static_cast<double>(before)},
                                     tr("%1\nstopped: %2").arg(words, toQt(point.missing))});
            } else if (isDrawn(point) && series[number]->line != SeriesLine::Faint) {
                m_targets.push_back({number, pixel(across(point.x), up(point.y)), words, point.key, series[number]->line == SeriesLine::Level});
            }
        }
}

}  // namespace attnscope::ui

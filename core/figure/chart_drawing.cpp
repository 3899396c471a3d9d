// The layout of charts.
#include "core/base/format.h"
#include "core/figure/axis_place.h"
#include "core/figure/drawing.h"
#include "core/figure/label_places.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <utility>

namespace attnscope {

namespace {

using Kind = Shape::Kind;
using Points = std::vector<MarkPoint>;

constexpr double crossStep = 13;

/// Small whole numbers as they are, "1 024": on an axis of lengths nobody wants 1.02 k.
std::string tickText(double value, const ChartAxis& axis, const AxisPlace& place)
{
    if (place.zero > 0 && value == place.zero)
        return "0";
    const bool whole = axis.numbers == AxisNumbers::Quantity && value >= 1 && value < 1e6
                       && value == std::floor(value);
    return whole ? formatCount(int64_t(value)) : axisNumber(value, axis.numbers);
}

/// Round numbers for an axis. Where zero has a place they begin with what the points span, and few powers of ten will do.
std::vector<double> ticksOf(const AxisPlace& place, ChartAxis axis, const Span& span, int count)
{
    axis.scale = span.log ? AxisScale::Log : AxisScale::Linear;
    std::vector<double> ticks = axisTicks(place.zero > 0 ? span.low : place.low, place.high, axis, count);
    if (!span.log && span.low >= 0)
        std::erase_if(ticks, [](double value) { return value < 0; });  // the margin below zero
    const auto isPower = [](double tick) {
        return std::abs(std::log10(tick) - std::round(std::log10(tick))) < 1e-6;
    };
    if (place.zero > 0 && std::ssize(ticks) > count + 1 && std::ranges::count_if(ticks, isPower) >= 2)
        std::erase_if(ticks, [&](double tick) { return !isPower(tick); });
    if (place.zero > 0 && span.zero)
        ticks.insert(ticks.begin(), place.zero);
    return ticks;
}

/// The legend's entries: every series once; for many scattered series the backends, whose marks they share, since tooltips name each.
std::vector<ChartSeries> legendOf(const Chart& chart)
{
    constexpr size_t most = 8;
    const bool many = chart.series.size() > most && std::ranges::none_of(chart.series, isJoined);
    std::vector<ChartSeries> entries;
    for (const ChartSeries& series : chart.series) {
        const std::string backend = many ? series.backend.substr(0, series.backend.find('#')) : series.backend;
        const std::string shared = series.published ? "published, " + backend : backend;
        ChartSeries entry{many ? shared : series.name, backend, series.joined, series.published, {}, series.line};
        const auto same = [&](const ChartSeries& other) {
            return other.name == entry.name && other.backend == entry.backend
                   && other.published == entry.published;
        };
        if (!entry.name.empty() && std::ranges::none_of(entries, same))
            entries.push_back(std::move(entry));
    }
    return entries;
}

class ChartLayout {
public:
    ChartLayout(const Chart& chart, const FigureOptions& options)
        : m_chart(chart)
        , m_options(options)
    {
        m_drawing = {options.width, options.height, chart.title + ". " + chart.caption};
        for (const ChartSeries& series : chart.series)
            m_any = m_any || (!series.points.empty() && series.line != SeriesLine::Level);
        addHead();
        if (options.form == ChartForm::Bars)
            setBarRanges();
        else
            setRanges();
        setFrame();
        addAxes();
        if (options.form == ChartForm::Bars) {
            addBars();
        } else {
            std::ranges::for_each(chart.series, [this](const ChartSeries& each) { addLevelName(each); });
            addFront(chart.front);
            std::ranges::for_each(chart.moreFronts, [this](const auto& front) { addFront(front); });
            std::ranges::for_each(chart.series, [this](const ChartSeries& each) { addIntervals(each); });
            for (size_t i = 0; i < chart.series.size(); ++i)
                addSeries(i);
            if (options.names == SeriesNames::AtMarks)
                addNamesAtMarks();
            else if (options.names == SeriesNames::AtEnds)
                addNamesAtEnds();
        }
        if (!m_any)
            m_drawing.text({(m_x.from + m_x.to) / 2, m_y.to + 0.45 * (m_y.from - m_y.to)}, options.notice,
                           TextStyle::Notice, Anchor::Middle);
    }
    Drawing take() { return std::move(m_drawing); }

private:
    double em(TextStyle style) const { return m_options.measure({}, style).em; }
    double widthOf(const std::string& text, TextStyle style) const { return m_options.measure(text, style).width; }
    MarkPoint at(double x, double y) const { return {m_x.at(x), m_y.at(y)}; }
    bool shows(const ChartPoint& point) const { return isDrawn(point, m_chart, m_options.showsZero); }
    const ChartPoint& pointOf(const PlacedPoint& placed) const
    {
        return m_chart.series[placed.series].points[placed.point];
    }
    bool isChosen(const ChartPoint& point) const { return m_options.chosen >= 0 && point.key == m_options.chosen; }
    bool atEnds() const { return m_options.names == SeriesNames::AtEnds; }

    ColourPair colourOfSeries(const ChartSeries& series) const { return colourOf(series, m_options.styles); }

    Points wayThrough(const std::vector<ChartPoint>& points) const
    {
        Points way;
        for (const ChartPoint& point : points)
            if (shows(point))
                way.push_back(at(point.x, point.y));
        return way;
    }

    /// Title, legend, and what stands above the plot; further rows of the legend do not shrink the plot.
    void addHead()
    {
        double top = 4;
        std::string above = m_options.note;
        if (m_options.headed) {
            if (!m_chart.title.empty())
                m_drawing.text({0, top += 14}, m_chart.title, TextStyle::Title);
            const double rows = m_options.names == SeriesNames::Aside && m_options.form == ChartForm::Marks
                                    ? addLegend(top + 20)
                                    : 0;
            m_drawing.height += std::max(0.0, rows - 20);
            top += rows;
            if (m_options.form == ChartForm::Marks)
                above = m_chart.y.title + (above.empty() || m_chart.y.title.empty() ? "" : " · ") + above;
        }
        const double line = em(TextStyle::Caption);
        m_aboveLine = top + (m_options.headed ? 5 + line : line - 2);
        m_above = above;
        m_y.to = above.empty() ? top + 6 : m_aboveLine + (m_options.headed ? 10 : 8);
    }

    /// Rows of marks and names; returns how high they are.
    double addLegend(double top)
    {
        const std::vector<ChartSeries> entries = legendOf(m_chart);
        double x = 0, y = top;
        for (const ChartSeries& entry : entries) {
            const double sample = isJoined(entry) ? sampleWidth : 12,
                         width = sample + 24 + widthOf(entry.name, TextStyle::Label);
            if (x > 0 && x + width > m_options.width)
                x = 0, y += 18;
            m_drawing.sample({x, y - 4}, entry, m_options.styles);
            m_drawing.text({x + sample + 6, y}, entry.name, TextStyle::Label);
            x += width;
        }
        return entries.empty() ? 0 : y - top + 20;
    }

    void setRanges()
    {
        Span x{m_chart.x.scale == AxisScale::Log}, y{m_chart.y.scale == AxisScale::Log};
        std::set<double> places;
        for (const ChartSeries& series : m_chart.series) {
            std::vector<double> heights;
            for (const ChartPoint& point : series.points) {
                if (!shows(point) && point.missing.empty())
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
            const size_t cut = series.line == SeriesLine::Faint ? heights.size() / 50 : 0;
            for (size_t i = cut; i + cut < heights.size(); ++i)
                y.take(heights[i]);
        }
        const double least = atEnds() ? 1e-3 + std::abs(y.high) * 0.1
                                      : 0;  // curves that hardly rise are not blown up
        if (y.low <= y.high && y.high - y.low < least)
            y.low -= (least - (y.high - y.low)) / 2, y.high = y.low + least;
        const bool named = m_options.names != SeriesNames::Aside, zero = m_options.showsZero;
        const double top = m_y.to;
        m_x = x.place(m_chart.x, named ? 0.14 : 0.04, zero);
        m_y = y.place(m_chart.y, named ? 0.14 : 0.07, zero);
        m_y.to = top;
        m_y.ticks = ticksOf(m_y, m_chart.y, y, ticksUp());
        m_x.ticks = m_options.places;
        const bool few = places.size() >= 2 && places.size() <= 12;
        if (m_x.ticks.empty() && !zero && m_x.log && few
            && std::ranges::all_of(places, [](double place) { return place == std::floor(place); }))
            m_x.ticks.assign(places.begin(), places.end());
        else if (m_x.ticks.empty())
            m_x.ticks = ticksOf(m_x, m_chart.x, x, 5);
    }

    int ticksUp() const { return m_options.height < 190 ? 3 : 5; }

    void setBarRanges()
    {
        double high = 0;
        for (size_t i = 0; i < m_chart.series.size(); ++i)
            for (size_t j = 0; j < m_chart.series[i].points.size(); ++j) {
                const ChartPoint& point = m_chart.series[i].points[j];
                if (!point.missing.empty() || !std::isfinite(point.y))
                    continue;
                high = std::max(high, point.high.value_or(point.y));
                m_bars.push_back({i, j});
                m_x.ticks.push_back(double(m_bars.size()));
            }
        m_x.low = 0.4, m_x.high = std::max(1.0, double(m_bars.size())) + 0.6;
        m_y.high = high > 0 ? high * 1.22 : 1;
        ChartAxis axis = m_chart.y;
        axis.scale = AxisScale::Linear;
        m_y.ticks = axisTicks(m_y.low, m_y.high, axis, ticksUp());
    }

    void setFrame()
    {
        const double line = em(TextStyle::Label);
        double numbers = 0, names = 0;
        for (const double tick : m_y.ticks)
            numbers = std::max(numbers, widthOf(tickText(tick, m_chart.y, m_y), TextStyle::Label));
        for (const ChartSeries& series : m_chart.series)
            if (atEnds() && !series.points.empty())
                names = std::max(names, widthOf(series.name, TextStyle::Name));
        m_x.from = std::max(46.0, numbers + 14);
        m_x.to = std::max(m_x.from + 1,
                          m_drawing.width - 14 - (m_options.names == SeriesNames::Aside ? 0 : names + 6));
        m_y.from = std::max(m_y.to + 1,
                            m_drawing.height - 9 - 1.3 * line - (titleAcross().empty() ? 0 : 4 + 1.35 * line));
    }

    const std::string& titleAcross() const
    {
        return m_options.form == ChartForm::Bars ? m_chart.y.title : m_chart.x.title;
    }

    /// Quiet axes, lines across for the values.
    void addAxes()
    {
        const double line = em(TextStyle::Label), base = std::round(m_y.from) + 0.5;
        const auto across = [&](double y, ColourPair colour) {
            m_drawing.line({{m_x.from, y}, {m_x.to, y}}, colour);
            m_drawing.shapes.back().crisp = true;
        };
        m_drawing.text({m_x.from, m_aboveLine}, m_above, TextStyle::Caption);
        for (const double tick : m_y.ticks) {
            const double y = std::round(m_y.at(tick)) + 0.5;
            if (!m_any)  // there are no values to read off
                break;
            across(y, paper::line);
            m_drawing.text({m_x.from - 8, y + 0.34 * line}, tickText(tick, m_chart.y, m_y), TextStyle::Label,
                           Anchor::End);
        }
        across(base, paper::control);
        m_drawing.text({(m_x.from + m_x.to) / 2, base + 7 + 2.35 * line}, titleAcross(), TextStyle::Caption,
                       Anchor::Middle);
        if (!m_any && !atEnds())  // curves over epochs have their axis from the beginning
            return;
        // No two numbers touch: the shorter ones give way, the last stays. Names of bars are elided instead.
        const double slot = m_bars.empty() ? 0 : (m_x.to - m_x.from) / double(m_bars.size()) - 6;
        double left = 1e300;
        for (const double tick : std::views::reverse(m_x.ticks)) {
            const std::string text = m_bars.empty() ? tickText(tick, m_chart.x, m_x)
                                                    : elided(m_chart.series[m_bars[size_t(tick) - 1].series].name,
                                                             slot, TextStyle::Label, m_options.measure);
            const double half = widthOf(text, TextStyle::Label) / 2 + (m_bars.empty() ? 5 : 0), x = m_x.at(tick);
            if (x + half > left)
                continue;
            left = x - half;
            m_drawing.text({x, base + 5 + line}, text, TextStyle::Label, Anchor::Middle);
        }
    }

    void addFront(const std::vector<ChartPoint>& front)
    {
        m_drawing.line(wayThrough(front), paper::text3, 1.2, {4, 3});
    }

    /// The spread of a joined series, 16 % of its colour; of others, an interval at each point.
    void addIntervals(const ChartSeries& series)
    {
        Points upper, lower;
        for (const ChartPoint& point : series.points) {
            if (!shows(point))
                continue;
            if (isJoined(series) && point.low && point.high) {
                upper.push_back(at(point.x, *point.high));
                lower.push_back(at(point.x, *point.low));
            } else if (!isJoined(series)) {
                if (point.xLow && point.xHigh)
                    addInterval(at(*point.xLow, point.y), at(*point.xHigh, point.y), colourOfSeries(series));
                if (point.low && point.high)
                    addInterval(at(point.x, *point.low), at(point.x, *point.high), colourOfSeries(series));
            }
        }
        upper.insert(upper.end(), lower.rbegin(), lower.rend());
        if (upper.size() > 2)
            m_drawing.shapes.push_back(
                {.kind = Kind::Area, .points = std::move(upper), .fill = colourOfSeries(series), .opacity = 0.16});
    }

    /// Levels look alike: each has its name on it, at the right, below the curves; no line of the grid runs through it.
    void addLevelName(const ChartSeries& series)
    {
        const Points way = wayThrough(series.points);
        if (!isJoined(series) || !series.backend.empty() || atEnds() || way.size() < 2
            || std::ranges::any_of(way, [&](MarkPoint p) { return p.y != way.front().y; }))
            return;
        const double line = em(TextStyle::Label), width = widthOf(series.name, TextStyle::Label);
        const MarkPoint end{series.line == SeriesLine::Level ? m_x.to : way.back().x, way.back().y};
        m_drawing.shapes.push_back({.kind = Kind::Box,
                                    .points = {{end.x - width - 4, end.y - 3 - 1.2 * line}, end},
                                    .fill = paper::surface});
        m_drawing.text({end.x, end.y - 3 - 0.2 * line}, series.name, TextStyle::Label, Anchor::End);
    }

    void addInterval(MarkPoint from, MarkPoint to, ColourPair colour)
    {
        const double x = from.x == to.x ? 3 : 0, y = 3 - x;
        m_drawing.line({from, to}, colour, 1.5);
        for (const MarkPoint end : {from, to})
            m_drawing.line({{end.x - x, end.y - y}, {end.x + x, end.y + y}}, colour, 1.5);
    }

    void addSeries(size_t number)
    {
        const ChartSeries& series = m_chart.series[number];
        const SeriesStyle style = m_options.styles(series.backend);
        Points way = wayThrough(series.points);
        if (series.line == SeriesLine::Level && !way.empty())
            way = {{m_x.from, way.back().y}, {m_x.to, way.back().y}};
        if (isJoined(series) && way.size() > 1)
            m_drawing.line(std::move(way), series, m_options.styles, atEnds());  // names on lines tell them apart
        // Of many epochs the line alone is clearer.
        const double apart = 0.35 * (m_x.to - m_x.from) / std::max(1.0, m_x.high - m_x.low);
        const double radius = atEnds()                                  ? std::clamp(apart, 2.0, 4.5)
                              : m_options.names == SeriesNames::AtMarks ? 5.5
                                                                        : 5;
        for (size_t i = 0; i < series.points.size(); ++i) {
            const ChartPoint& point = series.points[i];
            MarkPoint place = at(point.x, point.y);
            if (!point.missing.empty()) {  // at the top edge, below each other where several have no value
                place.y = m_y.to + 6 + crossStep * m_missing[point.x]++;
                m_drawing.mark(place,
                               {.hue = style.hue, .mark = Mark::Cross, .dash = {}, .variant = style.variant},
                               false, 4.5, series.name + ": " + point.missing);
            } else if (!shows(point) || !m_x.holds(point.x) || !m_y.holds(point.y)
                       || series.line == SeriesLine::Faint) {
                continue;
            } else if (hasMarks(series)) {
                m_drawing.mark(place, style, series.published, radius, point.title);
                if (isChosen(point))
                    m_drawing.shapes.push_back(
                        {.kind = Kind::Area, .points = circle(place, 11), .stroke = paper::focus, .width = 2});
            }
            m_drawing.points.push_back({number, i, place});
        }
    }

    static Points circle(MarkPoint middle, double radius)
    {
        Points points = regularPolygon(48, 0, radius);
        for (MarkPoint& point : points)
            point = {middle.x + point.x, middle.y + point.y};
        return points;
    }

    void addBars()
    {
        const double base = m_y.from, half = m_x.at(1.25) - m_x.at(1);
        double number = 0;
        for (const PlacedPoint& bar : m_bars) {
            const ChartPoint& point = pointOf(bar);
            const ColourPair colour = colourOfSeries(m_chart.series[bar.series]);
            const MarkPoint end = at(++number, point.y);
            m_drawing.shapes.push_back({.kind = Kind::Box,
                                        .points = {{end.x - half, end.y}, {end.x + half, base}},
                                        .fill = colour,
                                        .stroke = isChosen(point) ? paper::focus : ColourPair(),
                                        .width = 2,
                                        .opacity = 0.45,
                                        .title = point.title});
            if (point.low && point.high)
                addInterval({end.x, m_y.at(*point.low)}, {end.x, m_y.at(*point.high)}, colour);
            m_drawing.text({end.x, m_y.at(std::max(point.high.value_or(point.y), point.y)) - 5}, point.label,
                           TextStyle::Strong, Anchor::Middle);
            m_drawing.points.push_back({bar.series, bar.point, end, half, base});
        }
    }

    /// A name that finds no room is in the tooltip.
    void addNamesAtMarks()
    {
        const auto intervals = [this](const ChartPoint& point) {
            return Rect{m_x.at(point.xLow.value_or(point.x)), m_y.at(point.high.value_or(point.y)),
                        m_x.at(point.xHigh.value_or(point.x)), m_y.at(point.low.value_or(point.y))};
        };
        LabelPlaces places({m_x.from, m_y.to - 6, m_x.to + 12, m_y.from});
        for (const PlacedPoint& placed : m_drawing.points)
            places.addMark(placed.at, intervals(pointOf(placed)));
        const double size = em(TextStyle::Strong);
        for (const PlacedPoint& placed : m_drawing.points) {
            const std::string& name = m_chart.series[placed.series].name;
            const auto place = places.place(placed.at, intervals(pointOf(placed)),
                                            widthOf(name, TextStyle::Strong) + 2, 1.25 * size);
            if (!place)
                continue;
            const double middle = (place->top + place->bottom) / 2;
            if (std::abs(middle - placed.at.y) > 4)  // not next to its mark: a thin line says whose name it is
                m_drawing.line(
                    {placed.at,
                     {std::clamp(placed.at.x, place->left + 4, std::max(place->left + 4, place->right - 4)),
                      middle < placed.at.y ? place->bottom : place->top}},
                    paper::text3, 0.8);
            m_drawing.text({place->left, middle + 0.36 * size}, name, TextStyle::Strong);
        }
    }

    /// Moved apart where lines end close together.
    void addNamesAtEnds()
    {
        const double size = em(TextStyle::Name), high = 1.25 * size;
        std::vector<std::pair<MarkPoint, std::string>> names;
        for (const ChartSeries& series : m_chart.series)
            if (!series.points.empty() && series.line != SeriesLine::Faint) {
                const ChartPoint& last = series.points.back();
                const double end = series.line == SeriesLine::Level ? m_x.to : m_x.at(last.x);
                names.push_back({{end + 10, m_y.at(last.y)}, series.name});
            }
        std::ranges::stable_sort(names, {}, [](const auto& name) { return name.first.y; });
        for (size_t i = 1; i < names.size(); ++i)
            names[i].first.y = std::max(names[i].first.y, names[i - 1].first.y + high);
        double lowest = m_y.from - high / 2;
        for (auto& [place, name] : std::views::reverse(names)) {
            place.y = std::min(place.y, lowest);
            lowest = place.y - high;
            m_drawing.text({place.x, place.y + 0.36 * size}, name, TextStyle::Name);
        }
    }

    const Chart& m_chart;
    const FigureOptions& m_options;
    Drawing m_drawing;
    AxisPlace m_x, m_y;
    bool m_any = false;  ///< there is something to draw
    std::string m_above;
    double m_aboveLine = 0;
    std::map<double, int> m_missing;  ///< by x
    std::vector<PlacedPoint> m_bars;  ///< not placed yet
};

}

bool isDrawn(const ChartPoint& point, const Chart& chart, bool showsZero)
{
    return point.missing.empty() && std::isfinite(point.x) && std::isfinite(point.y)
           && (chart.x.scale == AxisScale::Linear || point.x > 0 || showsZero)
           && (chart.y.scale == AxisScale::Linear || point.y > 0 || showsZero);
}

Drawing draw(const Chart& chart, const FigureOptions& options)
{
    return ChartLayout(chart, options).take();
}

}

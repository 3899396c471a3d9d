// SPDX-License-Identifier: Apache-2.0
#include "core/figure/svg.h"

#include "core/base/format.h"
#include "core/figure/markup.h"
#include "core/figure/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr double markRadius = 5.5, lineWidth = 1.75;

bool drawn(const PlotArea& frame, const ChartPoint& point)
{
    const bool positive = (frame.scaleX == AxisScale::Linear || point.x > 0)
                          && (frame.scaleY == AxisScale::Linear || point.y > 0);
    return point.missing.empty() && std::isfinite(point.x) && std::isfinite(point.y) && positive;
}

/// Where the points that can be shown are, for a polyline.
std::string wayThrough(const PlotArea& frame, const std::vector<ChartPoint>& points)
{
    std::string way;
    for (const ChartPoint& point : points)
        if (drawn(frame, point))
            way += fmt::format("{:.2f},{:.2f} ", frame.x(point.x), frame.y(point.y));
    return way;
}

/// Along the upper ends and back along the lower ones.
void paintBand(SvgCanvas& canvas, const PlotArea& frame, const ChartSeries& series, const SeriesStyle& style)
{
    std::string upper, lower;
    for (const ChartPoint& point : series.points) {
        if (!drawn(frame, point) || !point.low || !point.high)
            continue;
        upper += fmt::format("{:.2f},{:.2f} ", frame.x(point.x),
                             frame.y(std::clamp(*point.high, frame.lowY, frame.highY)));
        lower.insert(0, fmt::format("{:.2f},{:.2f} ", frame.x(point.x),
                                    frame.y(std::clamp(*point.low, frame.lowY, frame.highY))));
    }
    if (!upper.empty())
        canvas.raw(fmt::format("<polygon class=\"{}\" points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\"/>\n",
                               hueClass(style), upper + lower, colourOf(style).light));
}

void paintLine(SvgCanvas& canvas, const PlotArea& frame, const ChartSeries& series, const SeriesStyle& style)
{
    const std::string dash = dashText(style, lineWidth);
    canvas.raw(fmt::format("<polyline class=\"{}s\" points=\"{}\" fill=\"none\" stroke=\"{}\" "
                           "stroke-width=\"{:g}\" stroke-linejoin=\"round\"{}/>\n",
                           hueClass(style), wayThrough(frame, series.points), colourOf(style).light, lineWidth,
                           dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dash)));
}

void paintWhisker(SvgCanvas& canvas, const PlotArea& frame, const ChartPoint& point, const SeriesStyle& style)
{
    const double x = frame.x(point.x), low = frame.y(std::max(*point.low, frame.lowY)),
                 high = frame.y(std::min(*point.high, frame.highY));
    const std::string name = hueClass(style) + "s";
    canvas.line(x, low, x, high, name, colourOf(style), 1.5);
    canvas.line(x - 3, low, x + 3, low, name, colourOf(style), 1.5);
    canvas.line(x - 3, high, x + 3, high, name, colourOf(style), 1.5);
}

void paintSeries(SvgCanvas& canvas, const PlotArea& frame, const ChartSeries& series, const SeriesStyle& style)
{
    const bool joined = series.joined && !series.published;
    if (joined) {
        paintBand(canvas, frame, series, style);
        paintLine(canvas, frame, series, style);
    }
    for (const ChartPoint& point : series.points) {
        if (!point.missing.empty()) {
            const SeriesStyle cross{.hue = style.hue, .mark = Mark::Cross, .dash = {}, .variant = style.variant};
            canvas.mark(frame.x(point.x), frame.top + 6, cross, false, 4.5, series.name + ": " + point.missing);
            continue;
        }
        if (!drawn(frame, point))
            continue;
        if (!joined && point.low && point.high)
            paintWhisker(canvas, frame, point, style);
        canvas.mark(frame.x(point.x), frame.y(point.y), style, series.published, markRadius, point.title);
    }
}

void paintFront(SvgCanvas& canvas, const PlotArea& frame, const std::vector<ChartPoint>& front)
{
    if (const std::string way = wayThrough(frame, front); !way.empty())
        canvas.raw(fmt::format("<polyline class=\"f-front\" points=\"{}\" fill=\"none\" stroke=\"{}\" "
                               "stroke-width=\"1.2\" stroke-dasharray=\"4 3\"/>\n",
                               way, paper::text3.light));
}

/// The legend's entries: every series once; for many scattered series the backends, whose marks they share, since tooltips name each.
std::vector<ChartSeries> legendOf(const Chart& chart)
{
    constexpr std::size_t most = 8;
    const bool joined = std::ranges::any_of(chart.series,
                                            [](const ChartSeries& s) { return s.joined && !s.published; });
    const bool many = chart.series.size() > most && !joined;
    std::vector<ChartSeries> entries;
    for (const ChartSeries& series : chart.series) {
        const std::string backend = many ? series.backend.substr(0, series.backend.find('#')) : series.backend;
        const std::string shared = series.published ? "published, " + backend : backend;
        ChartSeries entry{many ? shared : series.name, backend, series.joined, series.published, {}};
        const auto same = [&](const ChartSeries& other) {
            return other.name == entry.name && other.backend == entry.backend
                   && other.published == entry.published;
        };
        if (std::ranges::none_of(entries, same))
            entries.push_back(std::move(entry));
    }
    return entries;
}

/// Rows of marks and names; returns how high they are.
double paintLegend(SvgCanvas& canvas, const std::vector<ChartSeries>& series, double top, const SvgOptions& options)
{
    double x = 0, y = top;
    for (const ChartSeries& entry : series) {
        const bool joined = entry.joined && !entry.published;
        const double sample = joined ? 28 : 12;
        const double width = sample + 6 + textWidth(entry.name, TextStyle::Label) + 18;
        if (x > 0 && x + width > options.width) {
            x = 0;
            y += 18;
        }
        const SeriesStyle style = options.styles(entry.backend);
        if (joined)
            canvas.line(x, y - 4, x + sample, y - 4, hueClass(style) + "s", colourOf(style), lineWidth,
                        dashText(style, lineWidth));
        canvas.mark(x + sample / 2, y - 4, style, entry.published, 4.6, {});
        canvas.text(x + sample + 6, y, entry.name, TextStyle::Label);
        x += width;
    }
    return series.empty() ? 0 : y - top + 20;
}

/// The width of the widest number on the axis.
double numbersWidth(const PlotArea& frame, const ChartAxis& axis)
{
    double width = 0;
    for (const double tick : axisTicks(frame.lowY, frame.highY, axis))
        width = std::max(width, textWidth(axisNumber(tick, axis.numbers), TextStyle::Label));
    return width;
}

double widest(const std::vector<std::string>& texts, TextStyle style)
{
    double width = 0;
    for (const std::string& text : texts)
        width = std::max(width, textWidth(text, style));
    return width;
}

/// Elides a name in the middle if it exceeds its room.
std::string elided(const std::string& text, double room, TextStyle style)
{
    if (textWidth(text, style) <= room)
        return text;
    std::vector<std::string> glyphs;
    for (const char c : text)
        (c & 0xC0) == 0x80 && !glyphs.empty() ? void(glyphs.back() += c) : void(glyphs.emplace_back(1, c));
    const auto keep = static_cast<std::size_t>(std::max(2.0, room / textWidth("x", style) - 1));
    std::string shortened;
    for (std::size_t i = 0; i < glyphs.size(); ++i) {
        if (i == keep / 2 + keep % 2)
            shortened += "…";
        if (i < keep / 2 + keep % 2 || i + keep / 2 >= glyphs.size())
            shortened += glyphs[i];
    }
    return shortened;
}

double heatFraction(const HeatMap& map, double value, double low, double high)
{
    if (map.colours == HeatColours::Difference)
        return high > 0 ? value / high : 0;
    if (!(high > low))
        return 0;
    if (map.scale == AxisScale::Log)
        return value > 0 ? std::log(value / low) / std::log(high / low) : 0;
    return (value - low) / (high - low);
}

std::pair<double, double> heatRange(const HeatMap& map)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const double value : map.values) {
        if (!std::isfinite(value) || (map.scale == AxisScale::Log && value <= 0))
            continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (map.colours == HeatColours::Difference)
        return {-std::max(std::abs(low), std::abs(high)), std::max(std::abs(low), std::abs(high))};
    return {map.low.value_or(low), map.high.value_or(high)};
}

/// Pixels for each name along cells of `size`, some of which may have none.
double spaceFor(const std::vector<std::string>& names, double size)
{
    const auto named = std::count_if(names.begin(), names.end(), [](const std::string& name) { return !name.empty(); });
    return named == 0 ? 0 : size * static_cast<double>(names.size()) / static_cast<double>(named);
}

void paintCell(SvgCanvas& canvas, const HeatMap& map, std::size_t cell, std::array<double, 4> box,
               std::pair<double, double> range)
{
    const auto [x, y, width, height] = box;
    const double value = map.values.at(cell);
    canvas.raw("<g>");
    if (cell < map.titles.size())
        canvas.raw("<title>" + escapedMarkup(map.titles[cell]) + "</title>");
    if (!std::isfinite(value)) {
        canvas.raw(fmt::format("<rect class=\"f-sunken\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
                               "height=\"{:.2f}\" rx=\"{}\" fill=\"{}\"/></g>\n",
                               x, y, width, height, width > 12 ? 3 : 0, paper::sunken.light));
        return;
    }
    const double fraction = heatFraction(map, value, range.first, range.second);
    const Rgb colour = map.colours == HeatColours::Category     ? categoryColour(value)
                       : map.colours == HeatColours::Difference ? differenceColour(fraction)
                                                                : magnitudeColour(fraction);
    canvas.raw(
        fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{}\" fill=\"{}\"/>",
                    x, y, width, height, width > 12 ? 3 : 0, colour.hex()));
    if (cell < map.labels.size())
        canvas.raw(fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"11\" font-weight=\"500\" "
                               "text-anchor=\"middle\" fill=\"{}\">{}</text>",
                               x + width / 2, y + height / 2 + 4, colour.textColour(),
                               escapedMarkup(map.labels[cell])));
    canvas.raw("</g>\n");
}

/// What the colours of a map without numbers in its cells stand for; returns how high that is.
double paintColourScale(SvgCanvas& canvas, const HeatMap& map, double left, double top, std::pair<double, double> range)
{
    const auto [low, high] = range;
    if (map.colours == HeatColours::Category || !map.labels.empty() || !(high > low) || !std::isfinite(high - low))
        return 0;
    constexpr int steps = 32;
    constexpr double width = 4, height = 8;
    const bool difference = map.colours == HeatColours::Difference;
    for (int i = 0; i < steps; ++i) {
        const double fraction = static_cast<double>(i) / (steps - 1);
        const Rgb colour = difference ? differenceColour(2 * fraction - 1) : magnitudeColour(fraction);
        canvas.raw(fmt::format("<rect class=\"f-scale\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", left + i * width, top,
                               width, height, colour.hex()));
    }
    canvas.text(left, top + height + 13, formatError(low), TextStyle::Label);
    if (difference)
        canvas.text(left + steps * width / 2, top + height + 13, "0", TextStyle::Label, Anchor::Middle);
    canvas.text(left + steps * width, top + height + 13, formatError(high), TextStyle::Label, Anchor::End);
    return height + 18;
}

}  // namespace

std::string svg(const Chart& chart, const SvgOptions& options)
{
    SvgCanvas canvas;
    PlotArea frame = frameOf(chart);
    double top = 4;
    if (!chart.title.empty())
        canvas.text(0, top += 14, chart.title, TextStyle::Title);
    const double legend = paintLegend(canvas, legendOf(chart), top + 20, options);
    const double height = options.height
                          + std::max(0.0, legend - 20);  // further rows don't shrink the plot
    top += legend;
    frame.left = numbersWidth(frame, chart.y) + 14;
    frame.top = top + 26;
    frame.right = options.width - 14;
    frame.bottom = height - 44;
    paintAxes(canvas, frame, chart.x, chart.y);
    paintFront(canvas, frame, chart.front);
    for (const std::vector<ChartPoint>& front : chart.moreFronts)
        paintFront(canvas, frame, front);
    for (const ChartSeries& series : chart.series)
        paintSeries(canvas, frame, series, options.styles(series.backend));
    return canvas.finish(options.width, height, chart.title + ". " + chart.caption, options);
}

std::string svg(const BarChart& chart, const SvgOptions& options)
{
    SvgCanvas canvas;
    std::vector<std::string> names, labels;
    double high = chart.axis.high.value_or(0);
    for (const Bar& bar : chart.bars) {
        names.push_back(bar.name);
        labels.push_back(bar.label);
        high = std::isfinite(bar.value) && !chart.axis.high ? std::max(high, bar.high.value_or(bar.value)) : high;
    }
    high = high > 0 ? high : 1;
    const double left = std::min(widest(names, TextStyle::Strong), options.width * 0.4) + 10;
    const double right = options.width - widest(labels, TextStyle::Label) - 16;
    double y = chart.title.empty() ? 4 : 32;
    canvas.text(0, 18, chart.title, TextStyle::Title);
    for (const Bar& bar : chart.bars) {
        const SeriesStyle style = options.styles(bar.backend);
        const double width = std::isfinite(bar.value) ? std::clamp(bar.value / high, 0.0, 1.0) * (right - left)
                                                      : 0;
        canvas.text(left - 10, y + 15, elided(bar.name, left - 10, TextStyle::Strong), TextStyle::Strong,
                    Anchor::End);
        canvas.raw(fmt::format(
            "<g><title>{}</title><rect class=\"{}{}\" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"14\" "
            "rx=\"3\" {}/></g>\n",
            escapedMarkup(bar.title), hueClass(style), bar.published ? "s" : "", left, y + 4,
            std::max(width, 1.0),
            bar.published
                ? fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"", colourOf(style).light)
                : fmt::format("fill=\"{}\" fill-opacity=\"0.85\"", colourOf(style).light)));
        double end = left + width;
        if (bar.low && bar.high) {
            const double from = left + std::clamp(*bar.low / high, 0.0, 1.0) * (right - left);
            end = left + std::clamp(*bar.high / high, 0.0, 1.0) * (right - left);
            canvas.line(from, y + 11, end, y + 11, "f-front", paper::text3, 1.5);
            for (const double cap : {from, end})
                canvas.line(cap, y + 8, cap, y + 14, "f-front", paper::text3, 1.5);
        }
        canvas.text(std::max(end, left + width) + 8, y + 15, bar.label, TextStyle::Label);
        y += 24;
    }
    canvas.text(left, y + 14, chart.axis.title, TextStyle::Caption);
    return canvas.finish(options.width, y + 22, chart.title + ". " + chart.caption, options);
}

std::string svg(const HeatMap& map, const SvgOptions& options)
{
    SvgCanvas canvas;
    const double left = std::min(widest(map.rows, TextStyle::Label), options.width * 0.3)
                        + (map.rowTitle.empty() ? 8 : 28);
    const double columns = std::max<double>(1, static_cast<double>(map.columns.size()));
    const double width = std::min(60.0, (options.width - left) / columns), gap = width > 12 ? 2 : 0;
    const double height = width > 30 ? std::min(36.0, width) : width;
    const double columnSpace = spaceFor(map.columns, width), rowSpace = spaceFor(map.rows, height);
    const bool turned = widest(map.columns, TextStyle::Label) > columnSpace - 4;
    double top = (map.title.empty() ? 4 : 30) + (map.columnTitle.empty() ? 0 : 18);
    canvas.text(0, 16, map.title, TextStyle::Title);
    canvas.text(left, top - 6, map.columnTitle, TextStyle::Caption);
    const double namesHeight = !turned ? 18 : std::min(widest(map.columns, TextStyle::Label), 110.0) + 8;
    const bool nameColumns = columnSpace >= 11;
    top += nameColumns ? namesHeight : 4;
    for (std::size_t i = 0; nameColumns && i < map.columns.size(); ++i) {
        const double x = left + (static_cast<double>(i) + 0.5) * width;
        canvas.text(turned ? x + 4 : x, top - 5, elided(map.columns[i], turned ? 110 : columnSpace, TextStyle::Label),
                    TextStyle::Label, turned ? Anchor::Start : Anchor::Middle, turned ? -90 : 0);
    }
    const auto range = heatRange(map);
    for (std::size_t row = 0; row < map.rows.size(); ++row) {
        const double y = top + static_cast<double>(row) * height;
        if (rowSpace >= 11)
            canvas.text(left - 6, y + height / 2 + 4, elided(map.rows[row], left - 8, TextStyle::Label),
                        TextStyle::Label, Anchor::End);
        for (std::size_t column = 0; column < map.columns.size(); ++column)
            paintCell(canvas, map, row * map.columns.size() + column,
                      {left + static_cast<double>(column) * width, y, width - gap, height - gap}, range);
    }
    double bottom = top + static_cast<double>(map.rows.size()) * height;
    if (!map.rowTitle.empty())
        canvas.text(12, (top + bottom) / 2, map.rowTitle, TextStyle::Caption, Anchor::Middle, -90);
    bottom += paintColourScale(canvas, map, left, bottom + 8, range);
    return canvas.finish(options.width, bottom + 6, map.title + ". " + map.caption, options);
}

}  // namespace attnscope

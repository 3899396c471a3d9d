// SPDX-License-Identifier: Apache-2.0
#include "core/figure/markup.h"
#include "core/figure/svg_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

struct Range {
    double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();
    void include(double value)
    {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    [[nodiscard]] bool empty() const { return !(low <= high); }
};

/// Adds a margin around the points; a logarithmic axis can't show zero or less, which is left out.
void widen(Range& range, const ChartAxis& axis)
{
    if (range.empty())
        range = {axis.scale == AxisScale::Log ? 1.0 : 0.0, axis.scale == AxisScale::Log ? 10.0 : 1.0};
    if (axis.scale == AxisScale::Log) {
        const double room = std::max(std::pow(range.high / range.low, 0.06), 1.12);
        range = {range.low / room, range.high * room};
    } else {
        const double room = range.high > range.low ? 0.07 * (range.high - range.low)
                                                   : std::max(std::abs(range.high) * 0.1, 1e-9);
        const bool fromZero = range.low >= 0 && range.low - room < 0;
        range = {fromZero ? 0 : range.low - room, range.high + room};
    }
    range.low = axis.low.value_or(range.low);
    range.high = axis.high.value_or(range.high);
    if (!(range.high > range.low))
        range.high = range.low + 1;
}

Range rangeOf(const Chart& chart, const ChartAxis& axis, bool horizontal)
{
    Range range;
    const auto include = [&](double value) {
        if (axis.scale == AxisScale::Linear || value > 0)
            range.include(value);
    };
    for (const ChartSeries& series : chart.series) {
        for (const ChartPoint& point : series.points) {
            if (horizontal) {
                include(point.x);
            } else if (point.missing.empty()) {
                include(point.y);
                include(point.low.value_or(point.y));
                include(point.high.value_or(point.y));
            }
        }
    }
    widen(range, axis);
    return range;
}

const char* anchorText(Anchor anchor)
{
    return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

struct TextLook {
    const char* className;
    ColourPair colour;
    double size;
    int weight;
};

const TextLook& look(TextStyle style)
{
    static constexpr TextLook looks[] = {{"f-t", paper::text, 13, 600}, {"f-t", paper::text, 12, 600},
                                         {"f-t2", paper::text2, 11, 400}, {"f-t3", paper::text3, 11, 400}};
    return looks[static_cast<std::size_t>(style)];
}

/// Characters of UTF-8, not bytes.
double letters(std::string_view text)
{
    return static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string points(const std::vector<MarkPoint>& polygon, double x, double y, double radius)
{
    std::string text;
    for (const MarkPoint& point : polygon)
        text += fmt::format("{:.2f},{:.2f} ", x + point.x * radius, y + point.y * radius);
    text.pop_back();
    return text;
}

void paintDark(std::string& css, std::string_view rule, std::string_view property, ColourPair colour)
{
    css += fmt::format("{}{{{}:{}}}", rule, property, colour.dark);
}

}  // namespace

double PlotArea::fraction(double value, double low, double high, AxisScale scale)
{
    if (scale == AxisScale::Log)
        return std::log(std::max(value, std::numeric_limits<double>::min()) / low) / std::log(high / low);
    return (value - low) / (high - low);
}

PlotArea frameOf(const Chart& chart)
{
    PlotArea frame;
    const Range x = rangeOf(chart, chart.x, true), y = rangeOf(chart, chart.y, false);
    frame.lowX = x.low, frame.highX = x.high, frame.lowY = y.low, frame.highY = y.high;
    frame.scaleX = chart.x.scale, frame.scaleY = chart.y.scale;
    return frame;
}

void paintAxes(SvgCanvas& canvas, const PlotArea& frame, const ChartAxis& x, const ChartAxis& y)
{
    for (const double tick : axisTicks(frame.lowY, frame.highY, y)) {
        const double at = std::round(frame.y(tick)) + 0.5;
        canvas.line(frame.left, at, frame.right, at, "f-line", paper::line);
        canvas.text(frame.left - 8, at + 3.5, axisNumber(tick, y.numbers), TextStyle::Label, Anchor::End);
    }
    const double base = std::round(frame.bottom) + 0.5;
    canvas.line(frame.left, base, frame.right, base, "f-axis", paper::control);
    double free = -std::numeric_limits<double>::infinity();
    for (const double tick : axisTicks(frame.lowX, frame.highX, x)) {
        const std::string text = axisNumber(tick, x.numbers);
        const double half = textWidth(text, TextStyle::Label) / 2;
        if (frame.x(tick) - half < free)
            continue;
        canvas.text(frame.x(tick), base + 16, text, TextStyle::Label, Anchor::Middle);
        free = frame.x(tick) + half + 8;
    }
    canvas.text((frame.left + frame.right) / 2, base + 34, x.title, TextStyle::Caption, Anchor::Middle);
    canvas.text(frame.left, frame.top - 10, y.title, TextStyle::Caption);
}

double textWidth(std::string_view text, TextStyle style)
{
    return letters(text) * look(style).size * (look(style).weight > 500 ? 0.58 : 0.54);
}

std::string hueClass(const SeriesStyle& style)
{
    return fmt::format("f-h{}{}", static_cast<int>(style.hue), style.shaded() ? "b" : "");
}

std::string dashText(const SeriesStyle& style, double width)
{
    std::string text;
    for (const double dash : style.dash)
        text += fmt::format("{}{:g}", text.empty() ? "" : " ", dash * width);
    return text;
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view className, ColourPair colour,
                     double width, std::string_view dash)
{
    m_body += fmt::format("<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" "
                          "stroke=\"{}\" stroke-width=\"{:g}\"",
                          className, x1, y1, x2, y2, colour.light, width);
    m_body += dash.empty() ? "/>\n" : fmt::format(" stroke-dasharray=\"{}\"/>\n", dash);
}

void SvgCanvas::text(double x, double y, std::string_view text, TextStyle style, Anchor anchor, double turn)
{
    if (text.empty())
        return;
    const TextLook drawn = look(style);
    m_body += fmt::format("<text class=\"{}\" x=\"{:.2f}\" y=\"{:.2f}\" fill=\"{}\" font-size=\"{:g}\"",
                          drawn.className, x, y, drawn.colour.light, drawn.size);
    if (drawn.weight != 400)
        m_body += fmt::format(" font-weight=\"{}\"", drawn.weight);
    if (anchor != Anchor::Start)
        m_body += fmt::format(" text-anchor=\"{}\"", anchorText(anchor));
    if (turn != 0)
        m_body += fmt::format(" transform=\"rotate({:g} {:.2f} {:.2f})\"", turn, x, y);
    m_body += ">" + escapedMarkup(text) + "</text>\n";
}

void SvgCanvas::mark(double x, double y, const SeriesStyle& style, bool hollow, double radius,
                     std::string_view title)
{
    const ColourPair colour = colourOf(style);
    const std::string outline = points(markPolygon(style.mark), x, y, radius);
    const bool ring = style.mark == Mark::Ring;
    m_body += "<g>";
    if (!title.empty())
        m_body += "<title>" + escapedMarkup(title) + "</title>";
    if (hollow || ring) {
        m_body += fmt::format(
            "<polygon class=\"{}s f-surface\" points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\"/>",
            hueClass(style), outline, paper::surface.light, colour.light);
        if (ring && !hollow)
            m_body += fmt::format("<circle class=\"{}\" cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>",
                                  hueClass(style), x, y, radius * 0.35, colour.light);
    } else {
        m_body += fmt::format("<polygon class=\"{} f-halo\" points=\"{}\" fill=\"{}\" stroke=\"{}\" "
                              "stroke-width=\"2\" paint-order=\"stroke\"/>",
                              hueClass(style), outline, colour.light, paper::surface.light);
        if (const auto hole = markHole(style.variant); !hole.empty())
            m_body += fmt::format("<polygon class=\"f-surface\" points=\"{}\" fill=\"{}\"/>",
                                  points(hole, x, y, radius), paper::surface.light);
    }
    m_body += "</g>\n";
}

std::string SvgCanvas::finish(double width, double height, std::string_view label, const SvgOptions& options) const
{
    std::string all = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
        "role=\"img\" "
        "aria-label=\"{2}\" font-family=\"Inter, 'Noto Sans', Cantarell, Ubuntu, 'DejaVu Sans', sans-serif\">\n",
        width, height, escapedMarkup(label));
    if (options.standsAlone)
        all += "<style>" + svgStyle() + "</style>\n"
               + fmt::format("<rect class=\"f-surface\" width=\"{:g}\" height=\"{:g}\" fill=\"{}\"/>\n", width,
                             height, paper::surface.light);
    return all + m_body + "</svg>\n";
}

std::string svgStyle()
{
    std::string dark;
    for (int hue = 0; hue < 8; ++hue) {
        for (const int variant : {0, 1}) {
            const SeriesStyle style{static_cast<Hue>(hue), Mark::Disc, {}, variant};
            paintDark(dark, "." + hueClass(style), "fill", colourOf(style));
            paintDark(dark, "." + hueClass(style) + "s", "stroke", colourOf(style));
        }
    }
    paintDark(dark, ".f-t", "fill", paper::text);
    paintDark(dark, ".f-t2", "fill", paper::text2);
    paintDark(dark, ".f-t3", "fill", paper::text3);
    paintDark(dark, ".f-line", "stroke", paper::line);
    paintDark(dark, ".f-axis", "stroke", paper::control);
    paintDark(dark, ".f-front", "stroke", paper::text3);
    paintDark(dark, ".f-surface", "fill", paper::surface);
    paintDark(dark, ".f-halo", "stroke", paper::surface);
    paintDark(dark, ".f-sunken", "fill", paper::sunken);
    return ".f-line,.f-axis{shape-rendering:crispEdges}@media (prefers-color-scheme:dark){" + dark + "}";
}

std::string svgMark(const std::string& backend, bool hollow, SeriesStyles styles)
{
    SvgCanvas canvas;
    canvas.mark(6, 6, styles(backend), hollow, 4.6, {});
    return canvas.finish(12, 12, backend.substr(0, backend.find('#')), {.standsAlone = false});
}

}  // namespace attnscope

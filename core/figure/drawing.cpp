// What figures are made of, and heat maps of it.
#include "core/figure/drawing.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

using Kind = Shape::Kind;

double widest(const std::vector<std::string>& texts, TextStyle style, TextMeasure measure)
{
    double width = 0;
    for (const std::string& text : texts)
        width = std::max(width, measure(text, style).width);
    return width;
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
    const auto named = std::ranges::count_if(names, [](const std::string& name) { return !name.empty(); });
    return named == 0 ? 0 : size * double(names.size()) / double(named);
}

ColourPair everywhere(int colour)
{
    return {colour, colour};
}

/// Box of a cell or a step of the scale, the same colour in both themes.
void addCell(Drawing& drawing, const HeatMap& map, size_t cell, MarkPoint from, MarkPoint to,
             std::pair<double, double> range)
{
    const double value = map.values.at(cell);
    const std::string title = cell < map.titles.size() ? map.titles[cell] : "";
    Shape box{.kind = Kind::Box,
              .points = {from, to},
              .fill = paper::sunken,
              .round = to.x - from.x > 12 ? 3.0 : 0.0,
              .title = title};
    if (!std::isfinite(value))
        return drawing.shapes.push_back(std::move(box));
    const double fraction = heatFraction(map, value, range.first, range.second);
    const Rgb colour = map.colours == HeatColours::Category     ? categoryColour(value)
                       : map.colours == HeatColours::Difference ? differenceColour(fraction)
                                                                : magnitudeColour(fraction);
    box.fill = everywhere(colour.packed());
    drawing.shapes.push_back(std::move(box));
    if (cell >= map.labels.size())
        return;
    drawing.text({(from.x + to.x) / 2, (from.y + to.y) / 2 + 4}, map.labels[cell], TextStyle::Name,
                 Anchor::Middle);
    drawing.shapes.back().fill = everywhere(colour.textColour());
    drawing.shapes.back().title = title;
}

/// What the colours of a map without numbers in its cells stand for; returns how high that is.
double addColourScale(Drawing& drawing, const HeatMap& map, double left, double top,
                      std::pair<double, double> range)
{
    const auto [low, high] = range;
    if (map.colours == HeatColours::Category || !map.labels.empty() || !(high > low) || !std::isfinite(high - low))
        return 0;
    constexpr int steps = 32;
    constexpr double width = 4, height = 8;
    const bool difference = map.colours == HeatColours::Difference;
    for (int i = 0; i < steps; ++i) {
        const double fraction = double(i) / (steps - 1);
        const Rgb colour = difference ? differenceColour(2 * fraction - 1) : magnitudeColour(fraction);
        drawing.shapes.push_back({.kind = Kind::Box,
                                  .points = {{left + i * width, top}, {left + (i + 1) * width, top + height}},
                                  .fill = everywhere(colour.packed()),
                                  .crisp = true});
    }
    const double line = top + height + 13;
    drawing.text({left, line}, formatError(low), TextStyle::Label);
    if (difference)
        drawing.text({left + steps * width / 2, line}, "0", TextStyle::Label, Anchor::Middle);
    drawing.text({left + steps * width, line}, formatError(high), TextStyle::Label, Anchor::End);
    return height + 18;
}

}

void Drawing::line(std::vector<MarkPoint> way, ColourPair colour, double width, std::vector<double> dash)
{
    if (way.size() > 1)
        shapes.push_back({.points = std::move(way), .stroke = colour, .width = width, .dash = std::move(dash)});
}

ColourPair colourOf(const ChartSeries& series, SeriesStyles styles)
{
    return series.backend.empty() ? paper::text3 : colourOf(styles(series.backend));
}

void Drawing::line(std::vector<MarkPoint> way, const ChartSeries& series, SeriesStyles styles, bool solid)
{
    std::vector<double> dash;
    if (series.line == SeriesLine::Dashed || series.line == SeriesLine::Level)
        dash = series.line == SeriesLine::Level ? std::vector<double>{8, 4} : std::vector<double>{4, 3};
    else if (series.line == SeriesLine::OfBackend && !solid)
        dash = styles(series.backend).dash;
    const bool faint = series.line == SeriesLine::Faint;
    line(std::move(way), colourOf(series, styles),
         faint                    ? 1
         : series.backend.empty() ? 1.2
                                  : 1.75,
         std::move(dash));
    if (faint)
        shapes.back().opacity = 0.45;
}

void Drawing::sample(MarkPoint left, const ChartSeries& series, SeriesStyles styles)
{
    const double width = isJoined(series) ? sampleWidth : 12;
    if (isJoined(series))
        line({left, {left.x + width, left.y}}, series, styles);
    if (hasMarks(series))
        mark({left.x + width / 2, left.y}, styles(series.backend), series.published, 4.6);
}

void Drawing::text(MarkPoint at, std::string text, TextStyle style, Anchor anchor, bool upwards)
{
    const ColourPair colour = style < TextStyle::Label    ? paper::text
                              : style == TextStyle::Label ? paper::text2
                                                          : paper::text3;
    if (!text.empty())
        shapes.push_back({.kind = Kind::Text,
                          .points = {at},
                          .fill = colour,
                          .text = std::move(text),
                          .style = style,
                          .anchor = anchor,
                          .upwards = upwards});
}

void Drawing::mark(MarkPoint at, const SeriesStyle& style, bool hollow, double radius, const std::string& title)
{
    const auto add = [&](std::vector<MarkPoint> outline, double size) -> Shape& {
        for (MarkPoint& point : outline)
            point = {at.x + point.x * size, at.y + point.y * size};
        return shapes.emplace_back(
            Shape{.kind = Kind::Area, .points = std::move(outline), .fill = paper::surface, .title = title});
    };
    const ColourPair colour = colourOf(style);
    Shape& outline = add(markPolygon(style.mark), radius);
    const bool ring = style.mark == Mark::Ring;
    if (hollow || ring) {
        outline.stroke = colour;
        outline.width = 1.6;
        if (ring && !hollow)
            add(regularPolygon(24, 0), radius * 0.35).fill = colour;
        return;
    }
    outline.fill = colour;
    outline.stroke = paper::surface;
    outline.width = std::min(3.0, radius / 2);
    outline.halo = true;
    if (auto hole = markHole(style.variant); !hole.empty())
        add(std::move(hole), radius);
}

std::string elided(const std::string& text, double room, TextStyle style, TextMeasure measure)
{
    if (measure(text, style).width <= room)
        return text;
    std::vector<std::string> glyphs;
    for (const char c : text)
        (c & 0xC0) == 0x80 && !glyphs.empty() ? void(glyphs.back() += c) : void(glyphs.emplace_back(1, c));
    const auto keep = size_t(std::max(2.0, room / measure("x", style).width - 1));
    std::string shortened;
    for (size_t i = 0; i < glyphs.size(); ++i) {
        if (i == keep / 2 + keep % 2)
            shortened += "…";
        if (i < keep / 2 + keep % 2 || i + keep / 2 >= glyphs.size())
            shortened += glyphs[i];
    }
    return shortened;
}

Drawing draw(const HeatMap& map, const FigureOptions& options)
{
    Drawing drawing{.width = options.width, .label = map.title + ". " + map.caption};
    const TextMeasure measure = options.measure;
    const double rowNames = widest(map.rows, TextStyle::Label, measure),
                 columnNames = widest(map.columns, TextStyle::Label, measure);
    const double left = std::min(rowNames, options.width * 0.3) + (map.rowTitle.empty() ? 8 : 28);
    const double columns = std::max<double>(1, double(map.columns.size()));
    const double width = std::min(60.0, (options.width - left) / columns), gap = width > 12 ? 2 : 0;
    const double height = width > 30 ? std::min(36.0, width) : width;
    const double columnSpace = spaceFor(map.columns, width), rowSpace = spaceFor(map.rows, height);
    const bool upwards = columnNames > columnSpace - 4;
    double top = (map.title.empty() ? 4 : 30) + (map.columnTitle.empty() ? 0 : 18);
    drawing.text({0, 16}, map.title, TextStyle::Title);
    drawing.text({left, top - 6}, map.columnTitle, TextStyle::Caption);
    const bool nameColumns = columnSpace >= 11;
    top += !nameColumns ? 4 : !upwards ? 18 : std::min(columnNames, 110.0) + 8;
    for (size_t i = 0; nameColumns && i < map.columns.size(); ++i) {
        const double x = left + (double(i) + 0.5) * width;
        drawing.text({upwards ? x + 4 : x, top - 5},
                     elided(map.columns[i], upwards ? 110 : columnSpace, TextStyle::Label, measure),
                     TextStyle::Label, upwards ? Anchor::Start : Anchor::Middle, upwards);
    }
    const auto range = heatRange(map);
    double y = top;
    for (size_t row = 0; row < map.rows.size(); ++row, y += height) {
        if (rowSpace >= 11)
            drawing.text({left - 6, y + height / 2 + 4},
                         elided(map.rows[row], left - 8, TextStyle::Label, measure), TextStyle::Label,
                         Anchor::End);
        for (size_t column = 0; column < map.columns.size(); ++column) {
            const double x = left + double(column) * width;
            addCell(drawing, map, row * map.columns.size() + column, {x, y}, {x + width - gap, y + height - gap},
                    range);
        }
    }
    drawing.text({12, (top + y) / 2}, map.rowTitle, TextStyle::Caption, Anchor::Middle, true);
    drawing.height = y + addColourScale(drawing, map, left, y + 8, range) + 6;
    return drawing;
}

}

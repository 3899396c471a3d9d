#include "core/figure/svg.h"

#include "core/figure/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace attnscope {

namespace {

struct Font {
    double size;
    int weight;
};

const Font& fontOf(TextStyle style)
{
    static constexpr Font fonts[] = {{13, 600}, {12, 600}, {11, 500}, {11, 400}, {11, 400}, {12, 400}};
    return fonts[size_t(style)];
}

/// " fill" or " stroke" with the light colour.
std::string coloured(const char* what, ColourPair colour)
{
    return fmt::format(" {}=\"{}\"", what, colour.light < 0 ? "none" : hexColour(colour.light));
}

/// Only what changes in the dark theme has a class.
std::string classOf(ColourPair colour, const char* suffix)
{
    return colour.light == colour.dark ? "" : fmt::format("f-{:06X}{} ", colour.light, suffix);
}

std::string placed(const Shape& shape)
{
    const MarkPoint from = shape.points.front(), to = shape.points.back();
    if (shape.kind == Shape::Kind::Box)
        return fmt::format(" x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" rx=\"{:g}\"",
                           std::min(from.x, to.x), std::min(from.y, to.y), std::abs(to.x - from.x),
                           std::abs(to.y - from.y), shape.round);
    if (shape.kind == Shape::Kind::Text) {
        static constexpr const char* anchors[] = {"start", "middle", "end"};
        const Font& font = fontOf(shape.style);
        return fmt::format(
                   " x=\"{0:.2f}\" y=\"{1:.2f}\" font-size=\"{2:g}\" font-weight=\"{3}\" text-anchor=\"{4}\"",
                   from.x, from.y, font.size, font.weight, anchors[size_t(shape.anchor)])
               + (shape.upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", from.x, from.y) : "");
    }
    std::string points = " points=\"";
    for (const MarkPoint& point : shape.points)
        fmt::format_to(std::back_inserter(points), "{:.2f},{:.2f} ", point.x, point.y);
    points.back() = '"';
    return points;
}

std::string painted(const Shape& shape)
{
    std::string text = coloured("fill", shape.fill);
    if (shape.stroke.light >= 0)
        text += coloured("stroke", shape.stroke)
                + fmt::format(" stroke-width=\"{:g}\" stroke-linejoin=\"round\"", shape.width);
    for (size_t i = 0; i < shape.dash.size(); ++i)
        text += fmt::format("{}{:g}", i == 0 ? " stroke-dasharray=\"" : " ", shape.dash[i] * shape.width);
    if (!shape.dash.empty())
        text += '"';
    if (shape.opacity < 1)
        text += fmt::format(" {}-opacity=\"{:g}\"", shape.kind == Shape::Kind::Line ? "stroke" : "fill",
                            shape.opacity);
    if (shape.halo)
        text += " paint-order=\"stroke\"";
    if (shape.crisp)
        text += " shape-rendering=\"crispEdges\"";
    return text;
}

std::string element(const Shape& shape)
{
    static constexpr const char* names[] = {"polyline", "polygon", "rect", "text"};
    const char* name = names[size_t(shape.kind)];
    std::string look = classOf(shape.fill, "") + classOf(shape.stroke, "s");
    if (!look.empty())
        look.back() = '"';
    return fmt::format("<{}{}{}{}{}", name, look.empty() ? "" : " class=\"", look, placed(shape), painted(shape))
           + (shape.kind == Shape::Kind::Text ? fmt::format(">{}</text>\n", escapedMarkup(shape.text)) : "/>\n");
}

}

TextSize estimatedSize(std::string_view text, TextStyle style)
{
    const Font& font = fontOf(style);
    const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });  // of UTF-8
    return {double(letters) * font.size * (font.weight > 500 ? 0.58 : 0.54), font.size};
}

std::string svg(const Drawing& drawing, bool standsAlone)
{
    std::string all = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
        "role=\"img\" "
        "aria-label=\"{2}\" font-family=\"Inter, 'Noto Sans', Cantarell, Ubuntu, 'DejaVu Sans', sans-serif\">\n",
        drawing.width, drawing.height, escapedMarkup(drawing.label));
    if (standsAlone)
        all += "<style>" + svgStyle() + "</style>\n"
               + element({.kind = Shape::Kind::Box,
                          .points = {{}, {drawing.width, drawing.height}},
                          .fill = paper::surface});
    std::string title;
    for (const Shape& shape : drawing.shapes) {
        if (shape.title != title) {
            all += title.empty() ? "" : "</g>\n";
            all += shape.title.empty() ? "" : "<g><title>" + escapedMarkup(shape.title) + "</title>";
            title = shape.title;
        }
        all += element(shape);
    }
    return all + (title.empty() ? "" : "</g>\n") + "</svg>\n";
}

std::string svgStyle()
{
    std::vector<ColourPair> colours{paper::surface, paper::sunken,  paper::text2, paper::text3,
                                    paper::line,    paper::control, paper::focus};
    for (const auto& hue : hueColours)  // the first is that of texts
        colours.insert(colours.end(), std::begin(hue), std::end(hue));
    std::string dark;
    for (const ColourPair colour : colours)
        dark += fmt::format(".f-{0:06X}{{fill:{1}}}.f-{0:06X}s{{stroke:{1}}}", colour.light,
                            hexColour(colour.dark));
    return "@media (prefers-color-scheme:dark){" + dark + "}";
}

std::string svgMark(const std::string& backend, bool hollow, SeriesStyles styles)
{
    Drawing drawing{12, 12, backend.substr(0, backend.find('#'))};
    drawing.mark({6, 6}, styles(backend), hollow, 4.6);
    return svg(drawing, false);
}

}

#pragma once

#include "core/figure/drawing.h"

#include <string>

namespace attnscope {

/// A drawing as SVG text: shapes have the light theme's colours as attributes, so that any viewer shows them; a style sheet gives the dark
/// ones if the reader prefers them (prefers-color-scheme). Text remains text; tooltips are <title> elements. Nothing is executed, nothing
/// is fetched, every text is escaped.
std::string svg(const Drawing& drawing, bool standsAlone);

template <typename Figure>
std::string svg(const Figure& figure, const FigureOptions& options = {})
{
    return svg(draw(figure, options), options.standsAlone);
}

/// The style sheet of all figures: the classes of their colours, which start with "f-".
std::string svgStyle();

/// The mark of a backend alone, 12 × 12, for legends and tables.
std::string svgMark(const std::string& backend, bool hollow, SeriesStyles styles);

}

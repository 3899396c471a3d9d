// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"
#include "core/figure/marks.h"

#include <string>

namespace attnscope {

struct SvgOptions {
    double width = 640, height = 380;  ///< heat maps and bars grow with their rows
    bool standsAlone =
        true;  ///< a file of its own, with its style; else for a page that carries `svgStyle()` once
    SeriesStyles styles = plainStyle;  ///< of the series' backends
};

/// A figure as SVG text: shapes have the light theme's colours as attributes, so that any viewer shows them; a style sheet gives the dark
/// ones if the reader prefers them (prefers-color-scheme). Text remains text; tooltips are <title> elements. Nothing is executed, nothing
/// is fetched, every text is escaped.
std::string svg(const Chart& chart, const SvgOptions& options = {});
std::string svg(const BarChart& chart, const SvgOptions& options = {});
std::string svg(const HeatMap& map, const SvgOptions& options = {});

/// The style sheet of all figures: classes that start with "f-".
[[nodiscard]] std::string svgStyle();

/// The mark of a backend alone, 12 × 12, for legends and tables.
[[nodiscard]] std::string svgMark(const std::string& backend, bool hollow, SeriesStyles styles);

}  // namespace attnscope

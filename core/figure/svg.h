// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"

#include <string>

namespace attnscope {

struct SvgOptions {
    double width = 640, height = 380;  ///< heat maps and bars grow with their rows
    bool standsAlone =
        true;  ///< a file of its own, with its style; else for a page that carries `svgStyle()` once
};

/// A figure as SVG text: shapes carry the light theme's colours as attributes, so that any viewer shows them; a style sheet gives the
/// dark ones where the reader prefers them (prefers-color-scheme). Text stays text; what hovering says are <title> elements. Nothing
/// runs, nothing is fetched, every text is escaped.
std::string svg(const Chart& chart, const SvgOptions& options = {});
std::string svg(const BarChart& chart, const SvgOptions& options = {});
std::string svg(const HeatMap& map, const SvgOptions& options = {});

/// The style sheet of all figures: classes that begin with "f-".
std::string svgStyle();

/// The mark of a backend alone, 12 × 12, for legends and tables.
std::string svgMark(const std::string& backend, bool hollow);

}  // namespace attnscope

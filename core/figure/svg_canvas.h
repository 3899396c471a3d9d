// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/palette.h"
#include "core/figure/svg.h"

#include <string>
#include <string_view>

/// Internal to core/figure: drawing primitives for figures.
namespace attnscope {

enum class Anchor { Start, Middle, End };
enum class TextStyle { Title, Strong, Label, Caption };

/// SVG text under construction.
class SvgCanvas {
public:
    void line(double x1, double y1, double x2, double y2, std::string_view className, ColourPair colour,
              double width = 1, std::string_view dash = {});
    void text(double x, double y, std::string_view text, TextStyle style, Anchor anchor = Anchor::Start,
              double turn = 0);
    void mark(double x, double y, const SeriesStyle& style, bool hollow, double radius, std::string_view title);
    void raw(std::string_view markup) { m_body += markup; }
    /// Completes the SVG. `label` is for screen readers.
    [[nodiscard]]
    std::string finish(double width, double height, std::string_view label, const SvgOptions& options) const;

private:
    std::string m_body;
};

/// "6 3" for stroke-dasharray, in pixels for a line of `width`.
[[nodiscard]] std::string dashText(const SeriesStyle& style, double width);
[[nodiscard]] std::string hueClass(const SeriesStyle& style);
/// Approximate width of the drawn text, accurate enough for layout.
[[nodiscard]] double textWidth(std::string_view text, TextStyle style);

/// The frame of a chart: the positions of its axes, and their numbers.
struct PlotArea {
    double left = 0, top = 0, right = 0, bottom = 0;
    double lowX = 0, highX = 1, lowY = 0, highY = 1;
    AxisScale scaleX = AxisScale::Linear, scaleY = AxisScale::Linear;

    [[nodiscard]] double x(double value) const { return left + fraction(value, lowX, highX, scaleX) * (right - left); }
    [[nodiscard]]
    double y(double value) const { return bottom - fraction(value, lowY, highY, scaleY) * (bottom - top); }
    static double fraction(double value, double low, double high, AxisScale scale);
};

/// Ranges from the points and the axes' settings, with a margin.
[[nodiscard]] PlotArea frameOf(const Chart& chart);
/// Grid, bottom axis, numbers and titles.
void paintAxes(SvgCanvas& canvas, const PlotArea& frame, const ChartAxis& x, const ChartAxis& y);

}  // namespace attnscope

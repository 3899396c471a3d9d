#pragma once

#include "core/figure/chart.h"
#include "core/figure/palette.h"

#include <string>
#include <string_view>
#include <vector>

/// Figures laid out as shapes, which SVG files, images, pages and the window all paint alike. All lengths are in pixels; y grows downwards.
namespace attnscope {

enum class Anchor { Start, Middle, End };
/// Of the figure's title; of marks and bars; of lines; of numbers and legends; of axes and notes; in the place of data.
enum class TextStyle { Title, Strong, Name, Label, Caption, Notice };

struct Shape {
    enum class Kind { Line, Area, Box, Text };

    Kind kind = Kind::Line;
    std::vector<MarkPoint> points;  ///< of a box: two opposite corners; of a text: where its baseline is anchored
    ColourPair fill = {}, stroke = {};
    double width = 1;               ///< of the stroke
    std::vector<double> dash = {};  ///< in widths of the stroke; empty: solid
    double opacity = 1;             ///< of the fill, or of a line
    double round = 0;               ///< radius of a box's corners
    bool halo = false;              ///< the stroke lies behind the fill
    bool crisp = false;             ///< not antialiased
    std::string text = {};
    TextStyle style = TextStyle::Label;
    Anchor anchor = Anchor::Start;
    bool upwards = false;    ///< the text reads from bottom to top
    std::string title = {};  ///< tooltip; shapes in a row with the same title have one
};

/// Where a point of a chart lies: the middle of its mark, cross or bar's end.
struct PlacedPoint {
    size_t series = 0, point = 0;
    MarkPoint at;
    double halfWidth = 0, base = 0;  ///< of a bar
};

struct Drawing {
    double width = 0, height = 0;
    std::string label;  ///< for screen readers
    std::vector<Shape> shapes;
    std::vector<PlacedPoint> points;  ///< of a chart: those with a mark, a cross, a bar or a level

    void line(std::vector<MarkPoint> way, ColourPair colour, double width = 1, std::vector<double> dash = {});
    /// The line of a series, dashed as its backend unless `solid`.
    void line(std::vector<MarkPoint> way, const ChartSeries& series, SeriesStyles styles, bool solid = false);
    /// Line and mark of a series for a legend, `sampleWidth` wide if it is joined, else 12.
    void sample(MarkPoint left, const ChartSeries& series, SeriesStyles styles);
    void text(MarkPoint at, std::string text, TextStyle style, Anchor anchor = Anchor::Start,
              bool upwards = false);
    void mark(MarkPoint at, const SeriesStyle& style, bool hollow, double radius, const std::string& title = {});
};

/// The width of a text, and the size of its font.
struct TextSize {
    double width = 0, em = 0;
};
using TextMeasure = TextSize (*)(std::string_view text, TextStyle style);
/// Of the fonts that SVG files name, accurate enough for layout.
TextSize estimatedSize(std::string_view text, TextStyle style);

/// Where the names of series are: next to the chart, or in a legend; at their marks; at the ends of their lines.
enum class SeriesNames { Aside, AtMarks, AtEnds };
/// Bars show the points in their order; x is not looked at.
enum class ChartForm { Marks, Bars };

struct FigureOptions {
    double width = 640, height = 380;  ///< heat maps grow with their rows, charts with their legend
    /// An SVG file of its own, with its style; else for a page that carries `svgStyle()` once.
    bool standsAlone = true;
    SeriesStyles styles = plainStyle;  ///< of the series' backends
    TextMeasure measure = estimatedSize;
    SeriesNames names = SeriesNames::Aside;
    ChartForm form = ChartForm::Marks;
    bool headed = true;      ///< title, legend and the name of the vertical axis stand above the plot
    bool showsZero = false;  ///< zero has a place on logarithmic axes
    int64_t chosen = -1;     ///< key of the point with a ring
    /// Numbers of the horizontal axis; empty: the points' places where those are few, else round ones.
    std::vector<double> places = {};
    std::string notice = {};  ///< in the middle, where there is nothing to draw
    std::string note = {};    ///< above the plot
};

Drawing draw(const Chart& chart, const FigureOptions& options);
Drawing draw(const HeatMap& map, const FigureOptions& options);

constexpr double sampleWidth = 28;

inline bool isJoined(const ChartSeries& series)
{
    return series.joined && !series.published;
}
ColourPair colourOf(const ChartSeries& series, SeriesStyles styles);
/// A baseline is a line without marks.
inline bool hasMarks(const ChartSeries& series)
{
    return !isJoined(series) || (!series.backend.empty() && series.line == SeriesLine::OfBackend);
}

/// Whether a point has a place on the axes. A logarithmic axis has none for zero unless it `showsZero`.
bool isDrawn(const ChartPoint& point, const Chart& chart, bool showsZero);
/// Elides a text in the middle if it exceeds its room.
std::string elided(const std::string& text, double room, TextStyle style, TextMeasure measure);

}

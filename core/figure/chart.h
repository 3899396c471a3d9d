#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Figures as data: what is drawn, not how. Window, SVG, CSV and report read the same values. Independent of Qt and torch.
namespace attnscope {

enum class AxisScale { Linear, Log };

/// How an axis prints its numbers.
enum class AxisNumbers { Plain, Percent, Milliseconds, Bytes, Quantity, Whole };

struct ChartAxis {
    std::string title;  ///< with its unit, if the numbers have none
    AxisScale scale = AxisScale::Linear;
    AxisNumbers numbers = AxisNumbers::Plain;
    std::optional<double> low, high;              ///< else as far as the points go
    std::optional<double> least = {}, most = {};  ///< in the window: the margin around the points ends there
    bool fromZero = false;                        ///< of a linear axis: zero is on it
    std::string name = {};                        ///< the quantity alone, where the title says more
};

struct ChartPoint {
    double x = 0, y = 0;
    std::optional<double> low, high;              ///< ends of y's interval or band
    std::string title;                            ///< tooltip: name, values with units, how measured
    std::string missing;                          ///< why there is no y ("needs 9.1 GiB"): a cross at the top edge
    std::optional<double> xLow = {}, xHigh = {};  ///< of x
    int64_t key = -1;                             ///< what it stands for, where it can be chosen
    std::string label = {};                       ///< its value as text, for bars
};

/// How the line of a series is drawn in the window: dashed as its backend, or in a way of its own. A level is the last value over the
/// whole width; faint ones have neither a name nor marks.
enum class SeriesLine { OfBackend, Dashed, Faint, Level };

struct ChartSeries {
    std::string name;
    std::string backend;     ///< determines colour, mark and dash; "" for series without a backend
    bool joined = true;      ///< a line through the points; intervals become a band
    bool published = false;  ///< published by others: hollow marks, never joined
    std::vector<ChartPoint> points;
    SeriesLine line = SeriesLine::OfBackend;
};

/// Lines, bands and scattered points over two axes.
struct Chart {
    std::string title, caption;
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    std::vector<ChartPoint> front;  ///< joined by a thin dashed line: the Pareto front
    /// Of points that are not comparable with those of `front`, nor with each other's.
    std::vector<std::vector<ChartPoint>> moreFronts = {};
};

enum class HeatColours {
    Magnitude,
    Difference,
    Category  ///< the numbers are those of classes
};

/// A matrix of numbers as colours: layers × heads, or a confusion matrix (rows: true classes).
struct HeatMap {
    std::string title, caption, rowTitle, columnTitle;
    std::vector<std::string> rows, columns;
    std::vector<double> values;       ///< row by row; NaN: a missing cell
    std::vector<std::string> labels;  ///< shown in the cells; empty: none
    std::vector<std::string> titles;  ///< tooltips; empty: none
    HeatColours colours = HeatColours::Magnitude;
    AxisScale scale = AxisScale::Linear;  ///< Log: for magnitudes, zero has the lowest colour
    /// Ends of the colours of magnitudes; else the smallest and the largest value.
    std::optional<double> low = {}, high = {};
};

enum class Better { Lower, Higher };

/// Indices of the points that are not dominated in x and y by another point, by increasing x. Non-finite points are never included.
std::vector<size_t> paretoFront(const std::vector<ChartPoint>& points, Better x, Better y);

/// The scale on which values can be distinguished: logarithmic if the largest is at least eight times the median, so that a few large ones
/// do not compress the rest. Zeros and non-finite values do not count; with a negative value it is linear.
AxisScale fittingScale(std::vector<double> values);
/// Makes an axis logarithmic if that fits its values and all of them can be shown on it, and mentions it in its title.
void fitScale(ChartAxis& axis, const std::vector<double>& values);

/// Round numbers on an axis, about `count` at most, within [low, high]. On a logarithmic axis: powers of ten, with 2 and 5 if there are
/// few.
std::vector<double> axisTicks(double low, double high, AxisScale scale, int count = 5);

/// For a whole axis: bytes are round in their unit.
std::vector<double> axisTicks(double low, double high, const ChartAxis& axis, int count = 5);

std::string axisNumber(double value, AxisNumbers numbers);

/// The data of a figure as CSV (RFC 4180, decimal point, formulas escaped).
std::string csv(const Chart& chart);
std::string csv(const HeatMap& map);

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Figures as data: what is drawn, not how. Window, SVG, CSV and report read the same values. Free of Qt and torch.
namespace attnscope {

enum class AxisScale { Linear, Log };

/// How an axis prints its numbers.
enum class AxisNumbers { Plain, Percent, Milliseconds, Bytes, Quantity };

struct ChartAxis {
    std::string title;  ///< with its unit, where the numbers do not carry it
    AxisScale scale = AxisScale::Linear;
    AxisNumbers numbers = AxisNumbers::Plain;
    std::optional<double> low, high;  ///< else as far as the points go
};

struct ChartPoint {
    double x = 0, y = 0;
    std::optional<double> low, high;  ///< of y: the ends of its interval or band
    std::string title;                ///< what hovering says: name, figures with units, how measured
    std::string missing;              ///< why there is no y ("needs 9.1 GiB"): a cross at the top edge
};

struct ChartSeries {
    std::string name;
    std::string backend;     ///< colour, mark and dash go by it; "" for series that are none
    bool joined = true;      ///< a line through the points; intervals become a band
    bool published = false;  ///< somebody else's figures: hollow marks, never joined
    std::vector<ChartPoint> points;
};

/// Lines, bands and scattered points over two axes.
struct Chart {
    std::string title, caption;
    ChartAxis x, y;
    std::vector<ChartSeries> series;
    std::vector<ChartPoint> front;  ///< joined by a thin dashed line: the Pareto front
};

struct Bar {
    std::string name, backend;
    double value = 0;
    std::optional<double> low, high;
    std::string label;  ///< the figure beside the bar
    std::string title;
    bool published = false;  ///< an outline instead of a fill
};

/// Horizontal bars from zero, one below the other.
struct BarChart {
    std::string title, caption;
    ChartAxis axis;
    std::vector<Bar> bars;
};

enum class HeatColours { Magnitude, Difference };

/// A table of numbers as colours: layers × heads, or a confusion matrix (rows: true classes).
struct HeatMap {
    std::string title, caption, rowTitle, columnTitle;
    std::vector<std::string> rows, columns;
    std::vector<double> values;       ///< row by row; NaN: a missing cell
    std::vector<std::string> labels;  ///< printed in the cells; empty: none
    std::vector<std::string> titles;  ///< what hovering says; empty: none
    HeatColours colours = HeatColours::Magnitude;
    AxisScale scale = AxisScale::Linear;  ///< Log: of magnitudes, zero is the lowest colour
};

enum class Better { Lower, Higher };

/// Indices of the points that no other point beats in one of x and y without losing in the other, by rising x. Points that are not
/// finite are never on it.
std::vector<std::size_t> paretoFront(const std::vector<ChartPoint>& points, Better x, Better y);

/// The scale on which values can be told apart: logarithmic where the largest is eight times the middle one or more, so that a few large
/// ones do not press the rest together. Zeros, and what is not finite, do not count; with a negative value it is linear.
AxisScale fittingScale(std::vector<double> values);
/// Makes an axis logarithmic where that fits its values and all of them have a place on it, and its title says so.
void fitScale(ChartAxis& axis, const std::vector<double>& values);

/// Numbers on an axis: round, at most `count` or so, within [low, high]. Of a logarithmic axis: powers of ten, with 2 and 5 where they are few.
std::vector<double> axisTicks(double low, double high, AxisScale scale, int count = 5);

/// Of a whole axis: bytes are round in their unit.
std::vector<double> axisTicks(double low, double high, const ChartAxis& axis, int count = 5);

std::string axisNumber(double value, AxisNumbers numbers);

/// The data of a figure as CSV (RFC 4180, point as decimal mark, formulas disarmed).
std::string csv(const Chart& chart);
std::string csv(const BarChart& chart);
std::string csv(const HeatMap& map);

}  // namespace attnscope

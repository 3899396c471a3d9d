#include "core/figure/chart.h"

#include "core/base/format.h"
#include "core/figure/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::vector<double> linearTicks(double low, double high, int count)
{
    const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
    const double fraction = rough / power;
    const double step = power * (fraction < 1.5 ? 1 : fraction < 3.5 ? 2 : fraction < 7.5 ? 5 : 10);
    std::vector<double> ticks;
    const auto first = int64_t(std::ceil(low / step - 1e-9));
    for (int64_t i = first; double(i) * step <= high + step * 1e-9; ++i)
        ticks.push_back(double(i) * step);
    return ticks;
}

std::vector<double> logTicks(double low, double high, int count)
{
    const int first = int(std::floor(std::log10(low) + 1e-9)), last = int(std::ceil(std::log10(high) - 1e-9));
    const int every = std::max(1, (last - first) / (2 * count));
    const bool few = last - first <= 3;
    std::vector<double> ticks;
    for (int power = first; power <= last; power += every)
        for (const double digit : {1.0, 2.0, 5.0})
            if (const double tick = digit * std::pow(10, power);
                (digit == 1 || few) && tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                ticks.push_back(tick);
    return ticks;
}

/// 256 KiB, 1 MiB, 4 MiB …: powers of two, as few as `count` allows.
std::vector<double> byteTicks(double low, double high, int count)
{
    const double first = std::log2(std::max(low, 1.0)), last = std::log2(high);
    double step = 1;
    while ((last - first) / step > count)
        step *= 2;
    std::vector<double> ticks;
    for (auto i = int64_t(std::ceil(first / step - 1e-9)); double(i) * step <= last + 1e-9; ++i)
        ticks.push_back(std::exp2(double(i) * step));
    return ticks;
}

std::string number(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : "";
}

std::string number(const std::optional<double>& value)
{
    return value ? number(*value) : "";
}

}

std::vector<size_t> paretoFront(const std::vector<ChartPoint>& points, Better x, Better y)
{
    const auto cost = [](double value, Better better) { return better == Better::Lower ? value : -value; };
    std::vector<size_t> order;
    for (size_t i = 0; i < points.size(); ++i)
        if (points[i].missing.empty() && std::isfinite(points[i].x) && std::isfinite(points[i].y))
            order.push_back(i);
    std::ranges::sort(order, [&](size_t a, size_t b) {
        return std::pair(cost(points[a].x, x), cost(points[a].y, y))
               < std::pair(cost(points[b].x, x), cost(points[b].y, y));
    });
    std::vector<size_t> front;
    for (const size_t i : order)
        if (front.empty() || cost(points[i].y, y) < cost(points[front.back()].y, y)
            || (points[i].x == points[front.back()].x && points[i].y == points[front.back()].y))
            front.push_back(i);
    std::ranges::stable_sort(front, [&](size_t a, size_t b) { return points[a].x < points[b].x; });
    return front;
}

AxisScale fittingScale(std::vector<double> values)
{
    constexpr double wide = 8;
    std::erase_if(values, [](double value) { return !std::isfinite(value) || value == 0; });
    if (values.size() < 2)
        return AxisScale::Linear;
    std::ranges::sort(values);
    const double middle = values[(values.size() - 1) / 2];
    return values.front() > 0 && values.back() >= wide * middle ? AxisScale::Log : AxisScale::Linear;
}

void fitScale(ChartAxis& axis, const std::vector<double>& values)
{
    if (std::ranges::any_of(values, [](double value) { return !(value > 0); })
        || fittingScale(values) != AxisScale::Log)
        return;
    axis.scale = AxisScale::Log;
    axis.title += ", logarithmic";
}

std::vector<double> axisTicks(double low, double high, AxisScale scale, int count)
{
    if (!(high > low))
        return {low};
    if (scale == AxisScale::Linear)
        return linearTicks(low, high, count);
    const auto ticks = logTicks(low, high, count);
    return ticks.size() >= 2 ? ticks : linearTicks(low, high, count);
}

std::vector<double> axisTicks(double low, double high, const ChartAxis& axis, int count)
{
    if (axis.numbers == AxisNumbers::Bytes && axis.scale == AxisScale::Log && high > 2 * low)
        return byteTicks(low, high, count);
    double unit = 1;
    while (axis.numbers == AxisNumbers::Bytes && std::max(std::abs(low), std::abs(high)) >= 1024 * unit)
        unit *= 1024;
    auto ticks = axisTicks(low / unit, high / unit, axis.scale, count);
    for (double& tick : ticks)
        tick *= unit;
    if (axis.numbers == AxisNumbers::Whole)
        std::erase_if(ticks, [](double tick) { return tick != std::floor(tick); });
    return ticks;
}

std::string axisNumber(double value, AxisNumbers numbers)
{
    switch (numbers) {
    case AxisNumbers::Percent:
        return fmt::format("{:g} %", std::round(value * 1e6) / 1e4);
    case AxisNumbers::Milliseconds:
        return fmt::format("{:g}{}",
                           value >= 1000              ? value / 1000
                           : value >= 1 || value == 0 ? value
                                                      : value * 1000,
                           value >= 1000              ? " s"
                           : value >= 1 || value == 0 ? " ms"
                                                      : " µs");
    case AxisNumbers::Bytes:
        return formatBytes(int64_t(value)).text();
    case AxisNumbers::Quantity:
        return formatQuantity(value).text();
    case AxisNumbers::Plain:
    case AxisNumbers::Whole:
        break;
    }
    // From 100 000 on with an exponent, so that it does not stand next to 1e16 in full.
    const bool large = std::abs(value) >= 1e5 && std::abs(value) < 1e6 && std::fmod(value, 10) == 0;
    std::string text = withShortExponent(fmt::format("{:.{}g}", value, large ? 5 : 6));
    if (text.starts_with('-'))
        text.replace(0, 1, "\u2212");
    return text;
}

std::string csv(const Chart& chart)
{
    std::string text = csvLine({"series", "published", chart.x.title, chart.y.title, "low", "high", "note"});
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            text += csvLine({series.name, series.published ? "yes" : "no", number(point.x),
                             point.missing.empty() ? number(point.y) : "", number(point.low), number(point.high),
                             point.missing});
    return text;
}

std::string csv(const HeatMap& map)
{
    std::vector<std::string> line{map.rowTitle};
    line.insert(line.end(), map.columns.begin(), map.columns.end());
    std::string text = csvLine(line);
    for (size_t row = 0; row < map.rows.size(); ++row) {
        line = {map.rows[row]};
        for (size_t column = 0; column < map.columns.size(); ++column)
            line.push_back(number(map.values.at(row * map.columns.size() + column)));
        text += csvLine(line);
    }
    return text;
}

}

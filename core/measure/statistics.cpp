#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

double quantile(std::vector<double> values, double p)
{
    const auto isNan = [](double value) { return std::isnan(value); };
    if (values.empty() || std::ranges::any_of(values, isNan))
        return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(values);
    const double position = p * double(values.size() - 1);
    const auto below = size_t(position);
    const size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (position - double(below)) * (values[above] - values[below]);
}

MeanAndStddev meanAndStddev(const std::vector<double>& values)
{
    if (values.empty())
        return {};
    double mean = 0;
    for (const double value : values)
        mean += value / double(values.size());
    double squares = 0;
    for (const double value : values) {
        const double difference = value - mean;
        squares += difference * difference;
    }
    const double stddev = values.size() > 1 ? std::sqrt(squares / double(values.size() - 1)) : 0;
    return {mean, stddev};
}

}

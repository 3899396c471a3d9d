#pragma once

#include "core/figure/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace attnscope {

/// An axis as it is drawn: its range, and where that lies.
struct AxisPlace {
    bool log = false;
    double low = 0, high = 1;
    double zero = 0;  ///< where zero stands on a logarithmic axis; 0: it has no place there
    double from = 0, to = 1;
    std::vector<double> ticks;

    /// What lies beyond the ends is put there.
    double at(double value) const
    {
        const double within = std::clamp(std::max(value, zero > 0 ? zero : value), low, high);
        const double part = log ? std::log(within / low) / std::log(high / low) : (within - low) / (high - low);
        return from + part * (to - from);
    }
    bool holds(double value) const
    {
        const double slack = 1e-9 * std::abs(high - low);
        return std::max(value, zero > 0 ? zero : value) >= low - slack && value <= high + slack;
    }
};

/// What the values of an axis span.
struct Span {
    bool log = false;
    double low = 1e300, high = -1e300;
    bool zero = false;  ///< a value has no place on the logarithmic axis

    void take(double value)
    {
        zero = zero || (log && value <= 0);
        takeEnd(value);
    }
    void takeEnd(const std::optional<double>& end)
    {
        if (!end || !std::isfinite(*end) || (log && *end <= 0))
            return;
        low = std::min(low, *end);
        high = std::max(high, *end);
    }
    /// With room around the values, in fractions of what they span.
    AxisPlace place(const ChartAxis& axis, double room, bool showsZero) const
    {
        const double least = axis.least.value_or(-1e300), most = axis.most.value_or(1e300);
        AxisPlace made{.log = log};
        if (low > high && log) {
            made.low = 1, made.high = 10;
        } else if (low > high) {
            made.low = std::max(0.0, least), made.high = std::min(1.0, most);
        } else if (log) {
            const double factor = std::pow(std::max(high / low, 1.5), room);
            made.zero = showsZero ? low / factor : 0;
            made.low = low / factor / (zero ? std::sqrt(factor) : 1);
            made.high = high * factor;
        } else {
            const double span = std::max(high - low, 1e-9 + std::abs(high) * 0.05);
            made.low = axis.fromZero ? std::min(0.0, low) - room / 2 * span : std::max(least, low - room * span);
            made.high = std::min(most, high + room * span);
        }
        made.low = axis.low.value_or(made.low), made.high = axis.high.value_or(made.high);
        if (!(made.high > made.low))
            made.high = made.low + 1;
        return made;
    }
};

}

#include "core/lab/power_law.h"

#include <cmath>

namespace attnscope {

std::optional<double> fitPower(const std::vector<PowerPoint>& points)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (const PowerPoint& point : points) {
        const double a = std::log(point.x), b = std::log(point.y);
        n += 1, x += a, y += b, xx += a * a, xy += a * b;
    }
    const double spread = n * xx - x * x;
    return n < 2 || spread <= 0 ? std::nullopt : std::optional((n * xy - x * y) / spread);
}

std::optional<double> breakEven(const std::vector<CostPair>& costs)
{
    std::optional<double> found;
    double before = 0, beforeLog = 0;
    for (const CostPair& cost : costs) {
        const double ratio = std::log(cost.ours / cost.theirs), log = std::log(cost.x);
        if (ratio >= 0)
            found.reset();
        else if (&cost == &costs.front())
            found = cost.x;
        else if (before >= 0)
            found = std::exp(beforeLog + (log - beforeLog) * before / (before - ratio));
        before = ratio, beforeLog = log;
    }
    return found;
}

}

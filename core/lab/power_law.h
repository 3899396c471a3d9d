#pragma once

#include <optional>
#include <vector>

namespace attnscope {

/// Both positive.
struct PowerPoint {
    double x = 0, y = 0;
};

/// p of y ∝ x^p, least squares over the logs; empty with fewer than two different x.
std::optional<double> fitPower(const std::vector<PowerPoint>& points);

/// Two positive costs at x.
struct CostPair {
    double x = 0, ours = 0, theirs = 0;
};

/// The x from which ours stays below theirs, x ascending: interpolated linearly in the logs, or the first one if it is below everywhere.
/// Empty: it is not below at the end.
std::optional<double> breakEven(const std::vector<CostPair>& costs);

}

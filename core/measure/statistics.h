#pragma once

#include <vector>

namespace attnscope {

/// The p-quantile (0 … 1) with linear interpolation between order statistics; NaN for no values, and if one is NaN.
double quantile(std::vector<double> values, double p);

struct MeanAndStddev {
    double mean = 0;
    double stddev = 0;  ///< of the sample (n − 1); 0 for one value
};

MeanAndStddev meanAndStddev(const std::vector<double>& values);

}

#include "core/lab/exits/exit_outcome.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double normalQuantile = 1.959964;  // 95 %

}

double ExitOutcome::meanBlocks() const
{
    double sum = 0;
    for (size_t block = 1; block <= perBlock.size(); ++block)
        sum += double(block) * double(perBlock[block - 1]);
    return samples > 0 ? sum / double(samples) : 0;
}

Interval ExitOutcome::blocksInterval() const
{
    const double mean = meanBlocks(), last = double(perBlock.size());
    if (samples < 2)
        return {1, last};
    double squares = 0;
    for (size_t block = 1; block <= perBlock.size(); ++block) {
        const double off = double(block) - mean;
        squares += off * off * double(perBlock[block - 1]);
    }
    const auto count = double(samples);
    const double reach = normalQuantile * std::sqrt(squares / (count - 1) / count);
    return {std::max(1.0, mean - reach), std::min(last, mean + reach)};
}

double ExitOutcome::agreement() const
{
    return Proportion{samples, agreeing}.value();
}

}

#include "core/evaluate/feature_report.h"

#include "core/base/text.h"

#include <algorithm>
#include <cstdlib>

namespace attnscope {

namespace {

constexpr int64_t defaultK = 20;

}

std::string toText(const FeatureReadout& readout)
{
    return readout.k > 0 ? counted(readout.k, "nearest neighbour") : "linear probe";
}

std::vector<int64_t> defaultVoters(int64_t samples)
{
    std::vector<int64_t> counts;
    for (const int64_t k : {10, 20, 100, 200})
        if (k <= samples)
            counts.push_back(k);
    return counts.empty() ? std::vector{samples} : counts;
}

const FeatureEvaluation& FeatureReport::headline() const
{
    return *std::ranges::min_element(evaluations, {}, [](const FeatureEvaluation& one) {
        return one.readout.k > 0 ? 1 + std::abs(one.readout.k - defaultK) : 0;
    });
}

}

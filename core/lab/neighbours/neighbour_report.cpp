#include "core/lab/neighbours/neighbour_report.h"

#include <array>

namespace attnscope {

const char* toText(FeatureDistance distance)
{
    constexpr std::array names{"l2", "l2-squared", "cosine"};
    return names.at(size_t(distance));
}

double defaultTemperature(FeatureDistance distance)
{
    return distance == FeatureDistance::Cosine ? 0.07 : 1;
}

std::vector<int64_t> defaultNeighbourCounts(int64_t entries)
{
    std::vector<int64_t> counts;
    for (const int64_t k : {1, 5, 10, 20, 50, 100, 200})
        if (k < entries || k == 1)
            counts.push_back(k);
    return counts;
}

}

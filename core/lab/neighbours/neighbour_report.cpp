#include "core/lab/neighbours/neighbour_report.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <array>

namespace attnscope {

namespace {

struct NamedDistance {
    FeatureDistance distance;
    const char* name;
};
constexpr std::array distanceNames{NamedDistance{FeatureDistance::L2, "l2"},
                                   NamedDistance{FeatureDistance::L2Squared, "l2-squared"},
                                   NamedDistance{FeatureDistance::Cosine, "cosine"}};

}

const char* toText(FeatureDistance distance)
{
    return distanceNames[size_t(distance)].name;
}

FeatureDistance parseFeatureDistance(const std::string& name)
{
    for (const NamedDistance& one : distanceNames)
        if (name == one.name)
            return one.distance;
    throw UsageError(
        "distance", "`" + printable(name) + "` is unknown",
        "use " + joinWords(namesOf(std::vector<NamedDistance>(distanceNames.begin(), distanceNames.end()))));
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

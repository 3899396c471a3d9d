#include "models/network_differences.h"

#include "core/base/error.h"
#include "models/blocks/random_weights.h"
#include "models/weights/described_checkpoint.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// What is known without a network; random weights have no tensors.
DescribedCheckpoint described(const ModelRequest& request)
{
    if (untrainedSeed(request.weights))
        return {.description = describeModel(request)};
    return describeCheckpoint(request);
}

TensorDifference difference(const std::string& name, const NamedTensor& first, const NamedTensor& second)
{
    const std::vector<float> a = first.readFloat(), b = second.readFloat();
    double squares = 0, ofFirst = 0, largest = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const double change = double(b[i]) - double(a[i]);
        squares += change * change;
        ofFirst += double(a[i]) * double(a[i]);
        largest = std::max(largest, std::abs(change));
    }
    const double relative = squares == 0   ? 0
                            : ofFirst == 0 ? std::numeric_limits<double>::infinity()
                                           : std::sqrt(squares / ofFirst);
    return {name, first.shape(), relative, largest};
}

void addWeights(const NamedTensors& first, const NamedTensors& second, NetworkComparison& comparison)
{
    const auto inBoth = [](const NamedTensors& tensors, const auto& entry) {
        const auto same = tensors.find(entry.first);
        return same != tensors.end() && same->second.shape() == entry.second.shape();
    };
    for (const auto& entry : first)
        if (inBoth(second, entry))
            comparison.weights.push_back(difference(entry.first, entry.second, second.at(entry.first)));
        else
            comparison.onlyInFirst.push_back(entry.first);
    for (const auto& entry : second)
        if (!inBoth(first, entry))
            comparison.onlyInSecond.push_back(entry.first);
}

void addDescription(const Json& first, const Json& second, NetworkComparison& comparison)
{
    const auto textOf = [](const Json& json, const std::string& key) {
        return json.contains(key) ? json[key].dump() : std::string();
    };
    const auto add = [&](const std::string& key) {
        if (const std::string a = textOf(first, key), b = textOf(second, key); a != b)
            comparison.description.push_back({key, a, b});
    };
    for (const auto& [key, value] : first.items())
        add(key);
    for (const auto& [key, value] : second.items())
        if (!first.contains(key))
            add(key);
}

}

void addDifferences(const ModelRequest& first, const ModelRequest& second, NetworkComparison& comparison)
{
    const DescribedCheckpoint a = described(first), b = described(second);
    addWeights(a.tensors, b.tensors, comparison);
    addDescription(a.description->toJson(), b.description->toJson(), comparison);
}

}

#include "core/run/features/feature_agreement.h"

#include "core/measure/feature_similarity.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace attnscope {

namespace {

/// Rows of length 1, so that products are cosines: (N,C).
at::Tensor unitRows(const std::vector<const std::vector<float>*>& rows)
{
    at::Tensor matrix = at::empty({std::ssize(rows), std::ssize(*rows.front())}, at::kDouble);
    for (size_t i = 0; i < rows.size(); ++i)
        matrix[int64_t(i)].copy_(at::tensor(*rows[i], at::kDouble));
    return matrix / matrix.norm(2, -1, true).clamp_min(1e-12);
}

/// The other row with the largest product.
int64_t nearestOther(const at::Tensor& query, const at::Tensor& rows, int64_t own)
{
    at::Tensor products = at::mv(rows, query);
    products[own].fill_(-std::numeric_limits<double>::infinity());
    return products.argmax().item<int64_t>();
}

std::optional<double> sameNeighbours(const std::vector<const FeatureDrift*>& inputs)
{
    if (inputs.size() < 3)
        return {};
    std::vector<const std::vector<float>*> exact, own;
    for (const FeatureDrift* drift : inputs) {
        exact.push_back(&drift->exact);
        own.push_back(&drift->values);
    }
    const at::Tensor exactRows = unitRows(exact), ownRows = unitRows(own);
    int64_t same = 0;
    for (int64_t i = 0; i < exactRows.size(0); ++i)
        same += nearestOther(ownRows[i], exactRows, i) == nearestOther(exactRows[i], exactRows, i) ? 1 : 0;
    return double(same) / double(inputs.size());
}

}

std::vector<FeatureAgreement> featureAgreement(const std::vector<InputRecord>& inputs)
{
    std::vector<std::string> order;
    std::map<std::string, std::vector<const FeatureDrift*>> drifts;
    for (const InputRecord& input : inputs)
        for (const RunRecord& run : input.runs) {
            if (!run.featureDrift || !std::isfinite(run.featureDrift->cosine) || run.featureDrift->values.empty())
                continue;
            auto& own = drifts[run.attention];
            if (own.empty())
                order.push_back(run.attention);
            own.push_back(&*run.featureDrift);
        }
    std::vector<FeatureAgreement> agreements;
    for (const std::string& attention : order) {
        const auto& own = drifts[attention];
        if (own.size() < 2)
            continue;
        std::vector<double> cosines;
        std::ranges::transform(own, std::back_inserter(cosines),
                               [](const FeatureDrift* drift) { return drift->cosine; });
        agreements.push_back({attention, std::ssize(own), summarise(cosines), sameNeighbours(own)});
    }
    return agreements;
}

}

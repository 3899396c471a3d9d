#pragma once

#include "core/measure/principal_components.h"
#include "core/run/features/token_features.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnscope {

/// The features of the exact pass on one input, with which those of other attentions are compared.
struct ExactFeatures {
    TokenFeatures features;
    std::optional<PrincipalComponents> basis;  ///< of the patches, for colours; empty if there are none to show
};

/// `colours`: with the basis of the patches. None if the patches are not known or not finite.
ExactFeatures exactFeatures(TokenFeatures features, bool colours);

/// Compares the features of the passes of one attention with the exact ones, seed by seed. Batches of one element.
class FeatureDriftCollector {
public:
    /// `isElsewhere`: what is compared is of another network; widths that differ have no cosines then, and patches a CKA. Throws
    /// Unsupported if there is no feature of that kind.
    FeatureDriftCollector(const ExactFeatures& exact, FeatureKind kind, bool isElsewhere = false);

    /// The pass of one seed, the run's own first. `tokenCosines`: of each block, those of all its tokens.
    void add(const TokenFeatures& features, const std::vector<std::vector<double>>& tokenCosines);
    FeatureDrift result() const;

private:
    const ExactFeatures& m_exact;
    FeatureKind m_kind;
    bool m_isElsewhere;
    FeatureDrift m_sum;
    int64_t m_seeds = 0;
};

}

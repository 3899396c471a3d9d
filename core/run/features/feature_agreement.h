#pragma once

#include "core/measure/measurements.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What an attention does to the features of several inputs. Independent of torch.
namespace attnscope {

struct FeatureAgreement {
    std::string attention;
    int64_t inputs = 0;
    CosineSummary cosine;  ///< of each input's features with exact attention's
    /// Fraction of inputs whose nearest neighbour (largest cosine) among the exact features of the other inputs is that of their own exact
    /// features. Empty for fewer than three inputs: of two, each is the other's neighbour.
    std::optional<double> sameNeighbour;
};

/// One entry for each attention whose features were compared on at least two inputs, in the order of the runs. Features that are not
/// finite are left out. N²·C operations for N inputs.
std::vector<FeatureAgreement> featureAgreement(const std::vector<InputRecord>& inputs);

}

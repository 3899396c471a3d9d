#pragma once

#include "core/base/progress.h"
#include "core/evaluate/feature_report.h"
#include "core/lab/features/linear_probe.h"
#include "core/lab/neighbours/feature_index.h"
#include "core/store/store_records.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Nearest neighbours in labelled features, and a linear probe trained on them.
///
/// Neighbours: DINO's protocol (Caron et al., ICCV 2021). Of features of length 1 the k with the largest dot product s vote with
/// exp(s / 0.07) for their classes; of equal sums the smaller class number. The probe is a protocol of ours (core/lab/features/linear_probe.h).
class FeatureReadouts {
public:
    /// Throws UsageError for k beyond the features, Cancelled.
    FeatureReadouts(LabelledFeatures training, const FeatureReadoutRequest& request, const std::stop_token& stop);
    FeatureReadouts(const FeatureReadouts&) = delete;
    FeatureReadouts& operator=(const FeatureReadouts&) = delete;

    /// Neighbours by k, then the probe.
    const std::vector<FeatureReadout>& all() const { return m_readouts; }
    const std::optional<ProbeTraining>& probe() const { return m_trained; }

    /// features (Q,C) with their labels → for each readout, the prediction of each. Without a prediction (counts as wrong) where features
    /// are not finite. Throws Cancelled.
    std::vector<std::vector<SamplePrediction>> predict(const at::Tensor& features,
                                                       const std::vector<int64_t>& labels,
                                                       const std::stop_token& stop) const;

private:
    LabelledFeatures m_training;
    FeatureIndex m_index;
    std::vector<FeatureReadout> m_readouts;
    std::optional<LinearProbe> m_probe;
    std::optional<ProbeTraining> m_trained;
};

}

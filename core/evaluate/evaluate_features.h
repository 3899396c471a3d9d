#pragma once

#include "core/base/progress.h"
#include "core/evaluate/evaluate.h"
#include "core/evaluate/feature_report.h"
#include "core/lab/sample_batches.h"

#include <stop_token>

namespace attnscope {

/// A labelled set as it is evaluated, and the one whose features are trained on; both with the same classes.
struct FeatureSets {
    const LabelledSamples& training;
    /// Its batches are those of the store: `request.batch` samples each, from the first.
    const LabelledSamples& evaluated;
};

/// The accuracy of nearest neighbours and of a linear probe, for every attention. Both know the training features of exact attention alone:
/// what is lost is what the other attentions do to the features. Every input goes through an attention once. Each readout has an evaluation
/// of its own in the store, resumable like others: `settings` are what they have in common. The observer is told of the one
/// that `FeatureReport::headline` names.
///
/// Throws Unsupported if the network has no such features, UsageError, FileError if no training sample can be read, StoreError, Cancelled.
FeatureReport evaluateFeatures(const Classifier& network, const FeatureSets& sets,
                               const EvaluationSettings& settings, const EvaluationRequest& request,
                               const FeatureReadoutRequest& readouts, EvaluationObserver& observer,
                               const ProgressCallback& progress, std::stop_token stop);

}

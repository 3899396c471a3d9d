#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/lab/exits/exit_outcome.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

/// Early exits of a classifier: what it would predict behind each block, and what leaving there would save. After Elbayad et al., ICLR
/// 2020, §3. Independent of torch.
namespace attnscope {

class Classifier;
struct LabelledSamples;

struct ExitRequest {
    std::vector<AttentionSpec> attention{AttentionSpec::native()};
    uint64_t seed = 0;
    std::vector<double> thresholds;  ///< of the confidence, 0 to 1; empty: 0, 0.05 … 1
    /// Of the oracles, per block, at least 0; empty: 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.
    std::vector<double> penalties;
};

/// All samples under one setting: a number of blocks, a threshold or a penalty.
struct ExitPoint {
    double setting = 0;
    ExitOutcome outcome;
    double macs = 0;  ///< multiply-adds, mean over samples
};

/// One attention.
struct AttentionExits {
    std::string attention;  ///< canonical specification, as requested
    std::string resolved;   ///< what `native` resolved to; otherwise the same
    std::string backend;
    WeightsKind weights = WeightsKind::Untrained;
    double macs = 0;        ///< multiply-adds of the whole network, with one prediction
    int64_t notFinite = 0;  ///< samples with non-finite logits behind some block, which predict nothing there
    std::vector<ExitPoint> depth;  ///< every sample runs n = 1 … L blocks, and is predicted once
    /// A prediction behind every block, until one is more confident than the threshold.
    std::vector<ExitPoint> confidence;
    std::vector<ExitPoint> likelihood, correctness;  ///< the oracles, which know the label, and predict once
    std::vector<std::string> notes;
};

struct ExitReport {
    RunReport model;  ///< model, device and environment
    std::string folder;
    /// Those behind which an exit is, as observers name them ("block.0"); the last is the network's last.
    std::vector<std::string> blocks;
    bool trained = false;  ///< whether the exits have heads of their own, trained for them
    int64_t samples = 0;
    std::vector<AttentionExits> attention;  ///< in the order of the request, on the same samples
    std::vector<UnreadableInput> unreadable;
    std::vector<std::string> notes;
    bool complete = true;  ///< false: stopped before the last sample
};

/// A stop returns the figures of the samples so far. Throws Unsupported for a network whose head cannot read its blocks, or with two predictions; UsageError for an attention that does not
/// fit it, or numbers out of range; Cancelled before the first batch.
ExitReport measureExits(const Classifier& classifier, const LabelledSamples& samples, const ExitRequest& request,
                        const ProgressCallback& progress, std::stop_token stop);

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <stop_token>
#include <vector>

/// How often attentions are right on labelled inputs. Free of torch.
namespace attnscope {

class Classifier;

/// Inputs whose classes are known: labels[i] is that of sources[i], an index of the model's classes.
struct LabelledInputs {
    const std::vector<InputSource>& sources;
    const std::vector<std::int64_t>& labels;
};

struct CorrectPredictions {
    std::vector<std::int64_t> right;  ///< by attention, of `samples`
    std::int64_t samples = 0;         ///< that could be read and that every attention has answered
    std::vector<UnreadableInput> unreadable;
};

/// Each input is opened once and goes through all attentions; one view of a video. The first class of the first head counts.
/// Throws UsageError for an attention that the model cannot have, Cancelled.
CorrectPredictions countRight(const Classifier& classifier, const LabelledInputs& inputs,
                        const std::vector<AttentionSpec>& attention, std::uint64_t seed,
                        const ProgressCallback& progress, std::stop_token stop);

}  // namespace attnscope

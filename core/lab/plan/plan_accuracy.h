#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <stop_token>
#include <vector>

/// How often attentions predict labelled inputs correctly. Independent of torch.
namespace attnscope {

class Classifier;

/// Inputs with known classes: labels[i] is that of sources[i], an index of the model's classes.
struct LabelledInputs {
    const std::vector<InputSource>& sources;
    const std::vector<int64_t>& labels;
};

struct CorrectPredictions {
    std::vector<int64_t> right;  ///< number of correct predictions by attention, out of `samples`
    int64_t samples = 0;         ///< that could be read and that every attention has predicted
    std::vector<UnreadableInput> unreadable;
};

/// Each input is opened once and goes through all attentions; one view of a video. The first class of the first head counts. Throws
/// UsageError for an attention that does not fit the model, Cancelled.
CorrectPredictions countRight(const Classifier& classifier, const LabelledInputs& inputs,
                              const std::vector<AttentionSpec>& attention, uint64_t seed,
                              const ProgressCallback& progress, std::stop_token stop);

}

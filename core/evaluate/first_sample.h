#pragma once

#include "core/evaluate/evaluate.h"
#include "core/evaluate/sample_readers.h"
#include "core/run/run_record.h"

#include <optional>
#include <stop_token>

namespace attnscope {

/// Latency, memory and error of one input, measured like in `compare`, on the first readable sample (for a video its middle view). Empty if
/// none of the first 20 can be read.
std::optional<InputRecord> measureFirstSample(const Classifier& classifier, const EvaluationRequest& request,
                                              const ReadingRequest& reading, const std::stop_token& stop);

}

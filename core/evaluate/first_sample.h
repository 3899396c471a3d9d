// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/evaluate/evaluate.h"
#include "core/evaluate/sample_readers.h"
#include "core/run/run_record.h"

#include <optional>
#include <stop_token>

namespace attnscope {

/// Latency, memory and error of one input, as `compare` measures them, on the first sample that can be read (of a
/// video its view in the middle). Empty when none of the first 20 can be.
std::optional<InputRecord> measureFirstSample(const Classifier& classifier, const EvaluationRequest& request,
                                              const ReadingRequest& reading, const std::stop_token& stop);

}  // namespace attnscope

#pragma once

#include "core/run/attention_fraction.h"
#include "core/run/run_record.h"

#include <optional>
#include <string>

/// What people read of a run; figures are worded by core/base/format.h, as everywhere.
namespace attnscope::cli {

/// Model, weights, device and whatever else the figures below depend on.
std::string describeConditions(const RunReport& report, const std::optional<AttentionFraction>& fraction);
/// "197 tokens; attention is 8.0 % of the multiply-adds: replacing it makes a pass at most 1.09× as fast".
std::string describeFraction(const ModelSummary& model, const AttentionFraction& fraction);

/// The first classes of every attention on every input.
std::string describePredictions(const RunReport& report);

/// The measurements of every attention on every input, side by side.
std::string describeComparison(const RunReport& report);

}

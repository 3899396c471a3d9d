// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/run_record.h"

#include <string>

/// What people read of a run; figures are worded by core/base/format.h, as everywhere.
namespace attnscope::cli {

/// Model, weights, device and whatever else the figures below depend on.
std::string describeConditions(const RunReport& report);

/// The first classes of every attention on every input.
std::string describePredictions(const RunReport& report);

/// The measurements of every attention on every input, side by side.
std::string describeComparison(const RunReport& report);

}  // namespace attnscope::cli

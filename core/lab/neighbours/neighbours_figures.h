// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/lab/neighbours/neighbour_report.h"

namespace attnscope {

/// What a search found, with stable keys.
[[nodiscard]] Json toJson(const NeighbourReport& report);

/// Accuracy versus λ, one line for each k, with 95 % intervals.
[[nodiscard]] Chart mixChart(const NeighbourAccuracy& accuracy);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Sums, extremes and searches along axes.
[[nodiscard]] const OperatorTable& reductionOperators();

}  // namespace attnscope

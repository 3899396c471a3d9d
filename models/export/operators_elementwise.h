// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Arithmetic, comparisons and functions of single numbers.
[[nodiscard]] const OperatorTable& elementwiseOperators();

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Shapes, and choices of elements.
[[nodiscard]] const OperatorTable& shapeOperators();

}  // namespace attnscope

#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Arithmetic, comparisons and functions of single numbers.
const OperatorTable& elementwiseOperators();

}

#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Shapes, and choices of elements.
const OperatorTable& shapeOperators();

}

#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Products of matrices, and what networks are made of them with: softmax, norms, convolutions.
const OperatorTable& productOperators();

}

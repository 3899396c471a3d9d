#pragma once

#include "models/export/operator_call.h"

namespace attnscope {

/// Sums, extremes and searches along axes.
const OperatorTable& reductionOperators();

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model_family.h"

namespace attnscope {

/// Motionformer's entry in the table of families.
ModelFamily motionformerFamily();

}  // namespace attnscope

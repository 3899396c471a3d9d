// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model_family.h"

namespace attnscope {

/// The entry of DeiT and evit in the table of families.
ModelFamily vitFamily();

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/model_family.h"

namespace attnscope {

/// The entry of PVTv2 and its form with LARA in the table of families.
ModelFamily pvtFamily();

}  // namespace attnscope

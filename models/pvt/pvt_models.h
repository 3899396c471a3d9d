// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/named_description.h"
#include "models/pvt/pvt_description.h"

#include <vector>

namespace attnscope {

using NamedPvt = NamedDescription<PvtDescription>;

/// The named pyramids: timm's of PVTv2, and the LARA authors' forms (table 2 of their paper) of b1 to b5.
const std::vector<NamedPvt>& namedPvts();

}  // namespace attnscope

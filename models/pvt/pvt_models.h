// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/pvt/pvt_description.h"

#include <string>
#include <vector>

namespace attnscope {

struct NamedPvt {
    PvtDescription description;
    std::string title;
    std::string note;
};

/// The named pyramids: timm's of PVTv2, and the LARA authors' forms (table 2 of their paper) of b1 to b5.
const std::vector<NamedPvt>& namedPvts();

/// Only their descriptions, in the same order.
std::vector<PvtDescription> pvtModels();

/// Throws UsageError if there is none of that name.
const PvtDescription& namedPvt(const std::string& name);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// DINOv2 and DINOv3 of their own code.
[[nodiscard]] std::vector<VitLayout> dinoLayouts();

}  // namespace attnscope

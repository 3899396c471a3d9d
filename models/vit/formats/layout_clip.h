// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// OpenCLIP, OpenCLIP over timm, CLIP and SigLIP of the Transformers library.
[[nodiscard]] std::vector<VitLayout> clipLayouts();

}  // namespace attnscope

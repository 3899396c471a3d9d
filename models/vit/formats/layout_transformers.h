// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// ViT, DeiT, Dinov2, DINOv3ViT and BEiT of the Transformers library.
[[nodiscard]] std::vector<VitLayout> transformersLayouts();

}  // namespace attnscope

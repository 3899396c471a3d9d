#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// ViT, DeiT, Dinov2, DINOv3ViT and BEiT of the Transformers library.
std::vector<VitLayout> transformersLayouts();

}

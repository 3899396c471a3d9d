#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// DINOv2 and DINOv3 of their own code.
std::vector<VitLayout> dinoLayouts();

}

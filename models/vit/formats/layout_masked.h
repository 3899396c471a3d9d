#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// MAE, EVA-02 and BEiT of their own code.
std::vector<VitLayout> maskedLayouts();

}

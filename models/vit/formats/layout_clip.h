#pragma once

#include "models/vit/formats/translation.h"

#include <vector>

namespace attnscope {

/// OpenCLIP, OpenCLIP over timm, CLIP and SigLIP of the Transformers library.
std::vector<VitLayout> clipLayouts();

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/named_tensors.h"

#include <string>

namespace attnscope {

struct VitNaming {
    std::string name;      ///< "original" (timm's are the same), "Transformers library"
    NamedTensors tensors;  ///< under the names of DeiT's code; unknown ones unchanged
    bool joined = false;   ///< query, key and value were separate
};

/// Converts the names of a DeiT or evit to those of its code, from exports of the Transformers library
/// (`deit.encoder.layer.0.attention.attention.query.weight`) and from separate query, key and value (`blocks.0.attn.q_proj.weight`).
VitNaming vitNames(const StateDict& state);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/named_tensors.h"

#include <string>

namespace attnscope {

struct VitNaming {
    std::string name;      ///< "original" (timm's are the same), "Transformers library"
    NamedTensors tensors;  ///< under the names of DeiT's code; unknown ones as they are
    bool joined = false;   ///< query, key and value were apart
};

/// Brings the names of a DeiT or evit to those of its code: exports of the Transformers library
/// (`deit.encoder.layer.0.attention.attention.query.weight`), and query, key and value that are apart
/// (`blocks.0.attn.q_proj.weight`).
VitNaming vitNames(const StateDict& state);

}  // namespace attnscope

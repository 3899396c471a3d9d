// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/named_description.h"
#include "models/vit/vit_description.h"

#include <vector>

namespace attnscope {

using NamedVit = NamedDescription<VitDescription>;

/// The named vision transformers: timm's names for DeiT, and evit.
const std::vector<NamedVit>& namedVits();

}  // namespace attnscope

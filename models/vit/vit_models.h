// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit/vit_description.h"

#include <string>
#include <vector>

namespace attnscope {

struct NamedVit {
    VitDescription description;
    std::string title;
    std::string note;
};

/// The named vision transformers: timm's names for DeiT, and evit.
const std::vector<NamedVit>& namedVits();

/// Throws UsageError if there is none of that name.
const VitDescription& namedVit(const std::string& name);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/vit_description.h"

#include <optional>
#include <string>
#include <vector>

namespace attnscope {

struct NamedModel {
    VitDescription description;
    std::string title;
    std::string note;
};

/// Every model that has a name, in the order in which they are listed.
const std::vector<NamedModel>& namedModels();

/// Null when there is none of that name.
const NamedModel* findModel(const std::string& name);

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"

#include <string>
#include <vector>

namespace attnscope {

/// A description that has a name, and what the catalogue says of it.
template <typename Description>
struct NamedDescription {
    Description description;
    std::string title;
    std::string note;
};

/// Throws UsageError when there is none of that name.
template <typename Description>
const Description& descriptionNamed(const std::vector<NamedDescription<Description>>& models, const std::string& name)
{
    for (const NamedDescription<Description>& model : models)
        if (model.description.name == name)
            return model.description;
    throw UsageError("", "there is no model called `" + name + "`", "`attnscope-cli models` lists all");
}

}  // namespace attnscope

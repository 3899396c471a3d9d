#pragma once

#include "core/base/error.h"

#include <algorithm>
#include <string>

namespace attnscope::test {

/// Of the descriptions that a family lists, the one of that name.
template <typename Named>
const auto& descriptionNamed(const Named& models, const std::string& name)
{
    const auto found = std::find_if(models.begin(), models.end(),
                                    [&](const auto& model) { return model.description.name == name; });
    if (found == models.end())
        throw UsageError("", "there is no model called `" + name + "`");
    return found->description;
}

}

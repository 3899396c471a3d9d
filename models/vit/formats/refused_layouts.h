#pragma once

#include "models/weights/named_tensors.h"

#include <optional>
#include <string>

namespace attnscope {

/// A vision transformer, or a part of one, that is known and can't be run.
struct RefusedLayout {
    std::string what;     ///< what it is and what is missing
    std::string witness;  ///< the tensor that shows it
};

std::optional<RefusedLayout> refusedLayout(const NamedTensors& tensors);

}

#pragma once

#include "core/checkpoint/state_dict.h"

#include <string>
#include <vector>

namespace attnscope {

/// The network inside a checkpoint of a larger model: the tensors behind the beginning of names behind which there are a patch embedding
/// of images and a first block, without it.
struct Unwrapped {
    StateDict state;                   ///< all tensors, if there is no such beginning
    std::vector<std::string> ignored;  ///< what was left out, once per kind
    std::string problem, remedy;       ///< why no network could be chosen, else empty
};

/// `state.prefix` chooses among several; copies that follow the weights in training are not among them.
Unwrapped unwrapped(const StateDict& state);

}

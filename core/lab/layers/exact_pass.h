#pragma once

#include "core/lab/layers/inspection_memory.h"
#include "core/lab/opened_subject.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// What is kept of a layer in the exact pass.
struct ExactLayer {
    AttentionInput input;
    at::Tensor output;
};

/// The exact pass that is the reference of an attention: a network may have two kinds of keys.
struct ExactPass {
    PreparedAttention prepared;
    std::vector<ExactLayer> layers;
    /// outputs; like `logits` empty if nothing about the whole network is requested.
    std::vector<at::Tensor> blocks;
    at::Tensor logits;
};

using ExactPasses = std::map<std::string, ExactPass>;  ///< by the canonical exact attention

struct InspectionMemory::Contents {
    std::optional<OpenedSubject> subject;
    NetworkInput input;
    ExactPasses passes;
};

}

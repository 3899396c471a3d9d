// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "models/weights/named_tensors.h"

#include <string>
#include <vector>

/// Identifies a checkpoint by the names and shapes of its tensors and the values next to them. Independent of torch.
namespace attnscope {

struct CheckpointIdentity {
    std::string family;   ///< a name of modelFamilies(); empty if it belongs to none of them
    std::string title;    ///< "DeiT, distilled", "Swin Transformer"; empty if unknown
    std::string naming;   ///< naming scheme of the tensors: "original", "timm", "Transformers library"
    std::string reason;   ///< "it has `dist_token`, …"
    std::string model;    ///< the named model of these sizes; empty if there is none
    Json config = Json::object();        ///< the known keys of a model description
    std::vector<std::string> undecided;  ///< unknown keys: the number of heads can't be derived from tensors
    std::vector<std::string> notes;      ///< other information for the user
    std::vector<std::string> labels;     ///< class names stored in the file
    NamedTensors tensors;                ///< under the names of the family's original code

    /// A size for the description; undecided if it is 0.
    void put(const char* key, std::int64_t size);
};

/// The LARA authors' training script stores its arguments next to the weights: adds their `attn` and `attn_args`. False if there are none.
[[nodiscard]] bool takeStoredAttention(const StateDict& state, CheckpointIdentity& identity);

/// Uses the description in the header (our own checkpoints), else names and shapes. Never throws: a file of another family, or of an
/// unknown one, is reported as such.
[[nodiscard]] CheckpointIdentity identify(const StateDict& state);

/// The number of heads by the family's rule, as a suggestion for the user: 64 channels each for DeiT. 0: no rule.
[[nodiscard]] std::int64_t likelyHeads(const CheckpointIdentity& identity);

}  // namespace attnscope

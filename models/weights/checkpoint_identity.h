// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/json.h"
#include "models/weights/named_tensors.h"

#include <string>
#include <vector>

/// Free of torch: whose a checkpoint is, told by the names and shapes of its tensors and by what lies beside them.
namespace attnscope {

struct CheckpointIdentity {
    std::string family;   ///< a name of modelFamilies(); empty when it is of none of them
    std::string title;    ///< "DeiT, distilled", "Swin Transformer"; empty when nothing is known
    std::string naming;   ///< whose names the tensors have: "original", "timm", "Transformers library"
    std::string reason;   ///< "it has `dist_token`, …"
    std::string model;    ///< the named model of these sizes; empty when there is none
    Json config = Json::object();        ///< the keys of a model description that are decided
    std::vector<std::string> undecided;  ///< keys that are not: the number of heads is in no tensor
    std::vector<std::string> notes;      ///< what else a user should know
    std::vector<std::string> labels;     ///< class names that the file carries
    NamedTensors tensors;                ///< under the names of the family's original code

    /// A description can be made of it.
    bool decided() const { return !family.empty() && undecided.empty(); }
};

/// Goes by the description in the header (checkpoints of our own), else by names and shapes. Never throws: a file of another
/// family, or of none that is known, is told as such.
CheckpointIdentity identify(const StateDict& state);

/// The heads that a family's rule would give, as advice for the user: 64 channels each for DeiT. 0: no rule.
std::int64_t likelyHeads(const CheckpointIdentity& identity);

}  // namespace attnscope

#pragma once

#include "core/base/json.h"
#include "core/data/preprocess/input_size.h"
#include "models/blocks/image_preparation.h"
#include "models/weights/companion_files.h"
#include "models/weights/named_tensors.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// Identifies a checkpoint by the names and shapes of its tensors and the values next to them. Independent of torch.
namespace attnscope {

/// A key of a model description, and what showed its value: a tensor's name, a file next to the checkpoint, a model's name, or "default".
struct WitnessedKey {
    std::string key;
    Json value;
    std::string witness;
    bool seen = false;  ///< shown by the tensors themselves
};

struct CheckpointIdentity {
    std::string family;            ///< a name of modelFamilies(); empty if it belongs to none of them
    std::string title;             ///< "DeiT, distilled", "Swin Transformer"; empty if unknown
    std::string naming;            ///< naming scheme of the tensors: "original", "timm", "Transformers library"
    std::string reason;            ///< "it has `dist_token`, …"
    std::string model;             ///< the named model of these sizes; empty if there is none
    Json config = Json::object();  ///< the known keys of a model description
    std::vector<std::string> undecided;  ///< unknown keys: the number of heads can't be derived from tensors
    std::map<std::string, std::vector<std::string>> choices;  ///< likely values of undecided keys
    /// Every key of the description with its witness; empty if the family does not say.
    std::vector<WitnessedKey> switches;
    /// Tensors that the network does not use, once per kind: "`mask_token` (the mask token)".
    std::vector<std::string> ignored;
    std::vector<std::string> notes;        ///< other information for the user
    std::vector<std::string> labels;       ///< class names stored in the file
    InputSize input;                       ///< that the file next to it makes of images; its own: it does not say
    std::optional<ImagePreparation> timm;  ///< of timm for a network of these sizes, where `config` has another
    std::string problem, remedy;           ///< why no network could be chosen in the file; else empty
    NamedTensors tensors;                  ///< under the names of the family's original code

    /// A size for the description; undecided if it is 0.
    void put(const char* key, int64_t size);
};

/// The LARA authors' training script stores its arguments next to the weights: adds their `attn` and `attn_args`. False if there are none.
[[nodiscard]] bool takeStoredAttention(const StateDict& state, CheckpointIdentity& identity);

/// Uses the description in the header (our own checkpoints), else names and shapes. Never throws: a file of another family, or of an
/// unknown one, is reported as such.
CheckpointIdentity identify(const StateDict& state, const CompanionFiles& companions = {});

/// The number of heads by the family's rule, as a suggestion for the user: 64 channels each for DeiT. 0: no rule.
int64_t likelyHeads(const CheckpointIdentity& identity);

}

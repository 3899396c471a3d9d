#pragma once

#include "core/base/json.h"
#include "models/blocks/image_preparation.h"
#include "models/weights/named_tensors.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The names of a plain vision transformer's tensors in the codes that publish such networks. Independent of torch.
namespace attnscope {

/// A key of a model description that a layout alone shows.
struct LayoutHint {
    std::string key;
    Json value;
};

/// A checkpoint's tensors, on their way to the names that the network uses: timm's, with query, key and value in one matrix
/// (`blocks.0.attn.qkv.weight`), gate and value of a gated MLP in one (`mlp.fc1`), and layer scale as `ls1.gamma` and `ls2.gamma`.
struct Translation {
    std::string naming;  ///< whose names they were: "timm", "DINOv2", "Transformers library"
    NamedTensors tensors;
    /// Tensors that the network does not use, by what they are.
    std::map<std::string, std::vector<std::string>> passedOver;
    std::vector<LayoutHint> hints;
    std::vector<std::string> notes;
    /// Layer scale is stored as `gamma_1`: timm's eva.py and beit.py, and the code of DeiT III.
    bool gammas = false;
    std::string licence;  ///< that all published weights of this layout have, if it is not a free one

    std::optional<ImagePreparation> preparation;  ///< of the published weights of this layout

    std::string nameMark;  ///< part of all of timm's names for networks of this layout

    void passOver(const std::string& name, const std::string& what);
    /// Gives a tensor another name; the target must not exist.
    void rename(const std::string& from, const std::string& to);
    /// Passes over a tensor and returns it; empty if there is none.
    std::optional<NamedTensor> take(const std::string& name);
};

/// What becomes of a name: another one, or none because the network does not use the tensor.
struct Renamed {
    std::string name;
    std::string passedOver;  ///< what it is: "the mask token"
};

/// A code that names its tensors in its own way. Names that `rename` does not know stay, and are reported as unexpected.
struct VitLayout {
    const char* naming;
    bool (*fits)(const TensorIndex& index);
    std::optional<Renamed> (*rename)(std::string_view name) = nullptr;  ///< to timm's; empty: unknown
    void (*finish)(Translation& translation) = nullptr;                 ///< what is more than a name
};

/// What was passed over, once per kind: "24 tensors like `decoder_embed.bias` (the decoder of pretraining)".
std::vector<std::string> ignoredKinds(const Translation& translation);

/// Under the names that the network uses. Tensors that belong to no known layout keep their names.
Translation translated(const StateDict& state);

/// Joins what timm stores apart and gives layer scale one name: the second half of `translated`.
void joinTimmNames(Translation& translation);

/// With registers the class token's row of the positions is only ever added to the class token: timm keeps their sum.
void foldClassPosition(Translation& translation);

/// "3.rest" → "3", leaving "rest"; empty, and nothing taken, for any other text.
std::string_view takeNumber(std::string_view& text);

/// The first row whose beginning fits replaces it.
template <typename Table>
std::optional<std::string> replacedBeginning(std::string_view name, const Table& table)
{
    for (const auto& [from, to] : table)
        if (name.starts_with(from))
            return std::string(to) + std::string(name.substr(std::string_view(from).size()));
    return std::nullopt;
}

}

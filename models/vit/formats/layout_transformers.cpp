#include "models/vit/formats/layout_transformers.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attnscope {

namespace {

using LibraryNames = std::pair<std::string_view, std::string_view>;

constexpr std::array<std::string_view, 7> libraryPrefixes{
    "dinov2_with_registers.", "dinov2.", "dinov3_vit.", "beit.", "deit.", "vit.", "model."};

constexpr std::array<LibraryNames, 17> libraryOutside{
    {{"embeddings.cls_token", "cls_token"},
     {"embeddings.distillation_token", "dist_token"},
     {"embeddings.register_tokens", "reg_token"},
     {"embeddings.position_embeddings", "pos_embed"},
     {"embeddings.patch_embeddings.projection.", "patch_embed.proj."},
     {"embeddings.patch_embeddings.", "patch_embed.proj."},
     {"layernorm.", "norm."},
     {"norm.", "norm."},
     {"pooler.layernorm.", "fc_norm."},
     {"cls_classifier.", "head."},
     {"distillation_classifier.", "head_dist."},
     {"classifier.", "head."},
     {"blocks.", "blocks."},
     {"head.", "head."},
     {"cls_token", "cls_token"},
     {"pos_embed", "pos_embed"},
     {"patch_embed.", "patch_embed."}}};
constexpr std::array<LibraryNames, 30> libraryBlock{{
    {"attention.attention.query.", "attn.q_proj."},
    {"attention.attention.key.", "attn.k_proj."},
    {"attention.attention.value.", "attn.v_proj."},
    {"attention.attention.relative_position_bias.relative_position_bias_table",
     "attn.relative_position_bias_table"},
    {"attention.q_proj.", "attn.q_proj."},
    {"attention.k_proj.", "attn.k_proj."},
    {"attention.v_proj.", "attn.v_proj."},
    {"attention.o_proj.", "attn.proj."},
    {"attention.output.dense.", "attn.proj."},
    {"intermediate.dense.", "mlp.fc1."},
    {"output.dense.", "mlp.fc2."},
    {"layernorm_before.", "norm1."},
    {"layernorm_after.", "norm2."},
    {"norm1.", "norm1."},
    {"norm2.", "norm2."},
    {"lambda_1", "gamma_1"},
    {"lambda_2", "gamma_2"},
    {"layer_scale1.lambda1", "ls1.gamma"},
    {"layer_scale2.lambda1", "ls2.gamma"},
    {"mlp.weights_in.", "mlp.fc1."},
    {"mlp.weights_out.", "mlp.fc2."},
    {"mlp.fc1.", "mlp.fc1."},
    {"mlp.fc2.", "mlp.fc2."},
    {"mlp.gate_proj.", "mlp.fc1_g."},
    {"mlp.up_proj.", "mlp.fc1_x."},
    {"mlp.down_proj.", "mlp.fc2."},
    {"mlp.w12.", "mlp.fc1."},
    {"mlp.w3.", "mlp.fc2."},
    {"ls1.", "ls1."},
    {"ls2.", "ls2."},
}};

std::string_view withoutPrefix(std::string_view name)
{
    for (const std::string_view prefix : libraryPrefixes)
        if (takePrefix(name, prefix))
            break;
    return name;
}

/// What the network does not use, whatever the class that the file was saved from.
std::string usedByOthers(std::string_view name)
{
    if (name == "embeddings.mask_token")
        return "the mask token";
    if (name.starts_with("pooler.dense."))
        return "the pooler, which no classifier reads";
    if (name.starts_with("decoder"))
        return "the decoder of pretraining";
    if (name.ends_with("relative_position_index"))
        return "indices of the relative positions";
    return {};
}

std::optional<Renamed> fromLibrary(std::string_view whole)
{
    const std::string_view name = withoutPrefix(whole);
    if (std::string other = usedByOthers(name); !other.empty())
        return Renamed{{}, std::move(other)};
    std::string_view rest = name;
    if (takePrefix(rest, "encoder.layer.") || takePrefix(rest, "layer.")) {
        const std::string_view number = takeNumber(rest);
        const auto inner = replacedBeginning(rest, libraryBlock);
        return number.empty() || !inner
                   ? std::nullopt
                   : std::optional(Renamed{"blocks." + std::string(number) + "." + *inner, {}});
    }
    if (const auto outside = replacedBeginning(name, libraryOutside))
        return Renamed{*outside, {}};
    return std::nullopt;
}

/// Whether a name of the first layer is there, with the prefix of any class.
bool hasInLayer(const TensorIndex& index, const std::string& inner)
{
    const auto has = [&](const std::string& prefix) {
        return index.has(prefix + "encoder.layer.0." + inner) || index.has(prefix + "layer.0." + inner);
    };
    return has("") || std::ranges::any_of(libraryPrefixes, [&](std::string_view prefix) {
               return has(std::string(prefix));
           });
}

/// timm stores the layer scale of DINOv3 as its eva.py does, and a plain MLP of it is `up_proj` and `down_proj`.
void finishLibraryDinov3(Translation& translation)
{
    const NamedTensors tensors = translation.tensors;
    for (const auto& [name, tensor] : tensors) {
        const std::string stem = name.substr(0, name.find(".ls"));
        if (name.ends_with(".ls1.gamma") || name.ends_with(".ls2.gamma"))
            translation.rename(name, stem + ".gamma_" + name[stem.size() + 3]);
        if (const size_t at = name.find(".mlp.fc1_x."); at != std::string::npos) {
            const std::string block = name.substr(0, at);
            if (!tensors.contains(block + ".mlp.fc1_g.weight"))
                translation.rename(name, block + ".mlp.fc1." + name.substr(at + 11));
        }
    }
    translation.hints.push_back(
        {"rope", {{"type", "centred"}, {"temperature", 100.0}, {"half", true}, {"order", "ij"}}});
    translation.hints.push_back({"ln_eps", 1e-5});
    translation.licence = "dinov3-license";
    translation.nameMark = "_dinov3";
}

void finishLibraryDinov2(Translation& translation)
{
    foldClassPosition(translation);
    translation.nameMark = "_dinov2";
}

/// A DeiT without a head of its distillation token, which then is one more token that nothing reads.
void finishLibraryDeit(Translation& translation)
{
    if (!translation.tensors.contains("head.weight") || translation.tensors.contains("head_dist.weight")
        || !translation.tensors.contains("dist_token"))
        return;
    translation.rename("dist_token", "reg_token");
    translation.notes.emplace_back(
        "its classifier reads the class token alone: the distillation token counts as a register");
}

}

std::vector<VitLayout> transformersLayouts()
{
    return {
        {"Transformers library (DINOv3)",
         [](const TensorIndex& index) { return hasInLayer(index, "attention.q_proj.weight"); }, fromLibrary,
         finishLibraryDinov3},
        {"Transformers library (DINOv2)",
         [](const TensorIndex& index) { return hasInLayer(index, "layer_scale1.lambda1"); }, fromLibrary,
         finishLibraryDinov2},
        {"Transformers library (BEiT)", [](const TensorIndex& index) { return hasInLayer(index, "lambda_1"); },
         fromLibrary},
        {"Transformers library",
         [](const TensorIndex& index) { return hasInLayer(index, "attention.attention.query.weight"); },
         fromLibrary, finishLibraryDeit},
    };
}

}

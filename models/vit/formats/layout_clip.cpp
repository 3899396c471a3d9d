#include "models/vit/formats/layout_clip.h"

#include "core/base/text.h"

#include <array>
#include <utility>

namespace attnscope {

namespace {

using ClipNames = std::pair<std::string_view, std::string_view>;

constexpr std::array<ClipNames, 6> openClipOutside{{{"conv1.", "patch_embed.proj."},
                                                    {"class_embedding", "cls_token"},
                                                    {"positional_embedding", "pos_embed"},
                                                    {"ln_pre.", "norm_pre."},
                                                    {"ln_post.", "norm."},
                                                    {"proj", "head.weight"}}};
constexpr std::array<ClipNames, 8> openClipBlock{{{"ln_1.", "norm1."},
                                                  {"ln_2.", "norm2."},
                                                  {"attn.in_proj_", "attn.qkv."},
                                                  {"attn.out_proj.", "attn.proj."},
                                                  {"mlp.c_fc.", "mlp.fc1."},
                                                  {"mlp.c_proj.", "mlp.fc2."},
                                                  {"ls_1.", "ls1."},
                                                  {"ls_2.", "ls2."}}};
constexpr std::array<ClipNames, 12> towerOutside{{{"embeddings.class_embedding", "cls_token"},
                                                  {"embeddings.patch_embedding.", "patch_embed.proj."},
                                                  {"embeddings.position_embedding.weight", "pos_embed"},
                                                  {"pre_layrnorm.", "norm_pre."},
                                                  {"post_layernorm.", "norm."},
                                                  {"visual_projection.", "head."},
                                                  {"classifier.", "head."},
                                                  {"head.probe", "attn_pool.latent"},
                                                  {"head.attention.in_proj_", "attn_pool.in_proj_"},
                                                  {"head.attention.out_proj.", "attn_pool.proj."},
                                                  {"head.layernorm.", "attn_pool.norm."},
                                                  {"head.mlp.", "attn_pool.mlp."}}};
constexpr std::array<ClipNames, 7> towerBlock{{{"layer_norm1.", "norm1."},
                                               {"layer_norm2.", "norm2."},
                                               {"self_attn.q_proj.", "attn.q_proj."},
                                               {"self_attn.k_proj.", "attn.k_proj."},
                                               {"self_attn.v_proj.", "attn.v_proj."},
                                               {"self_attn.out_proj.", "attn.proj."},
                                               {"mlp.", "mlp."}}};

constexpr const char* textTower = "the text tower";

std::optional<Renamed> ofBlock(std::string_view rest, const auto& table)
{
    const std::string_view number = takeNumber(rest);
    if (number.empty())
        return std::nullopt;
    if (const auto inner = replacedBeginning(rest, table))
        return Renamed{"blocks." + std::string(number) + "." + *inner, {}};
    return std::nullopt;
}

std::optional<Renamed> known(std::optional<std::string> name)
{
    return name ? std::optional(Renamed{*name, {}}) : std::nullopt;
}

std::optional<Renamed> fromOpenClip(std::string_view name)
{
    if (!takePrefix(name, "visual."))
        return Renamed{{}, textTower};
    if (std::string_view rest = name; takePrefix(rest, "transformer.resblocks."))
        return ofBlock(rest, openClipBlock);
    return known(replacedBeginning(name, openClipOutside));
}

std::optional<Renamed> fromTrunk(std::string_view name)
{
    if (!takePrefix(name, "visual."))
        return Renamed{{}, textTower};
    if (takePrefix(name, "trunk."))
        return Renamed{std::string(name), {}};
    if (takePrefix(name, "head.proj."))
        return Renamed{"head." + std::string(name), {}};
    return std::nullopt;
}

std::optional<Renamed> fromTower(std::string_view name)
{
    for (const char* begins : {"text_model.", "text_projection.", "logit_scale", "logit_bias"})
        if (name.starts_with(begins))
            return Renamed{{}, textTower};
    takePrefix(name, "vision_model.");
    if (name == "embeddings.position_ids")
        return Renamed{{}, "numbers of the positions"};
    if (std::string_view rest = name; takePrefix(rest, "encoder.layers."))
        return ofBlock(rest, towerBlock);
    return known(replacedBeginning(name, towerOutside));
}

void giveAxes(Translation& translation)
{
    for (const char* name : {"cls_token", "pos_embed"})
        if (const auto found = translation.tensors.find(name); found != translation.tensors.end())
            for (StoredTensor& part : found->second.parts)
                part = withAxes(std::move(part), 3);
}

/// A projection without bias is a head whose bias is zero.
void addZeroBias(Translation& translation)
{
    const auto head = translation.tensors.find("head.weight");
    if (head != translation.tensors.end() && head->second.shape().size() == 2
        && !translation.tensors.contains("head.bias"))
        translation.tensors["head.bias"] = {{zeroTensor({head->second.shape().front()})}, {"zeros"}};
}

/// The library's classifiers read the mean of the patches, not what the tower pools; CLIP's reads it before the last norm.
void finishClassifier(Translation& translation, const std::vector<std::string>& unread)
{
    const auto head = translation.tensors.find("head.weight");
    if (head == translation.tensors.end() || head->second.sources.front() != "classifier.weight")
        return;
    const NamedTensors all = translation.tensors;
    for (const auto& [name, tensor] : all)
        for (const std::string& begins : unread)
            if (name.starts_with(begins))
                translation.passOver(name, "the pooling, which no classifier reads");
    translation.hints.push_back({"pool", "avg"});
}

void finishOpenClip(Translation& translation)
{
    giveAxes(translation);
    if (const auto head = translation.tensors.find("head.weight"); head != translation.tensors.end())
        for (StoredTensor& part : head->second.parts)
            if (part.shape.size() == 2)
                part = transposed(part);
    addZeroBias(translation);
    translation.hints.push_back({"ln_eps", 1e-5});
}

void finishClip(Translation& translation)
{
    giveAxes(translation);
    finishClassifier(translation, {"norm."});
    addZeroBias(translation);
    translation.hints.push_back({"ln_eps", 1e-5});
}

/// Query, key and value of the pooling in one tensor: query alone, key and value together in timm.
void finishSiglip(Translation& translation)
{
    giveAxes(translation);
    for (const std::string kind : {"weight", "bias"})
        if (const auto whole = translation.take("attn_pool.in_proj_" + kind)) {
            const int64_t width = whole->shape().empty() ? 0 : whole->shape().front() / 3;
            translation.tensors["attn_pool.q." + kind] = rowsOf(*whole, 0, width);
            translation.tensors["attn_pool.kv." + kind] = rowsOf(*whole, width, 3 * width);
        }
    finishClassifier(translation, {"attn_pool."});
    translation.hints.push_back({"act", "gelu_tanh"});
    translation.hints.push_back({"ln_eps", 1e-6});
    translation.notes.emplace_back(
        "the Transformers library runs SigLIP with the tanh form of GELU, and so is it here; timm's names for the "
        "first SigLIP use the exact form");
}

constexpr std::array<ClipNames, 5> torchvisionOutside{{{"conv_proj.", "patch_embed.proj."},
                                                       {"class_token", "cls_token"},
                                                       {"encoder.pos_embedding", "pos_embed"},
                                                       {"encoder.ln.", "norm."},
                                                       {"heads.head.", "head."}}};
constexpr std::array<ClipNames, 8> torchvisionBlock{{{"ln_1.", "norm1."},
                                                     {"ln_2.", "norm2."},
                                                     {"self_attention.in_proj_", "attn.qkv."},
                                                     {"self_attention.out_proj.", "attn.proj."},
                                                     {"mlp.linear_1.", "mlp.fc1."},
                                                     {"mlp.linear_2.", "mlp.fc2."},
                                                     {"mlp.0.", "mlp.fc1."},
                                                     {"mlp.3.", "mlp.fc2."}}};

std::optional<Renamed> fromTorchvision(std::string_view name)
{
    if (takePrefix(name, "encoder.layers.encoder_layer_"))
        return ofBlock(name, torchvisionBlock);
    return known(replacedBeginning(name, torchvisionOutside));
}

/// Its class has one form of everything but the sizes, and its first weights were tested at 256 for 224, bilinear.
void finishTorchvision(Translation& translation)
{
    for (const LayoutHint& hint :
         {LayoutHint{"ln_eps", 1e-6}, {"act", "gelu_erf"}, {"rope", nullptr}, {"block", "pre"}, {"pool", "token"}})
        translation.hints.push_back(hint);
    translation.preparation = ImagePreparation{.filter = ResizeFilter::Bilinear};
    translation.notes.emplace_back(
        "images are prepared as for torchvision's first weights: a short side of 256 for 224, bilinear");
}

}

std::vector<VitLayout> clipLayouts()
{
    return {
        {"OpenCLIP over timm", [](const TensorIndex& index) { return index.begins("visual.trunk."); }, fromTrunk,
         addZeroBias},
        {"OpenCLIP", [](const TensorIndex& index) { return index.has("visual.conv1.weight"); }, fromOpenClip,
         finishOpenClip},
        {"Transformers library (CLIP)",
         [](const TensorIndex& index) {
             return index.begins("vision_model.pre_layrnorm.") || index.begins("pre_layrnorm.");
         },
         fromTower, finishClip},
        {"Transformers library (SigLIP)",
         [](const TensorIndex& index) {
             return index.has("vision_model.head.probe") || index.has("head.probe")
                    || index.begins("vision_model.embeddings.patch_embedding.");
         },
         fromTower, finishSiglip},
        {"torchvision", [](const TensorIndex& index) { return index.begins("encoder.layers.encoder_layer_0."); },
         fromTorchvision, finishTorchvision},
    };
}

}

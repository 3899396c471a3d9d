// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_recogniser.h"

#include "models/vit/vit_names.h"
#include "models/weights/tensor_index.h"

#include <cmath>

namespace attnscope {

namespace {

/// What the names alone reveal; the reason quotes them.
bool nameFamily(const TensorIndex& index, const VitNaming& naming, CheckpointIdentity& identity)
{
    if (!index.begins("blocks.0.attn.qkv.") || !index.begins("patch_embed.proj."))
        return false;
    const bool evit = index.begins("norm_before_pooling.");
    const bool distilled = index.has("dist_token");
    if (!evit && !index.has("cls_token"))
        return false;
    identity.family = evit ? "evit" : "deit";
    identity.title = evit ? "evit, the LARA authors' DeiT without class token" : distilled ? "DeiT, distilled" : "DeiT";
    identity.naming = naming.name;
    identity.reason = evit ? "it has `norm_before_pooling` and no class token"
                           : std::string("it has `cls_token`") + (distilled ? ", `dist_token`" : "")
                                 + " and `blocks.0.attn.qkv.weight`"
                                 + (naming.name == "original" ? "" : " after its names are translated");
    if (!evit)
        identity.config["distilled"] = distilled;
    return true;
}

/// Layers that change the network while the other names stay the same: it must not be run as a DeiT.
std::string foreignPart(const TensorIndex& index)
{
    if (index.begins("blocks.0.ls1.") || index.begins("blocks.0.gamma_1"))
        return "layer scale (`" + std::string(index.begins("blocks.0.ls1.") ? "ls1" : "gamma_1") + "`), as DeiT III and BEiT have it";
    if (index.begins("blocks.0.attn.relative_position_bias_table") || index.begins("rel_pos_bias"))
        return "relative position biases, as BEiT has them";
    if (index.begins("reg_token") || index.begins("register_tokens"))
        return "register tokens, as DINOv2 has them";
    if (index.begins("patch_embed_3d.") || index.begins("temp_embed") || index.begins("time_embed"))
        return "a time embedding";
    return {};
}

void readVitSizes(const TensorIndex& index, Json& config, std::vector<std::string>& undecided)
{
    const std::int64_t width = index.size("patch_embed.proj.weight", 0), patch = index.size("patch_embed.proj.weight", 3);
    const auto put = [&](const char* key, std::int64_t value) {
        if (value > 0)
            config[key] = value;
        else
            undecided.emplace_back(key);
    };
    put("patch_size", patch);
    put("embed_dim", width);
    put("depth", index.count("blocks."));
    put("num_classes", index.size("head.weight", 0));
    if (const std::int64_t hidden = index.size("blocks.0.mlp.fc1.weight", 0); hidden > 0 && width > 0)
        config["mlp_ratio"] = static_cast<double>(hidden) / static_cast<double>(width);
    config["qkv_bias"] = index.has("blocks.0.attn.qkv.bias");
}

void readImageSize(const TensorIndex& index, CheckpointIdentity& identity)
{
    const auto position = index.shape("pos_embed");
    const std::int64_t patch = identity.config.value("patch_size", std::int64_t{0});
    const std::int64_t prefix = identity.family == "evit" ? 0 : identity.config["distilled"].get<bool>() ? 2 : 1;
    if (position.size() == 4 && prefix == 0) {
        identity.config["img_size"] = {position[1] * patch, position[2] * patch};
        return;
    }
    const std::int64_t tokens = position.size() == 3 ? position[1] - prefix : 0;
    const auto side = static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(std::max<std::int64_t>(tokens, 0)))));
    if (side > 0 && side * side == tokens && side <= 16384 && patch > 0)
        identity.config["img_size"] = {side * patch, side * patch};
    else
        identity.undecided.emplace_back("img_size");
}

/// The LARA authors' training script stores its arguments next to the weights.
void readArguments(const StateDict& state, const TensorIndex& index, CheckpointIdentity& identity)
{
    const Json args = state.metadata.is_object() ? state.metadata.value("args", Json()) : Json();
    const Json name = args.is_object() ? args.value("attn_name", Json()) : Json();
    if (name.is_string() && identity.family == "evit") {
        identity.config["attn"] = name;
        Json attention = args.value("attn_args", Json::object());
        if (attention.is_object())
            attention.erase("__class__");
        identity.config["attn_args"] = std::move(attention);
        return;
    }
    if (index.begins("blocks.0.attn.q_bar_gen.") || index.begins("blocks.0.attn.eval_proj"))
        identity.undecided.emplace_back("attention");
}

}  // namespace

std::optional<CheckpointIdentity> recogniseVit(const StateDict& state)
{
    VitNaming naming = vitNames(state);
    const TensorIndex index(naming.tensors);
    CheckpointIdentity identity;
    if (!nameFamily(index, naming, identity))
        return std::nullopt;
    if (const std::string part = foreignPart(index); !part.empty()) {
        identity.family.clear();
        identity.title = "a vision transformer with " + part;
        identity.tensors = std::move(naming.tensors);
        return identity;
    }
    identity.config["family"] = identity.family;
    readVitSizes(index, identity.config, identity.undecided);
    readImageSize(index, identity);
    readArguments(state, index, identity);
    identity.undecided.emplace_back("num_heads");
    if (naming.joined)
        identity.notes.emplace_back("separate query, key and value weights have been joined");
    if (naming.name == "Transformers library")
        identity.notes.emplace_back("the Transformers library runs it with a layer-norm eps of 1e-12; here it is 1e-6, as in DeiT's code");
    identity.tensors = std::move(naming.tensors);
    return identity;
}

}  // namespace attnscope

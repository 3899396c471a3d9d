#include "models/vit/vit_models.h"

#include "core/base/text.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/vit/formats/translation.h"
#include "models/weights/named_tensors.h"

#include <cmath>
#include <string>
#include <utility>

namespace attnscope {

namespace {

/// What the names alone reveal; the reason quotes them.
bool nameFamily(const TensorIndex& index, const std::string& naming, CheckpointIdentity& identity)
{
    if (!index.has("blocks.0.attn.qkv.weight") || !index.begins("patch_embed.proj."))
        return false;
    const bool evit = index.begins("norm_before_pooling.");
    const bool distilled = index.has("dist_token");
    if (!evit && !index.has("cls_token"))
        return false;
    identity.family = evit ? "evit" : "deit";
    identity.title = evit        ? "evit, the LARA authors' DeiT without class token"
                     : distilled ? "DeiT, distilled"
                                 : "DeiT";
    identity.naming = naming == "timm" ? "original" : naming;  // DeiT's code has timm's names
    identity.reason = evit ? "it has `norm_before_pooling` and no class token"
                           : std::string("it has `cls_token`") + (distilled ? ", `dist_token`" : "")
                                 + " and `blocks.0.attn.qkv.weight`"
                                 + (naming == "timm" ? "" : " after its names are translated");
    if (!evit)
        identity.config["distilled"] = distilled;
    return true;
}

void readVitSizes(const TensorIndex& index, CheckpointIdentity& identity)
{
    const int64_t width = index.size("patch_embed.proj.weight", 0),
                  patch = index.size("patch_embed.proj.weight", 3);
    identity.put("patch_size", patch);
    identity.put("embed_dim", width);
    identity.put("depth", index.count("blocks."));
    identity.put("num_classes", index.size("head.weight", 0));
    if (const int64_t hidden = index.size("blocks.0.mlp.fc1.weight", 0); hidden > 0 && width > 0)
        identity.config["mlp_ratio"] = double(hidden) / double(width);
    identity.config["qkv_bias"] = index.has("blocks.0.attn.qkv.bias");
}

void readImageSize(const TensorIndex& index, CheckpointIdentity& identity)
{
    const auto position = index.shape("pos_embed");
    const int64_t patch = identity.config.value("patch_size", int64_t{0});
    const int64_t prefix = identity.family == "evit" ? 0 : identity.config["distilled"].get<bool>() ? 2 : 1;
    if (position.size() == 4 && prefix == 0) {
        identity.config["img_size"] = {position[1] * patch, position[2] * patch};
        return;
    }
    const int64_t tokens = position.size() == 3 ? position[1] - prefix : 0;
    const auto side = int64_t(std::llround(std::sqrt(double(std::max<int64_t>(tokens, 0)))));
    if (side > 0 && side * side == tokens && side <= 16384 && patch > 0)
        identity.config["img_size"] = {side * patch, side * patch};
    else
        identity.undecided.emplace_back("img_size");
}

void readArguments(const StateDict& state, const TensorIndex& index, CheckpointIdentity& identity)
{
    if (identity.family == "evit" && takeStoredAttention(state, identity))
        return;
    if (index.begins("blocks.0.attn.q_bar_gen.") || index.begins("blocks.0.attn.eval_proj"))
        identity.undecided.emplace_back("attention");
}

/// DeiT, of any size, and evit.
std::optional<CheckpointIdentity> recogniseDeit(const StateDict& state)
{
    Translation translation = translated(state);
    const TensorIndex index(translation.tensors);
    CheckpointIdentity identity;
    if (!nameFamily(index, translation.naming, identity))
        return std::nullopt;
    identity.config["family"] = identity.family;
    readVitSizes(index, identity);
    readImageSize(index, identity);
    readArguments(state, index, identity);
    identity.undecided.emplace_back("num_heads");
    identity.ignored = ignoredKinds(translation);
    identity.notes = std::move(translation.notes);
    if (translation.tensors.at("blocks.0.attn.qkv.weight").parts.size() > 1)
        identity.notes.emplace_back("separate query, key and value weights have been joined");
    if (translation.naming == "Transformers library")
        identity.notes.emplace_back(
            "the Transformers library runs it with a layer-norm eps of 1e-12; here it is 1e-6, as in DeiT's code");
    identity.tensors = std::move(translation.tensors);
    return identity;
}

}

std::optional<CheckpointIdentity> recogniseVit(const StateDict& state, const CompanionFiles& companions)
{
    auto plain = recognisePlainVit(state, companions);
    if (plain && plain->family != "deit")
        return plain;
    auto deit = recogniseDeit(state);
    if (deit && plain)
        deit->notes.insert(deit->notes.end(), plain->notes.begin(), plain->notes.end());
    if (!deit || !plain || !plain->config.contains("num_heads"))
        return deit;
    deit->config["num_heads"] = plain->config["num_heads"];
    std::erase(deit->undecided, "num_heads");
    if (deit->family == "deit" && !deit->config["distilled"].get<bool>())
        deit->notes.emplace_back("ViTs of timm have the same tensors, but other means and standard deviations: "
                                 "give their name with --model");
    return deit;
}

}

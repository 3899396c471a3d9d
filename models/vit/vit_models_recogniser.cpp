// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_models.h"

#include "core/base/text.h"
#include "models/vit/formats/recognise_plain_vit.h"
#include "models/weights/named_tensors.h"

#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace attnscope {

namespace {

struct VitNaming {
    std::string name;      ///< "original" (timm's are the same), "Transformers library"
    NamedTensors tensors;  ///< under the names of DeiT's code; unknown ones unchanged
    bool joined = false;   ///< query, key and value were separate
};

/// The target of a tensor: its name, and its part of a joint q, k, v, if any.
struct Target {
    std::string name;
    std::size_t part = 0;
    bool joined = false;
};

using Replacement = std::pair<std::string_view, std::string_view>;

constexpr std::array<Replacement, 4> embeddings{{{"cls_token", "cls_token"},
                                                 {"distillation_token", "dist_token"},
                                                 {"position_embeddings", "pos_embed"},
                                                 {"patch_embeddings.projection.", "patch_embed.proj."}}};
constexpr std::array<Replacement, 5> ofLayer{{{"attention.output.dense.", "attn.proj."},
                                              {"intermediate.dense.", "mlp.fc1."},
                                              {"output.dense.", "mlp.fc2."},
                                              {"layernorm_before.", "norm1."},
                                              {"layernorm_after.", "norm2."}}};
constexpr std::array<Replacement, 4> outside{{{"layernorm.", "norm."},
                                              {"cls_classifier.", "head."},
                                              {"distillation_classifier.", "head_dist."},
                                              {"classifier.", "head."}}};

template <std::size_t Count>
std::optional<std::string> replaced(std::string_view name, const std::array<Replacement, Count>& table)
{
    for (const auto& [from, to] : table)
        if (takePrefix(name, from))
            return std::string(to) + std::string(name);
    return std::nullopt;
}

/// "3.rest" → "3", leaving "rest".
std::string_view takeNumber(std::string_view& text)
{
    const std::size_t end = text.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos || text[end] != '.')
        return {};
    const std::string_view number = text.substr(0, end);
    text.remove_prefix(end + 1);
    return number;
}

/// `query.weight` → part 0 of `qkv.weight`, by the three names used in one code.
std::optional<Target> joinedPart(std::string_view rest, const std::array<std::string_view, 3>& words, const std::string& prefix)
{
    for (std::size_t part = 0; part < words.size(); ++part)
        if (takePrefix(rest, words[part]) && takePrefix(rest, "."))
            return Target{prefix + "qkv." + std::string(rest), part, true};
    return std::nullopt;
}

Target fromTransformers(const std::string& whole)
{
    std::string_view name = whole;
    if (!takePrefix(name, "deit."))
        takePrefix(name, "vit.");
    if (std::string_view rest = name; takePrefix(rest, "embeddings."))
        if (auto found = replaced(rest, embeddings))
            return {*found};
    if (std::string_view rest = name; takePrefix(rest, "encoder.layer.")) {
        const std::string_view number = takeNumber(rest);
        const std::string prefix = "blocks." + std::string(number) + ".";
        if (std::string_view inner = rest; !number.empty() && takePrefix(inner, "attention.attention."))
            if (auto part = joinedPart(inner, {"query", "key", "value"}, prefix + "attn."))
                return *part;
        if (auto found = replaced(rest, ofLayer); found && !number.empty())
            return {prefix + *found};
    }
    if (auto found = replaced(name, outside))
        return {*found};
    return {whole};
}

Target fromSplit(const std::string& whole)
{
    const std::size_t at = whole.find(".attn.");
    if (!whole.starts_with("blocks.") || at == std::string::npos)
        return {whole};
    const std::string prefix = whole.substr(0, at + 6);
    const std::string_view rest = std::string_view(whole).substr(at + 6);
    for (const auto& words : {std::array<std::string_view, 3>{"q", "k", "v"}, {"q_proj", "k_proj", "v_proj"},
                              {"to_q", "to_k", "to_v"}})
        if (auto part = joinedPart(rest, words, prefix))
            return *part;
    return {whole};
}

bool isTransformers(const StateDict& state)
{
    for (const auto& [name, tensor] : state.tensors) {
        std::string_view rest = name;
        if (!takePrefix(rest, "deit."))
            takePrefix(rest, "vit.");
        if (rest.starts_with("encoder.layer.0.attention.attention."))
            return true;
    }
    return false;
}

/// Joins all three parts or none: if one is missing, the others are unchanged and reported as unexpected.
NamedTensors assembled(const StateDict& state, Target (*target)(const std::string&), bool& joined)
{
    std::map<std::string, std::array<std::string, 3>> parts;
    NamedTensors tensors;
    const auto add = [&](const std::string& name, const std::string& source) {
        if (!tensors.emplace(name, NamedTensor{{state.tensors.at(source)}, {source}}).second)
            tensors[source] = {{state.tensors.at(source)}, {source}};  // two with the same name: the second keeps its own
    };
    for (const auto& [source, tensor] : state.tensors) {
        const Target to = target(source);
        if (to.joined)
            parts[to.name][to.part] = source;
        else
            add(to.name, source);
    }
    for (const auto& [name, sources] : parts) {
        const bool whole = !sources[0].empty() && !sources[1].empty() && !sources[2].empty() && !tensors.contains(name);
        joined = joined || whole;
        NamedTensor tensor;
        for (const std::string& source : sources) {
            if (!whole && !source.empty())
                add(source, source);
            if (whole) {
                tensor.parts.push_back(state.tensors.at(source));
                tensor.sources.push_back(source);
            }
        }
        if (whole)
            tensors[name] = std::move(tensor);
    }
    return tensors;
}

/// Converts the names of a DeiT or evit to those of its code, from exports of the Transformers library
/// (`deit.encoder.layer.0.attention.attention.query.weight`) and from separate query, key and value (`blocks.0.attn.q_proj.weight`).
VitNaming vitNames(const StateDict& state)
{
    VitNaming naming;
    const bool transformers = isTransformers(state);
    naming.name = transformers ? "Transformers library" : "original";
    naming.tensors = assembled(state, transformers ? fromTransformers : fromSplit, naming.joined);
    return naming;
}

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

void readVitSizes(const TensorIndex& index, CheckpointIdentity& identity)
{
    const std::int64_t width = index.size("patch_embed.proj.weight", 0), patch = index.size("patch_embed.proj.weight", 3);
    identity.put("patch_size", patch);
    identity.put("embed_dim", width);
    identity.put("depth", index.count("blocks."));
    identity.put("num_classes", index.size("head.weight", 0));
    if (const std::int64_t hidden = index.size("blocks.0.mlp.fc1.weight", 0); hidden > 0 && width > 0)
        identity.config["mlp_ratio"] = static_cast<double>(hidden) / static_cast<double>(width);
    identity.config["qkv_bias"] = index.has("blocks.0.attn.qkv.bias");
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
    VitNaming naming = vitNames(state);
    const TensorIndex index(naming.tensors);
    CheckpointIdentity identity;
    if (!nameFamily(index, naming, identity))
        return std::nullopt;
    identity.config["family"] = identity.family;
    readVitSizes(index, identity);
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

}  // namespace

std::optional<CheckpointIdentity> recogniseVit(const StateDict& state, const CompanionFiles& companions)
{
    auto plain = recognisePlainVit(state, companions);
    if (plain && plain->family != "deit")
        return plain;
    auto deit = recogniseDeit(state);
    if (!deit || !plain || !plain->config.contains("num_heads"))
        return deit;
    deit->config["num_heads"] = plain->config["num_heads"];
    std::erase(deit->undecided, "num_heads");
    if (deit->family == "deit" && !deit->config["distilled"].get<bool>())
        deit->notes.emplace_back("ViTs of timm have the same tensors, but other means and standard deviations: give their name with --model");
    return deit;
}

}  // namespace attnscope

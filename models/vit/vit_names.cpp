// SPDX-License-Identifier: Apache-2.0
#include "models/vit/vit_names.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace attnscope {

namespace {

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

bool takePrefix(std::string_view& text, std::string_view prefix)
{
    if (!text.starts_with(prefix))
        return false;
    text.remove_prefix(prefix.size());
    return true;
}

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

}  // namespace

VitNaming vitNames(const StateDict& state)
{
    VitNaming naming;
    const bool transformers = isTransformers(state);
    naming.name = transformers ? "Transformers library" : "original";
    naming.tensors = assembled(state, transformers ? fromTransformers : fromSplit, naming.joined);
    return naming;
}

}  // namespace attnscope

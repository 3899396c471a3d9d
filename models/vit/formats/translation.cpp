#include "models/vit/formats/translation.h"

#include "core/base/text.h"
#include "models/vit/formats/layout_clip.h"
#include "models/vit/formats/layout_dino.h"
#include "models/vit/formats/layout_masked.h"
#include "models/vit/formats/layout_transformers.h"

#include <algorithm>
#include <array>
#include <utility>

namespace attnscope {

namespace {

/// Where a part of a joined tensor goes.
struct Part {
    std::string name;
    size_t index = 0;
    size_t count = 0;
};

struct PartName {
    std::string_view ends;
    std::string_view to;
    size_t index, count;
};

constexpr std::array<PartName, 11> partNames{{{".attn.q_proj", ".attn.qkv", 0, 3},
                                              {".attn.k_proj", ".attn.qkv", 1, 3},
                                              {".attn.v_proj", ".attn.qkv", 2, 3},
                                              {".attn.to_q", ".attn.qkv", 0, 3},
                                              {".attn.to_k", ".attn.qkv", 1, 3},
                                              {".attn.to_v", ".attn.qkv", 2, 3},
                                              {".attn.q", ".attn.qkv", 0, 3},
                                              {".attn.k", ".attn.qkv", 1, 3},
                                              {".attn.v", ".attn.qkv", 2, 3},
                                              {".mlp.fc1_g", ".mlp.fc1", 0, 2},
                                              {".mlp.fc1_x", ".mlp.fc1", 1, 2}}};

std::optional<Part> partOf(std::string_view name)
{
    const size_t dot = name.rfind('.');
    const std::string_view layer = name.substr(0, dot),
                           kind = dot == std::string_view::npos ? "" : name.substr(dot);
    if (!name.starts_with("blocks.") || (kind != ".weight" && kind != ".bias"))
        return std::nullopt;
    for (const PartName& each : partNames)
        if (layer.ends_with(each.ends))
            return Part{std::string(layer.substr(0, layer.size() - each.ends.size())).append(each.to).append(kind),
                        each.index, each.count};
    return std::nullopt;
}

/// All parts or none: if one is missing, the others keep their names. Biases of query and value alone are `q_bias` and `v_bias`.
void joinParts(Translation& translation, const std::string& whole, const std::vector<std::string>& parts)
{
    NamedTensors& tensors = translation.tensors;
    const bool all = std::ranges::none_of(parts, [](const std::string& part) { return part.empty(); });
    if (tensors.contains(whole))
        return;
    if (!all) {
        constexpr std::string_view bias = "qkv.bias";
        if (whole.ends_with(bias) && !parts[0].empty() && parts[1].empty() && !parts[2].empty()) {
            const std::string prefix = whole.substr(0, whole.size() - bias.size());
            translation.rename(parts[0], prefix + "q_bias");
            translation.rename(parts[2], prefix + "v_bias");
        }
        return;
    }
    NamedTensor joined;
    for (const std::string& part : parts) {
        const NamedTensor& tensor = tensors.at(part);
        joined.parts.insert(joined.parts.end(), tensor.parts.begin(), tensor.parts.end());
        joined.sources.insert(joined.sources.end(), tensor.sources.begin(), tensor.sources.end());
        tensors.erase(part);
    }
    tensors[whole] = std::move(joined);
}

void renameGammas(Translation& translation)
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : translation.tensors)
        if (name.starts_with("blocks.") && (name.ends_with(".gamma_1") || name.ends_with(".gamma_2")))
            names.push_back(name);
    translation.gammas = !names.empty();
    for (const std::string& name : names)
        translation.rename(name, name.substr(0, name.size() - 7) + "ls" + name.back() + ".gamma");
}

const std::vector<VitLayout>& layouts()
{
    static const std::vector<VitLayout> all = [] {
        std::vector<VitLayout> list;
        for (const auto& some : {clipLayouts(), transformersLayouts(), dinoLayouts(), maskedLayouts()})
            list.insert(list.end(), some.begin(), some.end());
        return list;
    }();
    return all;
}

}

void Translation::passOver(const std::string& name, const std::string& what)
{
    const auto found = tensors.find(name);
    if (found == tensors.end())
        return;
    passedOver[what].push_back(found->second.sources.front());
    tensors.erase(found);
}

void Translation::rename(const std::string& from, const std::string& to)
{
    if (from == to || tensors.contains(to))
        return;
    if (auto node = tensors.extract(from)) {
        node.key() = to;
        tensors.insert(std::move(node));
    }
}

std::optional<NamedTensor> Translation::take(const std::string& name)
{
    if (auto node = tensors.extract(name))
        return std::move(node.mapped());
    return std::nullopt;
}

void foldClassPosition(Translation& translation)
{
    const auto cls = translation.tensors.find("cls_token"), position = translation.tensors.find("pos_embed");
    if (!translation.tensors.contains("reg_token") || cls == translation.tensors.end()
        || position == translation.tensors.end())
        return;
    StoredTensor& rows = position->second.parts.front();
    if (rows.shape.size() != 3 || rows.shape[1] < 2)
        return;
    cls->second.addends.push_back(sliceOf(rows, 1, 0, 1));
    rows = sliceOf(rows, 1, 1, rows.shape[1]);
}

std::string_view takeNumber(std::string_view& text)
{
    const size_t end = text.find_first_not_of("0123456789");
    if (end == 0 || end == std::string_view::npos || text[end] != '.')
        return {};
    const std::string_view number = text.substr(0, end);
    text.remove_prefix(end + 1);
    return number;
}

void joinTimmNames(Translation& translation)
{
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [name, tensor] : translation.tensors)
        if (const auto part = partOf(name)) {
            groups[part->name].resize(part->count);
            groups[part->name][part->index] = name;
        }
    for (const auto& [whole, parts] : groups)
        joinParts(translation, whole, parts);
    renameGammas(translation);
}

std::vector<std::string> ignoredKinds(const Translation& translation)
{
    std::vector<std::string> kinds;
    for (const auto& [what, names] : translation.passedOver)
        kinds.push_back((names.size() == 1
                             ? "`" + printable(names.front()) + "`"
                             : std::to_string(names.size()) + " tensors like `" + printable(names.front()) + "`")
                        + " (" + what + ")");
    return kinds;
}

Translation translated(const StateDict& state)
{
    Translation translation;
    translation.naming = "timm";
    NamedTensors raw = namedTensors(state);
    const TensorIndex index(raw);
    const auto& all = layouts();
    const auto layout = std::ranges::find_if(all, [&](const VitLayout& each) { return each.fits(index); });
    if (layout != all.end())
        translation.naming = layout->naming;
    for (auto& [name, tensor] : raw) {
        const auto renamed = layout != all.end() && layout->rename != nullptr ? layout->rename(name)
                                                                              : std::nullopt;
        if (renamed && !renamed->passedOver.empty())
            translation.passedOver[renamed->passedOver].push_back(tensor.sources.front());
        else if (const std::string to = renamed ? renamed->name : name; !translation.tensors.contains(to))
            translation.tensors[to] = tensor;
        else
            translation.tensors[name] = tensor;  // two with the same name: the second keeps its own
    }
    if (layout != all.end() && layout->finish != nullptr)
        layout->finish(translation);
    joinTimmNames(translation);
    return translation;
}

}

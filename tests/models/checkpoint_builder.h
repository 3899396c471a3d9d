#pragma once

#include "core/checkpoint/safetensors.h"
#include "models/vit/vit_models.h"
#include "tests/models/description_named.h"

#include <array>
#include <map>
#include <string>
#include <vector>

/// Checkpoints that tests make.
namespace attnscope::test {

using Entries = std::map<std::string, SafetensorsEntry>;

inline SafetensorsEntry zeros(std::vector<int64_t> shape)
{
    size_t bytes = 4;
    for (const auto size : shape)
        bytes *= size_t(size);
    return {ElementType::Float32, std::move(shape), std::vector<std::byte>(bytes)};
}

inline Entries entriesOf(const std::string& path)
{
    Entries entries;
    for (const auto& [name, stored] : readCheckpoint(path).tensors)
        entries[name] = {stored.type, stored.shape, stored.read()};
    return entries;
}

/// Zeros under every name and shape of a DeiT of the catalogue.
inline Entries namedCheckpoint(const std::string& name, int64_t classes)
{
    const VitDescription& d = descriptionNamed(namedVits(), name);
    Entries entries{{"cls_token", zeros({1, 1, d.width})},
                    {"pos_embed", zeros({1, d.tokens(), d.width})},
                    {"patch_embed.proj.weight", zeros({d.width, 3, d.patchSize, d.patchSize})},
                    {"head.weight", zeros({classes, d.width})},
                    {"head.bias", zeros({classes})}};
    if (d.distilled) {
        entries["dist_token"] = zeros({1, 1, d.width});
        entries["head_dist.weight"] = zeros({classes, d.width});
        entries["head_dist.bias"] = zeros({classes});
    }
    for (const char* each : {"norm.weight", "norm.bias", "patch_embed.proj.bias"})
        entries[each] = zeros({d.width});
    for (int64_t i = 0; i < d.depth; ++i) {
        const std::string b = "blocks." + std::to_string(i) + ".";
        entries[b + "attn.qkv.weight"] = zeros({3 * d.width, d.width});
        entries[b + "attn.qkv.bias"] = zeros({3 * d.width});
        entries[b + "attn.proj.weight"] = zeros({d.width, d.width});
        entries[b + "mlp.fc1.weight"] = zeros({4 * d.width, d.width});
        entries[b + "mlp.fc1.bias"] = zeros({4 * d.width});
        entries[b + "mlp.fc2.weight"] = zeros({d.width, 4 * d.width});
        for (const char* each :
             {"norm1.weight", "norm1.bias", "norm2.weight", "norm2.bias", "attn.proj.bias", "mlp.fc2.bias"})
            entries[b + each] = zeros({d.width});
    }
    return entries;
}

/// Replaces a tensor by its rows in as many equal parts as there are names.
inline void splitRows(Entries& entries, const std::string& name, const std::array<std::string, 3>& parts)
{
    const SafetensorsEntry whole = entries.extract(name).mapped();
    const size_t bytes = whole.bytes.size() / parts.size();
    for (size_t i = 0; i < parts.size(); ++i) {
        SafetensorsEntry part{whole.type, whole.shape, {}};
        part.shape.front() /= int64_t(parts.size());
        const auto begin = whole.bytes.begin() + ptrdiff_t(i * bytes);
        part.bytes.assign(begin, begin + ptrdiff_t(bytes));
        entries[parts[i]] = std::move(part);
    }
}

/// A DeiT's tensors as the Transformers library exports them.
inline Entries transformersNames(Entries entries)
{
    for (int i = 0; entries.contains("blocks." + std::to_string(i) + ".norm1.weight"); ++i)
        for (const std::string kind : {".weight", ".bias"}) {
            const std::string from = "blocks." + std::to_string(i) + ".",
                              to = "deit.encoder.layer." + std::to_string(i) + ".";
            const std::string attention = to + "attention.attention.";
            splitRows(entries, from + "attn.qkv" + kind,
                      {attention + "query" + kind, attention + "key" + kind, attention + "value" + kind});
            const std::pair<const char*, const char*> names[] = {{"attn.proj", "attention.output.dense"},
                                                                 {"mlp.fc1", "intermediate.dense"},
                                                                 {"mlp.fc2", "output.dense"},
                                                                 {"norm1", "layernorm_before"},
                                                                 {"norm2", "layernorm_after"}};
            for (const auto& [ours, theirs] : names)
                entries[to + theirs + kind] = entries.extract(from + ours + kind).mapped();
        }
    const std::pair<const char*, const char*> names[] = {
        {"cls_token", "deit.embeddings.cls_token"},
        {"pos_embed", "deit.embeddings.position_embeddings"},
        {"patch_embed.proj.weight", "deit.embeddings.patch_embeddings.projection.weight"},
        {"patch_embed.proj.bias", "deit.embeddings.patch_embeddings.projection.bias"},
        {"norm.weight", "deit.layernorm.weight"},
        {"norm.bias", "deit.layernorm.bias"},
        {"head.weight", "classifier.weight"},
        {"head.bias", "classifier.bias"}};
    for (const auto& [ours, theirs] : names)
        entries[theirs] = entries.extract(ours).mapped();
    return entries;
}

}

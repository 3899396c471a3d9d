#pragma once

#include "models/vit/formats/findings.h"
#include "models/vit/formats/plain_vits.h"
#include "models/weights/named_tensors.h"

#include <string>
#include <vector>

/// Checkpoints of zeros in the shapes of any of timm's plain vision transformers. Nothing of them is in memory.
namespace attnscope::test {

/// The description of a name with fewer blocks.
inline Json reducedDescription(const PlainVit& vit, int64_t depth)
{
    Json description = descriptionOf(vit);
    description["depth"] = depth;
    if (description.contains("kv_heads"))
        description.erase("kv_heads");  // the first blocks have as many as queries
    return description;
}

/// Every tensor of a network with this description, under the names that it uses.
class TensorMaker {
public:
    explicit TensorMaker(const Json& description)
        : m_d(description)
        , m_width(description.at("embed_dim").get<int64_t>())
        , m_heads(description.at("num_heads").get<int64_t>())
        , m_hidden(description.at("mlp_hidden").get<int64_t>())
    {}

    NamedTensors make()
    {
        const int64_t patch = m_d.at("patch_size").get<int64_t>(), c = m_width;
        linear("patch_embed.proj", {c, 3, patch, patch}, flag("patch_bias"));
        norm("patch_embed.norm", c, flag("patch_norm"));
        norm("norm_pre", c, flag("pre_norm"));
        const int64_t registers = value("reg_tokens").get<int64_t>();
        if (flag("class_token"))
            put("cls_token", {1, 1, c});
        if (flag("distilled"))
            put("dist_token", {1, 1, c});
        if (registers > 0)
            put("reg_token", {1, registers, c});
        const Json image = m_d.at("img_size");
        const int64_t rows = (image.is_array() ? image[0] : image).get<int64_t>() / patch;
        const int64_t columns = (image.is_array() ? image[1] : image).get<int64_t>() / patch;
        const int64_t prefix = (flag("class_token") ? 1 : 0) + (flag("distilled") ? 1 : 0) + registers;
        if (value("pos_embed") == Json("learned"))
            put("pos_embed", {1, rows * columns + (flag("pos_prefix") ? prefix : 0), c});
        m_table = (2 * rows - 1) * (2 * columns - 1) + 3;
        const Json rope = value("rope"), relative = value("rel_pos");
        if (rope.is_object() && rope.value("type", "") == "mixed")
            put("rope.freqs", {2, m_d.at("depth").get<int64_t>(), m_heads, c / m_heads / 2});
        if (relative.is_object() && relative.value("shared", false))
            relativeMlp("shared_rel_pos.", relative);
        for (int64_t i = 0; i < m_d.at("depth").get<int64_t>(); ++i)
            block("blocks." + std::to_string(i) + ".");
        end();
        return m_tensors;
    }

private:
    Json value(const char* key) const { return m_d.value(key, vitDefaults().at(key)); }
    bool flag(const char* key) const { return value(key) == Json(true); }

    void put(const std::string& name, std::vector<int64_t> shape)
    {
        m_tensors[name] = {{zeroTensor(std::move(shape))}, {name}};
    }

    void linear(const std::string& name, const std::vector<int64_t>& shape, bool bias)
    {
        put(name + ".weight", shape);
        if (bias)
            put(name + ".bias", {shape.front()});
    }

    void norm(const std::string& name, int64_t width, bool there)
    {
        if (!there)
            return;
        put(name + ".weight", {width});
        if (value("norm") == Json("layer"))
            put(name + ".bias", {width});
    }

    void relativeMlp(const std::string& name, const Json& relative)
    {
        const int64_t hidden = relative.at("hidden").get<int64_t>();
        linear(name + "mlp.fc1", {hidden, 2}, true);
        linear(name + "mlp.fc2", {m_heads, hidden}, true);
    }

    void insideAttention(const std::string& name)
    {
        const int64_t head = m_width / m_heads;
        norm(name + "q_norm", head, flag("qk_norm"));
        norm(name + "k_norm", head, flag("qk_norm"));
        if (flag("differential")) {
            for (const char* each : {"lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2"})
                put(name + each, {head / 2});
            put(name + "sub_norm.weight", {head});
        }
    }

    void attention(const std::string& name)
    {
        const int64_t c = m_width;
        linear(name + "qkv", {3 * c, c}, flag("qkv_bias"));
        if (value("qkv_bias") == Json("qv"))
            for (const char* each : {"q_bias", "v_bias"})
                put(name + each, {c});
        insideAttention(name);
        norm(name + "norm", c, flag("attn_norm"));
        linear(name + "proj", {c, c}, flag("proj_bias"));
        const Json relative = value("rel_pos");
        if (relative.is_object() && relative.value("type", "") == "table")
            put(name + "relative_position_bias_table", {m_table, m_heads});
        else if (relative.is_object() && !relative.value("shared", false))
            relativeMlp(name + "rel_pos.", relative);
    }

    void mlp(const std::string& name)
    {
        linear(name + "fc1", {value("mlp") == Json("glu") ? 2 * m_hidden : m_hidden, m_width}, flag("mlp_bias"));
        norm(name + "norm", m_hidden, flag("mlp_norm"));
        linear(name + "fc2", {m_width, m_hidden}, flag("mlp_bias"));
    }

    void block(const std::string& name)
    {
        const bool scaled = value("layer_scale") != Json("none"), both = value("layer_scale") == Json("both");
        const int64_t c = m_width;
        if (value("block") == Json("parallel")) {
            norm(name + "in_norm", c, true);
            linear(name + "in_proj", {m_hidden + 3 * c, c}, flag("qkv_bias"));
            if (!flag("qkv_bias"))
                put(name + "mlp_bias", {m_hidden});
            insideAttention(name);
            if (flag("fused_out"))
                linear(name + "out_proj", {c, c + m_hidden}, true);
            else {
                linear(name + "attn_out_proj", {c, c}, true);
                linear(name + "mlp_out_proj", {c, m_hidden}, true);
            }
            if (scaled)
                put(name + "ls.gamma", {c});
            return;
        }
        if (value("block") == Json("branches")) {
            for (const std::string j : {"0.", "1."}) {
                norm(name + "attns." + j + "norm", c, true);
                attention(name + "attns." + j + "attn.");
                norm(name + "ffns." + j + "norm", c, true);
                mlp(name + "ffns." + j + "mlp.");
                for (const char* kind : {"attns.", "ffns."})
                    if (scaled)
                        put(name + kind + j + "ls.gamma", {c});
            }
            return;
        }
        norm(name + "norm1", c, true);
        attention(name + "attn.");
        norm(name + "norm2", c, true);
        mlp(name + "mlp.");
        if (scaled)
            put(name + "ls1.gamma", {c});
        if (both)
            put(name + "ls2.gamma", {c});
    }

    void end()
    {
        const int64_t c = m_width, classes = m_d.at("num_classes").get<int64_t>();
        norm("norm", c, flag("final_norm"));
        norm("fc_norm", c, flag("fc_norm"));
        if (value("pool") == Json("map")) {
            const Json wide = value("map_hidden");
            const int64_t hidden = wide.is_null() ? m_hidden : wide.get<int64_t>();
            put("attn_pool.latent", {1, 1, c});
            linear("attn_pool.q", {c, c}, true);
            linear("attn_pool.kv", {2 * c, c}, true);
            linear("attn_pool.proj", {c, c}, true);
            norm("attn_pool.norm", c, true);
            linear("attn_pool.mlp.fc1", {hidden, c}, true);
            linear("attn_pool.mlp.fc2", {c, hidden}, true);
        }
        if (classes == 0)
            return;
        linear("head", {classes, c}, true);
        if (flag("distilled"))
            linear("head_dist", {classes, c}, true);
    }

    const Json m_d;
    const int64_t m_width, m_heads, m_hidden;
    int64_t m_table = 0;  ///< rows of a table of relative positions
    NamedTensors m_tensors;
};

inline NamedTensors canonicalTensors(const Json& description)
{
    return TensorMaker(description).make();
}

/// A file with these tensors. Parts of several keep their first.
inline StateDict stateOf(const NamedTensors& tensors)
{
    StateDict state;
    state.container = "safetensors";
    for (const auto& [name, tensor] : tensors)
        state.tensors[name] = tensor.parts.front();
    return state;
}

}

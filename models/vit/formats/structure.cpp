#include "models/vit/formats/structure.h"

#include <cmath>
#include <initializer_list>

namespace attnscope {

namespace {

std::string quoted(const std::string& name)
{
    return "`" + name + "`";
}

int64_t squareRoot(int64_t count)
{
    const auto side = int64_t(std::llround(std::sqrt(double(std::max<int64_t>(count, 0)))));
    return side > 0 && side * side == count ? side : 0;
}

class StructureReader {
public:
    StructureReader(const Translation& translation, std::pair<int64_t, int64_t> imageSize, Findings& findings)
        : m_index(translation.tensors)
        , m_imageSize(imageSize)
        , m_findings(findings)
    {}

    void read()
    {
        readSizes();
        readTokens();
        readBlock();
        readHeads();
        readEnd();
        readPositions();
    }

private:
    /// A flag that a tensor shows by being there or not.
    void flag(const char* key, const std::string& name, bool valueIfThere)
    {
        const bool there = m_index.has(name);
        m_findings.putSeen(key, there ? valueIfThere : !valueIfThere, (there ? "" : "no ") + quoted(name));
    }

    void size(const char* key, const std::string& name, size_t axis)
    {
        if (const int64_t found = m_index.size(name, axis); found > 0)
            m_findings.putSeen(key, found, "shape of " + quoted(name));
    }

    void readSizes()
    {
        size("embed_dim", "patch_embed.proj.weight", 0);
        size("patch_size", "patch_embed.proj.weight", 3);
        m_findings.putSeen("depth", m_index.count("blocks."), "the number of `blocks.`");
        const int64_t classes = m_index.size("head.weight", 0);
        m_findings.putSeen("num_classes", classes, classes > 0 ? "shape of `head.weight`" : "no `head.weight`");
        flag("patch_bias", "patch_embed.proj.bias", true);
        flag("patch_norm", "patch_embed.norm.weight", true);
        flag("pre_norm", "norm_pre.weight", true);
    }

    void readTokens()
    {
        flag("class_token", "cls_token", true);
        flag("distilled", "dist_token", true);
        const int64_t registers = m_index.size("reg_token", 1);
        m_findings.putSeen("reg_tokens", registers, registers > 0 ? "shape of `reg_token`" : "no `reg_token`");
    }

    void readBlock()
    {
        const std::string block = "blocks.0.";
        const bool parallel = m_index.has(block + "in_proj.weight"), branches = m_index.begins(block + "attns.0.");
        if (parallel)
            m_findings.putSeen("block", "parallel", quoted(block + "in_proj.weight"));
        if (branches) {
            m_findings.putSeen("block", "branches", quoted(block + "attns.0."));
            m_findings.putSeen("branches", m_index.count(block + "attns."), "the number of `blocks.0.attns.`");
        }
        m_attention = parallel ? block : branches ? block + "attns.0.attn." : block + "attn.";
        const std::string mlp = branches ? block + "ffns.0.mlp." : block + "mlp.";
        const std::string norm = parallel   ? block + "in_norm."
                                 : branches ? block + "attns.0.norm."
                                            : block + "norm1.";
        const bool rms = m_index.has(norm + "weight") && !m_index.has(norm + "bias");
        m_findings.putSeen("norm", rms ? "rms" : "layer", (rms ? "no " : "") + quoted(norm + "bias"));
        flag("qk_norm", m_attention + "q_norm.weight", true);
        flag("differential", m_attention + "sub_norm.weight", true);
        const std::string scale = branches   ? block + "attns.0.ls.gamma"
                                  : parallel ? block + "ls.gamma"
                                             : block + "ls1.gamma";
        readScale(scale, parallel || branches);
        if (parallel)
            return readParallel(block);
        readProjections(mlp);
    }

    void readScale(const std::string& name, bool one)
    {
        const bool second = one || m_index.has("blocks.0.ls2.gamma");
        const char* scale = !m_index.has(name) ? "none" : second ? "both" : "attn";
        m_findings.putSeen("layer_scale", scale, (m_index.has(name) ? "" : "no ") + quoted(name));
    }

    void readParallel(const std::string& block)
    {
        const int64_t width = m_findings.integer("embed_dim"), rows = m_index.size(block + "in_proj.weight", 0);
        m_findings.putSeen("mlp_hidden", rows - 3 * width, "shape of " + quoted(block + "in_proj.weight"));
        flag("qkv_bias", block + "in_proj.bias", true);
        flag("fused_out", block + "out_proj.weight", true);
        flag("proj_bias", block + (m_findings.flag("fused_out") ? "out_proj.bias" : "attn_out_proj.bias"), true);
        const bool biased = m_index.has(block + "mlp_bias") || m_index.has(block + "in_proj.bias");
        m_findings.putSeen("mlp_bias", biased, biased ? "a bias of `blocks.0.in_proj`" : "no `blocks.0.mlp_bias`");
    }

    void readProjections(const std::string& mlp)
    {
        const bool whole = m_index.has(m_attention + "qkv.bias"), parts = m_index.has(m_attention + "q_bias");
        m_findings.putSeen("qkv_bias",
                           whole   ? Json(true)
                           : parts ? Json("qv")
                                   : Json(false),
                           whole   ? quoted(m_attention + "qkv.bias")
                           : parts ? quoted(m_attention + "q_bias")
                                   : "no " + quoted(m_attention + "qkv.bias"));
        flag("attn_norm", m_attention + "norm.weight", true);
        flag("proj_bias", m_attention + "proj.bias", true);
        flag("mlp_norm", mlp + "norm.weight", true);
        flag("mlp_bias", mlp + "fc1.bias", true);
        const int64_t rows = m_index.size(mlp + "fc1.weight", 0), hidden = m_index.size(mlp + "fc2.weight", 1);
        m_findings.putSeen("mlp", hidden > 0 && rows == 2 * hidden ? "glu" : "plain",
                           "shapes of " + quoted(mlp + "fc1.weight") + " and `fc2`");
        size("mlp_hidden", mlp + "fc2.weight", 1);
    }

    /// Tensors with one entry for each head, or for each channel of a head.
    void readHeads()
    {
        const int64_t width = m_findings.integer("embed_dim");
        const auto perHead = [&](const std::string& name, size_t axis) {
            if (const int64_t channels = m_index.size(name, axis); channels > 0 && width % channels == 0)
                m_findings.putSeen("num_heads", width / channels, "shape of " + quoted(name));
        };
        perHead(m_attention + "q_norm.weight", 0);
        perHead(m_attention + "sub_norm.weight", 0);
        const std::string table = m_attention + "relative_position_bias_table";
        const std::string mlp = m_index.begins("shared_rel_pos.") ? "shared_rel_pos.mlp."
                                                                  : m_attention + "rel_pos.mlp.";
        size("num_heads", "rope.freqs", 2);
        size("num_heads", table, 1);
        size("num_heads", mlp + "fc2.weight", 0);
        if (m_index.has("rope.freqs"))
            m_findings.putSeen("rope", {{"type", "mixed"}, {"half", false}, {"order", "xy"}}, "`rope.freqs`");
        if (m_index.has(table))
            m_findings.putSeen("rel_pos", {{"type", "table"}, {"shared", false}}, quoted(table));
        else if (m_index.has(mlp + "fc1.weight"))
            m_findings.putSeen("rel_pos",
                               {{"type", "log_mlp"},
                                {"shared", mlp.starts_with("shared")},
                                {"hidden", m_index.size(mlp + "fc1.weight", 0)}},
                               quoted(mlp + "fc1.weight"));
        else
            m_findings.putSeen("rel_pos", nullptr,
                               "no " + quoted(table) + " and no " + quoted(mlp + "fc1.weight"));
    }

    void readEnd()
    {
        flag("final_norm", "norm.weight", true);
        flag("fc_norm", "fc_norm.weight", true);
        const int64_t width = m_findings.integer("embed_dim");
        if (m_index.has("attn_pool.latent")) {
            m_findings.putSeen("pool", "map", "`attn_pool.latent`");
            if (const int64_t hidden = m_index.size("attn_pool.mlp.fc1.weight", 0);
                hidden != m_findings.integer("mlp_hidden") && hidden > 0)
                m_findings.putSeen("map_hidden", hidden, "shape of `attn_pool.mlp.fc1.weight`");
        } else if (width > 0 && m_index.size("head.weight", 1) == 2 * width) {
            m_findings.putSeen("pool", "token_avg", "shape of `head.weight`: twice the width");
        }
    }

    void readPositions()
    {
        const auto shape = m_index.shape("pos_embed");
        const int64_t patch = m_findings.integer("patch_size");
        if (shape.size() != 3) {
            m_findings.putSeen("pos_embed", "none", "no `pos_embed`");
            return readTable(patch);
        }
        m_findings.putSeen("pos_embed", "learned", "`pos_embed`");
        const int64_t prefix = (m_findings.flag("class_token") ? 1 : 0) + (m_findings.flag("distilled") ? 1 : 0)
                               + m_findings.integer("reg_tokens");
        const auto& [height, width] = m_imageSize;
        const int64_t stated = patch > 0 ? (height / patch) * (width / patch) : 0;
        for (const bool withPrefix : {false, true}) {
            const int64_t patches = shape[1] - (withPrefix ? prefix : 0);
            if (patches == stated && patches > 0)
                return putGrid(height, width, withPrefix || prefix == 0,
                               "`pos_embed`, and the image size next to the file");
        }
        for (const bool withPrefix : {false, true})
            if (const int64_t side = squareRoot(shape[1] - (withPrefix ? prefix : 0)); side > 0)
                return putGrid(side * patch, side * patch, withPrefix || prefix == 0,
                               "rows of `pos_embed`, of a square");
    }

    void readTable(int64_t patch)
    {
        const int64_t rows = m_index.size(m_attention + "relative_position_bias_table", 0);
        const auto& [height, width] = m_imageSize;
        if (rows == 0 || patch == 0)
            return;
        if ((2 * (height / patch) - 1) * (2 * (width / patch) - 1) + 3 == rows)
            return putSize(height, width,
                           "rows of the table of relative positions, and the image size next to the file");
        if (const int64_t side = squareRoot(rows - 3); side % 2 == 1)
            putSize((side + 1) / 2 * patch, (side + 1) / 2 * patch,
                    "rows of the table of relative positions, of a square");
    }

    void putGrid(int64_t height, int64_t width, bool withPrefix, const std::string& witness)
    {
        m_findings.putSeen("pos_prefix", withPrefix, witness);
        putSize(height, width, witness);
    }

    void putSize(int64_t height, int64_t width, const std::string& witness)
    {
        m_findings.putSeen("img_size", height == width ? Json(height) : Json{height, width}, witness);
    }

    const TensorIndex m_index;
    const std::pair<int64_t, int64_t> m_imageSize;
    Findings& m_findings;
    std::string m_attention;  ///< where the attention of the first block is
};

}

bool isPlainVit(const TensorIndex& index)
{
    const auto kernel = index.shape("patch_embed.proj.weight");
    const bool block = index.has("blocks.0.attn.qkv.weight") || index.has("blocks.0.in_proj.weight")
                       || index.begins("blocks.0.attns.0.");
    return kernel.size() == 4 && kernel[0] > 0 && kernel[1] == 3 && kernel[2] == kernel[3] && block;
}

void readStructure(const Translation& translation, std::pair<int64_t, int64_t> imageSize, Findings& findings)
{
    StructureReader(translation, imageSize, findings).read();
}

void readKeyHeads(const Translation& translation, Findings& findings)
{
    const TensorIndex index(translation.tensors);
    const int64_t width = findings.integer("embed_dim"), heads = findings.integer("num_heads");
    if (heads <= 0 || width % heads != 0 || findings.text("block") == "parallel")
        return;
    Json list = Json::array();
    bool fewer = false;
    for (int64_t layer = 0; layer < findings.integer("depth"); ++layer) {
        const int64_t rows = index.size("blocks." + std::to_string(layer) + ".attn.qkv.weight", 0);
        const int64_t keys = (rows - width) / 2 / (width / heads);
        fewer = fewer || (rows > width && keys < heads);
        list.push_back(keys);
    }
    if (fewer)
        findings.putSeen("kv_heads", list, "shapes of `attn.qkv.weight`");
}

}

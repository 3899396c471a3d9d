#include "models/vit/formats/timm_config.h"

#include "core/base/text.h"
#include "models/blocks/stated_preparation.h"
#include "models/vit/formats/signature.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace attnscope {

namespace {

/// Arguments whose effect the tensors show.
constexpr std::array<std::string_view, 33> shownByTensors{"embed_dim",
                                                          "depth",
                                                          "mlp_ratio",
                                                          "num_classes",
                                                          "patch_size",
                                                          "class_token",
                                                          "reg_tokens",
                                                          "num_reg_tokens",
                                                          "no_embed_class",
                                                          "init_values",
                                                          "pre_norm",
                                                          "use_pre_transformer_norm",
                                                          "final_norm",
                                                          "use_post_transformer_norm",
                                                          "fc_norm",
                                                          "use_fc_norm",
                                                          "qkv_bias",
                                                          "qkv_fused",
                                                          "qk_norm",
                                                          "scale_attn_norm",
                                                          "scale_attn_inner",
                                                          "scale_mlp_norm",
                                                          "scale_mlp",
                                                          "proj_bias",
                                                          "swiglu_mlp",
                                                          "swiglu_align_to",
                                                          "attn_only_layer_scale",
                                                          "rel_pos_dim",
                                                          "use_abs_pos_emb",
                                                          "pos_embed",
                                                          "num_kv_heads",
                                                          "attn_pool_mlp_ratio",
                                                          "img_size"};
/// Arguments of training, and of sizes that we have anyway.
constexpr std::array<std::string_view, 5> withoutEffect{"dynamic_img_size", "dynamic_img_pad", "weight_init",
                                                        "fix_init", "strict_img_size"};

struct RopeArgument {
    std::string_view argument;
    const char* key;
};

constexpr std::array<RopeArgument, 5> ropeArguments{{{"rope_temperature", "temperature"},
                                                     {"rope_rotate_half", "half"},
                                                     {"rope_grid_indexing", "order"},
                                                     {"rope_grid_offset", "offset"},
                                                     {"ref_feat_shape", "ref_grid"}}};

const Json& partOf(const Json& config, const char* key)
{
    static const Json empty = Json::object();
    const auto found = config.find(key);
    return found != config.end() && found->is_object() ? *found : empty;
}

std::string textIn(const Json& config, const char* key)
{
    const auto found = config.find(key);
    return found != config.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::pair<int64_t, int64_t> sidesOf(const Json& value)
{
    const auto side = [](const Json& number) -> int64_t {
        constexpr double largest = 16384;
        const double pixels = number.is_number_integer() ? number.get<double>() : 0;
        return pixels >= 1 && pixels <= largest ? int64_t(pixels) : 0;
    };
    if (value.is_array() && value.size() >= 2)
        return {side(value[value.size() - 2]), side(value[value.size() - 1])};
    return {side(value), side(value)};
}

class TimmConfigReader {
public:
    TimmConfigReader(const Json& config, Findings& findings, ConfigReading& reading)
        : m_config(config)
        , m_arguments(partOf(config, "model_args"))
        , m_weights(config.contains("pretrained_cfg") ? partOf(config, "pretrained_cfg") : config)
        , m_findings(findings)
        , m_reading(reading)
    {}

    void read()
    {
        const std::string name =
            textIn(m_config, "architecture").substr(0, textIn(m_config, "architecture").find('.'));
        m_reading.vit = findPlainVit(name);
        if (m_reading.vit == nullptr || !m_reading.vit->runs()) {
            const std::string why = whyOutOfScope(name);
            m_reading.refusal = "its config.json names timm's `" + printable(name) + "`, "
                                + (why.empty() ? "which is not one of its plain vision transformers" : why);
            return;
        }
        for (const auto& [key, value] : m_arguments.items())
            readArgument(key, value);
        readPool();
        readRope();
        if (const std::string key = changedKey(); !key.empty())
            refuse("its config.json names " + name + ", whose `" + key + "` is "
                   + valueOf(*m_reading.vit, key).dump() + ", but the tensors show "
                   + printable(m_findings.value(key).dump().substr(0, 60)));
        for (const auto& [key, usual] : vitDefaults().items())
            if (key != "img_size" && key != "kv_heads" && !isUndecided(key))
                m_findings.put(key, valueOf(*m_reading.vit, key), "config.json: architecture " + name);
        readImageSize();
        readWeights();
    }

private:
    void refuse(const std::string& problem)
    {
        if (m_reading.refusal.empty())
            m_reading.refusal = problem;
    }

    bool isUndecided(const std::string& key) const
    {
        return std::ranges::find(m_reading.undecided, key) != m_reading.undecided.end();
    }

    void readArgument(const std::string& key, const Json& value)
    {
        const std::string witness = "config.json: " + key;
        const bool ofRope = key == "use_rot_pos_emb" || key == "rope_type"
                            || std::ranges::any_of(ropeArguments,
                                                   [&](const RopeArgument& each) { return key == each.argument; });
        if (std::ranges::find(shownByTensors, key) != shownByTensors.end()
            || std::ranges::find(withoutEffect, key) != withoutEffect.end()
            || key.find("drop_") != std::string::npos || key == "global_pool" || ofRope || value.is_null())
            return;
        if (key == "in_chans" && value == Json(3))
            return;
        if (key == "num_heads" && value.is_number_integer())
            return m_findings.put("num_heads", value, witness);
        if (key == "attn_pool_num_heads" && value.is_number_integer())
            return m_findings.put("map_heads", value, witness);
        if (key == "pool_include_prefix" && value.is_boolean())
            return m_findings.put("pool_prefix", value, witness);
        if (key == "act_layer" && value.is_string() && !activationNamed(value.get<std::string>()).empty())
            return m_findings.put("act", activationNamed(value.get<std::string>()), witness);
        if (key == "norm_layer" && value.is_string()) {
            m_reading.undecided.emplace_back("ln_eps");  // its kind is seen, its epsilon is not
            return;
        }
        refuse("the argument `" + printable(key) + "` of its config.json (" + printable(value.dump().substr(0, 60))
               + ") is not supported");
    }

    void readPool()
    {
        const std::string root = textIn(m_config, "global_pool"), argument = textIn(m_arguments, "global_pool");
        const std::string pool = root.empty() ? argument : root;
        if (pool.empty())
            return;
        for (const char* known : {"token", "avg", "max", "avgmax", "map"})
            if (pool == known) {
                m_findings.put("pool", pool, "config.json: global_pool");
                if (pool == "map" && m_reading.vit->module == "eva")
                    m_findings.put("pool_prefix", true, "config.json: global_pool of eva.py");
                return;
            }
        refuse("`global_pool` of its config.json, " + printable(pool) + ", is not supported");
    }

    void readRope()
    {
        Json rope = valueOf(*m_reading.vit, "rope");
        std::string witness;
        if (const std::string type = textIn(m_arguments, "rope_type"); !type.empty()) {
            const char* ours = type == "cat"      ? "axial"
                               : type == "dinov3" ? "centred"
                               : type == "mixed"  ? "mixed"
                                                  : nullptr;
            if (ours == nullptr
                || (!rope.is_object() && m_arguments.value("use_rot_pos_emb", Json()) != Json(true)))
                return refuse("the argument `rope_type` of its config.json, " + printable(type)
                              + ", is not supported");
            if (rope.is_object() && rope.value("type", "") != ours)
                rope = {{"type", ours},
                        {"temperature", type == "dinov3" ? 100.0 : 10000.0},
                        {"half", type == "dinov3"},
                        {"order", "ij"}};
            witness = "config.json: rope_type";
        }
        if (m_arguments.value("use_rot_pos_emb", Json()) == Json(false))
            return m_findings.put("rope", nullptr, "config.json: use_rot_pos_emb");
        for (const auto& [argument, key] : ropeArguments)
            if (m_arguments.contains(argument) && rope.is_object()) {
                rope[key] = m_arguments.at(std::string(argument));
                witness = "config.json: " + std::string(argument);
            }
        if (!witness.empty())
            m_findings.put("rope", rope, witness);
    }

    /// A structure that neither the name nor an argument explains: the config.json belongs to another file.
    std::string changedKey() const
    {
        const bool told = std::ranges::any_of(m_arguments.items(), [](const auto& each) {
            constexpr std::array sizes{"embed_dim",  "depth",    "mlp_ratio",    "num_classes",
                                       "patch_size", "img_size", "num_kv_heads", "rel_pos_dim"};
            return std::ranges::find(shownByTensors, each.key()) != shownByTensors.end()
                   && std::ranges::none_of(sizes, [&](const char* size) { return each.key() == size; });
        });
        return told ? std::string() : contradiction(m_findings, *m_reading.vit);
    }

    void readImageSize()
    {
        const auto [height, width] = statedImageSize(m_config);
        if (height > 0 && width > 0)
            m_findings.put("img_size", height == width ? Json(height) : Json{height, width},
                           "config.json: the image size");
        m_findings.put("img_size", valueOf(*m_reading.vit, "img_size"),
                       "config.json: architecture " + m_reading.vit->name);
    }

    void readWeights()
    {
        m_reading.tag = textIn(m_weights, "tag");
        ImagePreparation preparation = m_reading.vit->preparation;
        if (const PlainVitWeights* published = findPlainVitWeights(m_reading.vit->name, m_reading.tag)) {
            preparation = published->preparation;
            m_reading.licence = published->licence;
        }
        const StatedPreparation stated = timmPreparation(m_weights, preparation);
        if (!stated.refusal.empty())
            refuse(stated.refusal);
        m_reading.preparation = stated.preparation;
        if (const std::string licence = textIn(m_weights, "license"); !licence.empty())
            m_reading.licence = licence;
        readLabels();
    }

    void readLabels()
    {
        const auto names = m_config.find("label_names");
        if (names == m_config.end() || !names->is_array())
            return;
        std::unordered_map<std::string, std::string> descriptions;  // an object finds a key by comparing all
        for (const auto& [key, text] : partOf(m_config, "label_descriptions").items())
            if (text.is_string())
                descriptions[key] = text.get<std::string>();
        for (const Json& name : *names) {
            const std::string key = name.is_string() ? name.get<std::string>() : std::string();
            const auto found = descriptions.find(key);
            m_reading.labels.push_back(
                printable(found == descriptions.end() || found->second.empty() ? key : found->second));
        }
    }

    const Json& m_config;
    const Json& m_arguments;
    const Json& m_weights;
    Findings& m_findings;
    ConfigReading& m_reading;
};

}

std::string activationNamed(const std::string& name)
{
    if (name == "gelu" || name == "gelu_erf")
        return "gelu_erf";
    if (name == "gelu_tanh" || name == "gelu_pytorch_tanh" || name == "gelu_new")
        return "gelu_tanh";
    if (name == "quick_gelu")
        return "quick_gelu";
    return name == "silu" || name == "swish" ? "silu" : "";
}

std::pair<int64_t, int64_t> statedImageSize(const Json& config)
{
    if (!config.is_object())
        return {};
    if (isTimmConfig(config)) {
        if (const Json& arguments = partOf(config, "model_args"); arguments.contains("img_size"))
            return sidesOf(arguments.at("img_size"));
        const Json& weights = config.contains("pretrained_cfg") ? partOf(config, "pretrained_cfg") : config;
        if (weights.contains("input_size"))
            return sidesOf(weights.at("input_size"));
        const PlainVit* vit = findPlainVit(textIn(config, "architecture"));
        return vit != nullptr ? std::pair(vit->imageHeight, vit->imageWidth) : std::pair<int64_t, int64_t>();
    }
    const Json& vision = config.contains("vision_config") ? partOf(config, "vision_config") : config;
    return vision.contains("image_size") ? sidesOf(vision.at("image_size")) : std::pair<int64_t, int64_t>();
}

bool isTimmConfig(const Json& config)
{
    return config.is_object() && !textIn(config, "architecture").empty();
}

void readTimmConfig(const Json& config, Findings& findings, ConfigReading& reading)
{
    reading.found = true;
    TimmConfigReader(config, findings, reading).read();
}

}

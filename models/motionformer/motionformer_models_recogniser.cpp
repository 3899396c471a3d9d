#include "models/motionformer/motionformer_models.h"

#include "core/base/number.h"
#include "models/weights/named_tensors.h"
#include "models/weights/yaml_values.h"

namespace attnscope {

namespace {

std::string attentionOf(const TensorIndex& index)
{
    if (index.has("blocks.0.attn.proj_q.weight"))
        return "trajectory";
    return index.begins("blocks.0.timeattn.") ? "divided" : "joint";
}

void readVideoSizes(const TensorIndex& index, CheckpointIdentity& identity)
{
    Json& config = identity.config;
    const std::string patch = "patch_embed_3d.proj.weight";  // (C, 3, tubelet, patch, patch)
    const int64_t width = index.size(patch, 0), tubelet = index.size(patch, 2);
    identity.put("embed_dim", width);
    identity.put("tubelet", tubelet);
    identity.put("patch", index.size(patch, 3));
    identity.put("depth", index.count("blocks."));
    if (index.has("head0.weight") && index.has("head1.weight"))  // Epic-Kitchens: verbs and nouns
        config["num_classes"] = {index.size("head0.weight", 0), index.size("head1.weight", 0)};
    else
        identity.put("num_classes", index.size("head.weight", 0));
    identity.put("frames", index.size("temp_embed", 1) * tubelet);
    config["attn"] = attentionOf(index);
    config["pos_embed"] = index.has("st_embed") ? "joint" : "separate";
    config["use_mlp_head"] = index.begins("pre_logits.");
    config["qkv_bias"] = index.has("blocks.0.attn.qkv.bias");
    if (const int64_t hidden = index.size("blocks.0.mlp.fc1.weight", 0); hidden > 0 && width > 0)
        config["mlp_ratio"] = double(hidden) / double(width);
}

/// The training's configuration: YAML text under `cfg`. The crop and the heads can't be derived from tensors.
void readConfiguration(const StateDict& state, CheckpointIdentity& identity)
{
    const Json cfg = state.metadata.is_object() ? state.metadata.value("cfg", Json()) : Json();
    const auto values = cfg.is_string() ? yamlValues(cfg.get<std::string>())
                                        : std::map<std::string, std::string>{};
    const auto read = [&](const char* from, const char* to) {
        const auto found = values.find(from);
        const auto number = found == values.end() ? std::nullopt : parseNumber<int64_t>(found->second);
        if (number && *number > 0)
            identity.config[to] = *number;
    };
    read("DATA.TRAIN_CROP_SIZE", "crop");
    read("DATA.NUM_FRAMES", "frames");
    read("DATA.SAMPLING_RATE", "frame_interval");
    read("VIT.NUM_HEADS", "num_heads");
    read("VIT.APPROX_ATTN_DIM", "landmarks");
    if (const auto found = values.find("VIT.APPROX_ATTN_TYPE"); found != values.end())
        identity.config["approx"] = found->second;
    if (const auto found = values.find("VIT.USE_ORIGINAL_TRAJ_ATTN_CODE"); found != values.end())
        identity.config["use_original_traj_attn_code"] = found->second != "False" && found->second != "false";
    if (!values.empty())
        identity.notes.emplace_back("its training's configuration (`cfg`) was read");
    if (!identity.config.contains("num_heads"))
        identity.undecided.emplace_back("num_heads");
    if (!identity.config.contains("crop"))
        identity.undecided.emplace_back("crop");
    std::erase_if(identity.undecided, [&](const std::string& key) { return identity.config.contains(key); });
}

}

std::optional<CheckpointIdentity> recogniseMotionformer(const StateDict& state, const CompanionFiles&)
{
    CheckpointIdentity identity;
    identity.tensors = namedTensors(state);
    const TensorIndex index(identity.tensors);
    if (!index.has("patch_embed_3d.proj.weight") || !index.begins("blocks.0.attn.qkv."))
        return std::nullopt;
    identity.family = "motionformer";
    identity.naming = "original";
    identity.config["family"] = identity.family;
    readVideoSizes(index, identity);
    const std::string attention = identity.config["attn"];
    identity.title = "Motionformer with " + attention + " attention";
    identity.reason = "it has `patch_embed_3d` and "
                      + std::string(attention == "trajectory" ? "`blocks.0.attn.proj_q`"
                                    : attention == "divided"  ? "`blocks.0.timeattn`"
                                                              : "neither `proj_q` nor `timeattn`");
    readConfiguration(state, identity);
    return identity;
}

}

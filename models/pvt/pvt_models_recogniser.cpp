#include "models/pvt/pvt_models.h"

#include "models/blocks/stated_preparation.h"
#include "models/pvt/pvt_names.h"
#include "models/weights/named_tensors.h"

#include <array>

namespace attnscope {

namespace {

constexpr int stages = 4;

std::string stageName(const char* part, int stage)
{
    return part + std::to_string(stage + 1);
}

bool nameFamily(const StateDict& state, CheckpointIdentity& identity)
{
    const NamedTensors stored = namedTensors(state);
    const bool timm = TensorIndex(stored).begins("stages.0.blocks.0.attn.kv.")
                      && TensorIndex(stored).begins("stages.0.blocks.0.mlp.dwconv.");
    for (const auto& [name, tensor] : stored)
        identity.tensors[timm ? pvtOriginalName(name) : name] = tensor;
    const TensorIndex index(identity.tensors);
    if (!index.begins("patch_embed1.proj.") || !index.begins("block1.0.mlp.dwconv."))
        return false;
    const bool lara = index.begins("block1.0.attn.attn_fn.");
    identity.family = lara ? "pvt_v2_lara" : "pvt_v2";
    identity.title = lara ? "PVTv2 in the LARA authors' form" : "PVTv2";
    identity.naming = timm ? "timm" : "original";
    identity.reason = lara   ? "it has `block1.0.attn.attn_fn` and no spatial reduction"
                      : timm ? "it has `stages.0.blocks.0.mlp.dwconv` and `stages.0.blocks.0.attn.kv`"
                             : "it has `patch_embed1` and `block1.0.mlp.dwconv`";
    return true;
}

/// One number per stage, or undecided if a stage has none.
void put(CheckpointIdentity& identity, const char* key, const std::array<int64_t, stages>& values)
{
    for (const int64_t value : values)
        if (value < 1) {
            identity.undecided.emplace_back(key);
            return;
        }
    identity.config[key] = values;
}

void readStages(const TensorIndex& index, CheckpointIdentity& identity)
{
    std::array<int64_t, stages> widths{}, depths{}, ratios{}, reductions{};
    for (int s = 0; s < stages; ++s) {
        const auto at = size_t(s);
        const std::string block = stageName("block", s) + ".";
        widths[at] = index.size(stageName("patch_embed", s) + ".proj.weight", 0);
        depths[at] = index.count(block);
        const int64_t hidden = index.size(block + "0.mlp.fc1.weight", 0);
        ratios[at] = widths[at] > 0 && hidden % widths[at] == 0 ? hidden / widths[at] : 0;
        reductions[at] = std::max<int64_t>(index.size(block + "0.attn.sr.weight", 3), 1);
    }
    put(identity, "embed_dims", widths);
    put(identity, "depths", depths);
    put(identity, "mlp_ratios", ratios);
    if (identity.family != "pvt_v2")
        return;
    // Linear SRA has a 1×1 convolution in every stage; plain SRA has none in the last.
    const bool linear = index.has("block4.0.attn.sr.weight");
    identity.config["linear"] = linear;
    identity.config["sr_ratios"] = linear ? std::array<int64_t, stages>{8, 4, 2, 1} : reductions;
    if (linear)
        identity.title += " with linear SRA";
}

void readArguments(const StateDict& state, CheckpointIdentity& identity)
{
    if (identity.family != "pvt_v2_lara" || takeStoredAttention(state, identity))
        return;
    const TensorIndex index(identity.tensors);
    if (index.begins("block1.0.attn.attn_fn.q_bar_gen.") || index.begins("block1.0.attn.attn_fn.eval_proj"))
        identity.undecided.emplace_back("attn");
}

/// From timm's config.json, else from the preprocessor of the Transformers library.
void readPreparation(const CompanionFiles& companions, CheckpointIdentity& identity)
{
    const Json& config = companions.config;
    const Json name = config.is_object() ? config.value("architecture", Json()) : Json();
    const bool timms = name.is_string() && name.get<std::string>().starts_with("pvt_v2");
    const Json weights = timms ? config.value("pretrained_cfg", config) : Json();
    const auto stated = weights.is_object() ? std::optional(timmPreparation(weights, {}))
                                            : libraryPreparation(companions.preprocessor);
    if (!stated)
        return;
    addTo(identity.config, stated->preparation);
    identity.input = stated->input;
    if (!stated->refusal.empty())
        identity.family.clear(), identity.title += " that can't be run: " + stated->refusal;
}

}

std::optional<CheckpointIdentity> recognisePvt(const StateDict& state, const CompanionFiles& companions)
{
    CheckpointIdentity identity;
    if (!nameFamily(state, identity))
        return std::nullopt;
    const TensorIndex index(identity.tensors);
    identity.config["family"] = identity.family;
    readStages(index, identity);
    identity.put("num_classes", index.size("head.weight", 0));
    identity.config["input"] = 224;  // no position embedding: any size works, this is the training size
    readArguments(state, identity);
    readPreparation(companions, identity);
    identity.undecided.emplace_back("num_heads");
    return identity;
}

}

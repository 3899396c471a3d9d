#include "models/weights/checkpoint_identity.h"

#include "models/model_family.h"
#include "models/weights/header_description.h"
#include "models/weights/unwrapped.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <string_view>

namespace attnscope {

namespace {

/// The text under a key of an object; empty if missing or not a text.
std::string textAt(const Json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Written by us, or by others in the same form: the header describes it.
void readHeader(const HeaderDescription& header, const StateDict& state, CheckpointIdentity& identity)
{
    identity.family = textAt(header.model, "family");
    identity.title = identity.family;
    identity.naming = "original";
    identity.reason = "its header describes it";
    identity.config = header.model;
    identity.labels = header.labels;
    const ModelFamily* family = findFamily(identity.family);
    identity.tensors = family != nullptr && family->tensors != nullptr ? family->tensors(state)
                                                                       : namedTensors(state);
    identity.model = textAt(header.model, "name");
}

/// Keys in which networks of the same sizes may differ, whatever their family.
constexpr std::array<std::string_view, 10> freeKeys{"name",        "img_size",     "input", "input_size",
                                                    "num_classes", "num_heads",    "attn",  "attn_args",
                                                    "attention",   "landmark_maps"};

/// Whether the keys that distinguish networks of the family are equal.
bool sameSizes(const ModelFamily& family, const Json& named, const Json& found)
{
    for (const auto& [key, value] : found.items()) {
        const bool free = std::ranges::find(freeKeys, key) != freeKeys.end()
                          || std::ranges::find(family.freeKeys, key) != family.freeKeys.end();
        if (free || !named.contains(key))
            continue;
        const bool numbers = named[key].is_number() && value.is_number();
        if (numbers ? named[key].get<double>() != value.get<double>() : named[key] != value)
            return false;
    }
    return true;
}

/// The named model of these sizes, preferring one with the same input.
const NamedModel* matching(const CheckpointIdentity& identity)
{
    const NamedModel* best = nullptr;
    const ModelFamily* family = findFamily(identity.family);
    if (family == nullptr)
        return best;
    for (const NamedModel& model : namedModels()) {
        const Json named = model.description->toJson();
        if (textAt(named, "family") != identity.family || !sameSizes(*family, named, identity.config))
            continue;
        bool sameInput = true;
        for (const char* key : {"img_size", "crop"})
            if (identity.config.contains(key) && named.contains(key))
                sameInput = sameInput && named[key] == identity.config[key];
        if (sameInput)
            return &model;
        if (best == nullptr)
            best = &model;
    }
    return best;
}

/// A network of published sizes has the published number of heads.
void decideByName(CheckpointIdentity& identity)
{
    const NamedModel* model = matching(identity);
    if (model == nullptr)
        return;
    identity.model = model->description->name();
    Json config = model->description->toJson();
    if (identity.config.contains("attn"))
        for (const char* key : {"attention", "landmark_maps"})
            config.erase(key);
    config.update(identity.config);
    identity.config = std::move(config);
    std::erase_if(identity.undecided,
                  [&](const std::string& key) { return key != "attention" && identity.config.contains(key); });
    identity.reason += ", and the sizes of " + identity.model;
}

/// A beginning of a name that gives a family away, which others of the table do not have before it.
struct ForeignName {
    const char* begins;
    const char* title;
};

constexpr std::array<ForeignName, 28> foreignNames{{
    {"visual.transformer.resblocks.", "CLIP"},
    {"visual.trunk.", "OpenCLIP"},
    {"vision_model.encoder.layers.", "CLIP or SigLIP of the Transformers library"},
    {"image_encoder.blocks.", "Segment Anything"},
    {"model.blocks.0.temporal_attn.", "TimeSformer"},
    {"blocks.0.temporal_attn.", "TimeSformer"},
    {"videomae.", "VideoMAE of the Transformers library"},
    {"timesformer.", "TimeSformer of the Transformers library"},
    {"encoder.blocks.0.attn.qkv.", "VideoMAE"},
    {"layers.0.blocks.0.attn.relative_position_bias_table", "Swin Transformer"},
    {"layers.0.blocks.0.attn.logit_scale", "Swin Transformer V2"},
    {"swin.", "Swin Transformer of the Transformers library"},
    {"pvt_v2.", "PVTv2 of the Transformers library"},
    {"pvt.", "PVT of the Transformers library"},
    {"pos_embed1", "PVT (the first version)"},
    {"decoder_pos_embed", "MAE with its decoder"},
    {"mask_token", "a masked-image model (DINOv2, BEiT, MAE)"},
    {"stages.0.blocks.0.conv_dw.", "ConvNeXt"},
    {"downsample_layers.", "ConvNeXt"},
    {"blocks.0.0.conv_pw.", "EfficientNet"},
    {"blocks.0.0.conv_dw.", "EfficientNet"},
    {"features.0.", "VGG, MobileNet or another convolutional network"},
    {"layer1.0.conv1.", "ResNet"},
    {"backbone.", "a detector or segmenter around a backbone"},
    {"model.layers.0.self_attn.", "a language model"},
    {"transformer.h.0.", "GPT-2 or another language model"},
    {"bert.", "BERT"},
    {"roberta.", "RoBERTa"},
}};

/// Recognises networks that can't be run here: their title and the name of the tensor that identified them.
std::optional<CheckpointIdentity> recogniseForeign(const StateDict& state)
{
    CheckpointIdentity identity;
    identity.tensors = namedTensors(state);
    const TensorIndex index(identity.tensors);
    for (const ForeignName& mark : foreignNames)
        if (index.begins(mark.begins)) {
            identity.title = mark.title;
            identity.reason = "it has `" + identity.tensors.lower_bound(mark.begins)->first + "`";
            return identity;
        }
    return std::nullopt;
}

}

void CheckpointIdentity::put(const char* key, int64_t size)
{
    if (size > 0)
        config[key] = size;
    else
        undecided.emplace_back(key);
}

bool takeStoredAttention(const StateDict& state, CheckpointIdentity& identity)
{
    const Json args = state.metadata.is_object() ? state.metadata.value("args", Json()) : Json();
    const Json name = args.is_object() ? args.value("attn_name", Json()) : Json();
    if (!name.is_string())
        return false;
    identity.config["attn"] = name;
    Json attention = args.value("attn_args", Json::object());
    if (attention.is_object())
        attention.erase("__class__");
    identity.config["attn_args"] = std::move(attention);
    return true;
}

namespace {

CheckpointIdentity identifyNetwork(const StateDict& state, const CompanionFiles& companions)
{
    for (const ModelFamily& family : modelFamilies() | std::views::reverse)
        if (auto identity = family.recognise(state, companions)) {
            if (identity->switches.empty())
                decideByName(*identity);
            return std::move(*identity);
        }
    if (auto identity = recogniseForeign(state))
        return std::move(*identity);
    CheckpointIdentity unknown;
    unknown.tensors = namedTensors(state);
    unknown.naming = "unknown";
    return unknown;
}

}

CheckpointIdentity identify(const StateDict& state, const CompanionFiles& companions)
{
    CheckpointIdentity identity;
    if (const auto header = readHeaderDescription(state)) {
        readHeader(*header, state, identity);
        return identity;
    }
    const Unwrapped network = unwrapped(state);
    if (network.problem.empty())
        identity = identifyNetwork(network.state, companions);
    identity.problem = network.problem;
    identity.remedy = network.remedy;
    identity.ignored.insert(identity.ignored.end(), network.ignored.begin(), network.ignored.end());
    identity.notes.insert(identity.notes.begin(), network.state.notes.begin() + std::ssize(state.notes),
                          network.state.notes.end());
    return identity;
}

int64_t likelyHeads(const CheckpointIdentity& identity)
{
    const auto found = identity.config.find("embed_dim");
    const int64_t width = found != identity.config.end() && found->is_number_integer() ? found->get<int64_t>() : 0;
    return width > 0 && width % 64 == 0 ? width / 64 : 0;
}

}

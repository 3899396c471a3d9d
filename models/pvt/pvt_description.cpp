#include "models/pvt/pvt_description.h"

#include "core/base/error.h"
#include "models/blocks/native_attention.h"
#include "models/weights/config_reader.h"

#include <algorithm>
#include <tuple>

namespace attnscope {

namespace {

constexpr size_t maxStages = 8;

void readImageSize(const ConfigReader& reader, PvtDescription& d)
{
    const char* key = reader.has("input") ? "input" : reader.has("input_size") ? "input_size" : "img_size";
    std::tie(d.imageHeight, d.imageWidth) = reader.sides(key);
}

/// Networks without reduction need the ratios only to determine which stages keep softmax: by default the published 8, 4, 2, 1.
std::vector<int64_t> readReductions(const ConfigReader& reader, size_t stages, PvtForm form)
{
    if (form == PvtForm::Reduced || reader.has("sr_ratios"))
        return reader.integers("sr_ratios", stages, 1, 4096);
    if (reader.has("sr_ratios_select_attention"))
        return reader.integers("sr_ratios_select_attention", stages, 1, 4096);
    std::vector<int64_t> ratios(stages, 1);
    for (size_t i = stages - 1; i-- > 0;)
        ratios[i] = 2 * ratios[i + 1];
    return ratios;
}

void readStages(const ConfigReader& reader, PvtDescription& d)
{
    const Json& dims = reader.need("embed_dims");
    if (!dims.is_array() || dims.empty() || dims.size() > maxStages)
        reader.refuse("embed_dims", "a list of 1 to 8 widths, one per stage");
    const size_t count = dims.size();
    const auto widths = reader.integers("embed_dims", count, 1, 65536);
    const auto heads = reader.integers("num_heads", count, 1, 4096);
    const auto depths = reader.integers("depths", count, 1, 1024);
    const auto ratios = reader.numbers("mlp_ratios", count, 0.001, 1024);
    const auto reductions = readReductions(reader, count, d.form);
    for (size_t i = 0; i < count; ++i) {
        if (widths[i] % heads[i] != 0)
            reader.refuse("num_heads", "divisors of embed_dims");
        d.stages.push_back({widths[i], heads[i], depths[i], ratios[i], reductions[i]});
    }
}

LandmarkMaps readLandmarkMaps(const ConfigReader& reader)
{
    if (!reader.has("landmark_maps"))
        return LandmarkMaps::None;
    const std::string maps = reader.choice("landmark_maps", {"none", "light", "dense"});
    return maps == "dense" ? LandmarkMaps::Dense : maps == "light" ? LandmarkMaps::Light : LandmarkMaps::None;
}

void readTheirAttention(const Json& config, const ConfigReader& reader, const std::string& subject,
                        PvtDescription& d)
{
    const Json arguments = config.value("attn_args", Json::object());
    const NativeAttention native = nativeAttention(reader.text("attn"), arguments, subject);
    d.attention = native.spec;
    if (!native.landmarkMaps)
        return;
    const Json type = arguments.is_object() ? arguments.value("pool_module_type", Json("light")) : Json("light");
    if (type != "light" && type != "dense")
        reader.refuse("attn_args", "with a `pool_module_type` of light or dense");
    d.landmarkMaps = type == "dense" ? LandmarkMaps::Dense : LandmarkMaps::Light;
}

const char* ownAttention(const PvtDescription& d)
{
    return d.form == PvtForm::Joint ? "softmax" : d.linear ? "sra:linear" : "sra";
}

void readAttention(const Json& config, const ConfigReader& reader, const std::string& subject, PvtDescription& d)
{
    if (reader.has("attention")) {
        d.attention = AttentionSpec::parse(reader.text("attention"));
        d.landmarkMaps = readLandmarkMaps(reader);
    } else if (reader.has("attn")) {
        readTheirAttention(config, reader, subject, d);
    } else {
        d.attention = AttentionSpec::parse(ownAttention(d));
    }
    if (d.attention.isNative())
        reader.refuse("attention", "the name of an attention other than native");
    d.attention = d.attention.resolved(AttentionSpec::parse(ownAttention(d)), d.layers());
    for (int64_t layer = 0; layer < d.layers(); ++layer)
        if (const AttentionSpec one = d.attention.layer(layer);
            one.backend() == "sra" && one.flag("linear") != d.linear)
            reader.refuse("attention", d.linear ? "sra:linear, as `linear` is true" : "sra, as `linear` is false");
    if (d.form == PvtForm::Joint)
        refuseReducedKeys(d.attention, "pvt_v2_lara");
}

}

std::string PvtPlace::name() const
{
    return "stage " + std::to_string(stage + 1) + " block " + std::to_string(block + 1);
}

int64_t PvtDescription::layers() const
{
    int64_t count = 0;
    for (const PvtStage& stage : stages)
        count += stage.depth;
    return count;
}

PvtPlace PvtDescription::place(int64_t layer) const
{
    size_t stage = 0;
    while (stage + 1 < stages.size() && layer >= stages[stage].depth)
        layer -= stages[stage++].depth;
    return {stage, size_t(layer)};
}

std::vector<TokenLayout> PvtDescription::grids(int64_t height, int64_t width) const
{
    std::vector<TokenLayout> list;
    for (size_t i = 0; i < stages.size(); ++i) {
        // (side + 2·padding − kernel) / stride + 1, with padding = kernel / 2 for an odd kernel.
        height = (height - 1) / embeddingStride(i) + 1;
        width = (width - 1) / embeddingStride(i) + 1;
        list.push_back({.prefix = 0, .frames = 1, .rows = height, .columns = width});
    }
    return list;
}

bool PvtDescription::reduces(size_t stage) const
{
    return form == PvtForm::Reduced && (linear || stages[stage].reduction > 1);
}

TokenLayout PvtDescription::keyGrid(size_t stage, const TokenLayout& tokens, KeySource keys) const
{
    return keys == KeySource::Reduced && reduces(stage) ? reducedGrid(tokens, stages[stage].reduction, linear)
                                                        : tokens;
}

void PvtDescription::checkImageSize(int64_t height, int64_t width) const
{
    const std::string image = "an image of " + std::to_string(height) + "×" + std::to_string(width);
    if (height < 1 || width < 1)
        throw UsageError("", image + " has no pixels", "give a larger one");
    const auto layouts = grids(height, width);
    if (layouts.front().count() > 1 << 20)
        throw UsageError("", image + " has more than a million patches", "give a smaller one");
    for (size_t i = 0; i < layouts.size(); ++i) {
        if (keyGrid(i, layouts[i], KeySource::Reduced).count() > 0)
            continue;
        const std::string cells = std::to_string(stages[i].reduction);
        throw UsageError("",
                         image + " is too small for " + name + ": stage " + std::to_string(i + 1) + " has "
                             + std::to_string(layouts[i].rows) + "×" + std::to_string(layouts[i].columns)
                             + " tokens, and its keys are cells of " + cells + "×" + cells,
                         "give a larger one");
    }
}

void PvtDescription::checkReduction(const AttentionSpec& spec) const
{
    for (int64_t layer = 0; layer < layers(); ++layer) {
        const AttentionSpec one = spec.layer(layer);
        if (one.backend() == "sra" && one.flag("linear") != linear)
            throw UsageError(one.canonical(), "the reduction of " + name + " is the other one",
                             linear ? "write sra:linear" : "write sra");
    }
}

AttentionSpec PvtDescription::stageAttention(const AttentionSpec& spec, size_t stage) const
{
    if (stages[stage].reduction > 1 || isExactOverItsKeys(spec))
        return spec;
    return exactOver(keySource(spec));
}

PvtDescription parsePvtDescription(const Json& config, const std::string& subject)
{
    const ConfigReader reader(config, subject);
    PvtDescription d;
    d.form = reader.choice("family", {"pvt_v2", "pvt_v2_lara"}) == "pvt_v2" ? PvtForm::Reduced : PvtForm::Joint;
    d.linear = reader.flag("linear", false);
    if (d.linear && d.form == PvtForm::Joint)
        reader.refuse("linear", "false for pvt_v2_lara, which has no reduction");
    readStages(reader, d);
    readImageSize(reader, d);
    d.preparation = parseImagePreparation(config, subject);
    d.evaluationResize = d.preparation.resizeFor(std::min(d.imageHeight, d.imageWidth));
    d.classes = reader.integer("num_classes", 0, 10'000'000);
    d.blockEps = reader.number("ln_eps_blocks", 1e-6, 0, 1);
    d.embeddingEps = reader.number("ln_eps_patch_embed", 1e-5, 0, 1);
    d.reductionEps = reader.number("ln_eps_attn_norm", 1e-5, 0, 1);
    d.qkvBias = reader.flag("qkv_bias", true);
    reader.requireExactGelu();
    readAttention(config, reader, subject, d);
    d.name = reader.text("name", "");
    try {
        d.checkImageSize(d.imageHeight, d.imageWidth);
    } catch (const UsageError& error) {
        throw UsageError(subject, error.reason());
    }
    return d;
}

Json toJson(const PvtDescription& d)
{
    Json json{{"family", d.family()},
              {"name", d.name},
              {"linear", d.linear},
              {"img_size", {d.imageHeight, d.imageWidth}}};
    for (const PvtStage& stage : d.stages) {
        json["embed_dims"].push_back(stage.width);
        json["num_heads"].push_back(stage.heads);
        json["mlp_ratios"].push_back(stage.mlpRatio);
        json["depths"].push_back(stage.depth);
        json["sr_ratios"].push_back(stage.reduction);
    }
    json["num_classes"] = d.classes;
    json["ln_eps_blocks"] = d.blockEps;
    json["ln_eps_patch_embed"] = d.embeddingEps;
    json["ln_eps_attn_norm"] = d.reductionEps;
    json["qkv_bias"] = d.qkvBias;
    addTo(json, d.preparation);
    json["attention"] = d.attention.canonical();
    json["landmark_maps"] = d.landmarkMaps == LandmarkMaps::Dense   ? "dense"
                            : d.landmarkMaps == LandmarkMaps::Light ? "light"
                                                                    : "none";
    return json;
}

}

#include "models/vit/formats/layout_dino.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <array>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

using DinoNames = std::pair<std::string_view, std::string_view>;

constexpr std::array<DinoNames, 2> dinov2Block{{{"mlp.w12.", "mlp.fc1."}, {"mlp.w3.", "mlp.fc2."}}};
constexpr std::array<DinoNames, 5> dinov3Block{{{"ls1.gamma", "gamma_1"},
                                                {"ls2.gamma", "gamma_2"},
                                                {"mlp.w1.", "mlp.fc1_g."},
                                                {"mlp.w2.", "mlp.fc1_x."},
                                                {"mlp.w3.", "mlp.fc2."}}};

/// `blocks.3.rest`, and `blocks.CHUNK.3.rest` of training files in chunks.
std::optional<Renamed> ofDinoBlock(std::string_view name, const auto& table)
{
    if (!takePrefix(name, "blocks."))
        return std::nullopt;
    std::string_view number = takeNumber(name);
    if (const std::string_view layer = takeNumber(name); !layer.empty())
        number = layer;
    if (number.empty())
        return std::nullopt;
    const auto inner = replacedBeginning(name, table);
    return Renamed{"blocks." + std::string(number) + "." + (inner ? *inner : std::string(name)), {}};
}

std::optional<Renamed> fromDinov2(std::string_view name)
{
    if (name == "mask_token")
        return Renamed{{}, "the mask token"};
    if (name == "register_tokens")
        return Renamed{"reg_token", {}};
    return ofDinoBlock(name, dinov2Block);
}

void finishDinov2(Translation& translation)
{
    if (!translation.tensors.contains("reg_token"))
        translation.notes.emplace_back("at other image sizes DINOv2's own code resizes its positions by another "
                                       "rule: `pos_resample` bicubic_offset");
    foldClassPosition(translation);
    translation.nameMark = "_dinov2";
}

std::optional<Renamed> fromDinov3(std::string_view name)
{
    if (name == "mask_token")
        return Renamed{{}, "the mask token"};
    if (name == "storage_tokens")
        return Renamed{"reg_token", {}};
    if (name.starts_with("local_cls_norm."))
        return Renamed{{}, "a norm of local crops, for training alone"};
    if (name.ends_with(".attn.qkv.bias_mask"))
        return Renamed{{}, "the mask of the key's bias, which is zero"};
    if (name == "rope_embed.periods")
        return Renamed{std::string(name), {}};
    return ofDinoBlock(name, dinov3Block);
}

bool periodsDiffer(const NamedTensor& periods)
{
    try {
        const std::vector<float> values = periods.readFloat();
        for (size_t i = 0; i < values.size(); ++i) {
            const double expected = std::pow(100.0, double(i) / double(values.size()));
            if (std::abs(values[i] - expected) > 1e-5 * expected)
                return true;
        }
    } catch (const FileError&) {
        return true;
    }
    return false;
}

/// The middle third of the biases, of the key, is masked to zero whatever it holds: query and value keep theirs.
void finishDinov3(Translation& translation)
{
    std::vector<std::string> biases;
    for (const auto& [name, tensor] : translation.tensors)
        if (name.ends_with(".attn.qkv.bias"))
            biases.push_back(name);
    for (const std::string& name : biases) {
        const NamedTensor whole = *translation.take(name);
        const std::string prefix = name.substr(0, name.size() - 8);
        const int64_t width = whole.shape().empty() ? 0 : whole.shape().front() / 3;
        translation.tensors[prefix + "q_bias"] = rowsOf(whole, 0, width);
        translation.tensors[prefix + "v_bias"] = rowsOf(whole, 2 * width, 3 * width);
    }
    if (const auto periods = translation.take("rope_embed.periods")) {
        translation.passedOver["periods of the rotary positions, which are computed"].push_back(
            periods->sources.front());
        if (periods->shape().size() == 1)
            translation.hints.push_back({"head_dim", 4 * periods->shape().front()});
        if (periodsDiffer(*periods))
            translation.notes.emplace_back("its stored periods of the rotary positions are rounded; they are "
                                           "computed in float32 instead, as timm "
                                           "and the Transformers library do");
    }
    translation.hints.push_back(
        {"rope", {{"type", "centred"}, {"temperature", 100.0}, {"half", true}, {"order", "ij"}}});
    translation.hints.push_back({"ln_eps", 1e-5});
    translation.licence = "dinov3-license";
    translation.nameMark = "_dinov3";
}

bool isDinov2(const TensorIndex& index)
{
    const bool scaled = index.begins("blocks.0.ls1.") || index.begins("blocks.0.0.ls1.");
    return index.has("register_tokens") || (scaled && index.has("mask_token")) || index.begins("blocks.0.mlp.w12.")
           || index.begins("blocks.0.0.mlp.w12.");
}

}

std::vector<VitLayout> dinoLayouts()
{
    return {
        {"DINOv3",
         [](const TensorIndex& index) { return index.has("storage_tokens") || index.has("rope_embed.periods"); },
         fromDinov3, finishDinov3},
        {"DINOv2", isDinov2, fromDinov2, finishDinov2},
    };
}

}

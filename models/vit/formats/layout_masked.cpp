#include "models/vit/formats/layout_masked.h"

#include "core/base/text.h"

#include <array>
#include <utility>

namespace attnscope {

namespace {

using EvaNames = std::pair<std::string_view, std::string_view>;

constexpr std::array<EvaNames, 5> evaBlock{{{"attn.inner_attn_ln.", "attn.norm."},
                                            {"mlp.ffn_ln.", "mlp.norm."},
                                            {"mlp.w1.", "mlp.fc1_g."},
                                            {"mlp.w2.", "mlp.fc1_x."},
                                            {"mlp.w3.", "mlp.fc2."}}};

std::optional<Renamed> fromMae(std::string_view name)
{
    if (name == "mask_token")
        return Renamed{{}, "the mask token"};
    if (name.starts_with("decoder_"))
        return Renamed{{}, "the decoder of pretraining"};
    return std::nullopt;
}

std::optional<Renamed> fromEva02(std::string_view name)
{
    if (name == "mask_token")
        return Renamed{{}, "the mask token"};
    std::string_view rest = name;
    if (!takePrefix(rest, "blocks."))
        return std::nullopt;
    const std::string_view number = takeNumber(rest);
    const auto inner = replacedBeginning(rest, evaBlock);
    return number.empty() || !inner ? std::nullopt
                                    : std::optional(Renamed{"blocks." + std::string(number) + "." + *inner, {}});
}

void finishEva02(Translation& translation)
{
    std::vector<std::string> tables;
    for (const auto& [name, tensor] : translation.tensors)
        if (name.ends_with("rope.freqs_cos") || name.ends_with("rope.freqs_sin"))
            tables.push_back(name);
    if (!tables.empty() && translation.tensors.at(tables.front()).shape().size() == 2)
        translation.hints.push_back({"head_dim", translation.tensors.at(tables.front()).shape()[1]});
    for (const std::string& name : tables)
        translation.passOver(name, "tables of the rotary positions, which are computed");
    translation.nameMark = "eva02_";
    translation.hints.push_back({"rope",
                                 {{"type", "axial"},
                                  {"temperature", 10000.0},
                                  {"half", false},
                                  {"order", "ij"},
                                  {"offset", 0.0},
                                  {"ref_grid", {16, 16}}}});
    translation.hints.push_back({"act", "silu"});
}

std::optional<Renamed> fromBeit(std::string_view name)
{
    if (name.ends_with(".relative_position_index"))
        return Renamed{{}, "indices of the relative positions"};
    return std::nullopt;
}

bool isEva02(const TensorIndex& index)
{
    return index.begins("blocks.0.attn.inner_attn_ln.") || index.begins("blocks.0.mlp.ffn_ln.")
           || index.begins("blocks.0.mlp.w1.") || index.begins("blocks.0.attn.rope.freqs_")
           || index.begins("rope.freqs_cos");
}

}

std::vector<VitLayout> maskedLayouts()
{
    return {
        {"MAE", [](const TensorIndex& index) { return index.begins("decoder_embed."); }, fromMae},
        {"EVA-02", isEva02, fromEva02, finishEva02},
        {"BEiT", [](const TensorIndex& index) { return index.has("blocks.0.attn.relative_position_index"); },
         fromBeit},
    };
}

}

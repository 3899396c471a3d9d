#include "models/pvt/pvt_names.h"

#include "core/base/number.h"
#include "core/base/text.h"

#include <optional>
#include <string_view>

namespace attnscope {

namespace {

/// "12.rest" → 12, and `text` becomes "rest".
std::optional<int> takeIndex(std::string_view& text)
{
    const size_t dot = text.find('.');
    const auto index = dot == text.npos ? std::nullopt : parseNumber(text.substr(0, dot), 0, 9998);
    if (index)
        text.remove_prefix(dot + 1);
    return index;
}

/// The part of a block's name after its index: timm omits the module around the depthwise convolution.
std::string blockPart(std::string_view part)
{
    constexpr std::string_view convolution = "mlp.dwconv.";
    if (part.starts_with(convolution) && !part.substr(convolution.size()).starts_with("dwconv."))
        return std::string(convolution) + "dwconv." + std::string(part.substr(convolution.size()));
    return std::string(part);
}

}

std::string pvtOriginalName(const std::string& timmName)
{
    std::string_view rest = timmName;
    if (takePrefix(rest, "patch_embed."))
        return "patch_embed1." + std::string(rest);
    if (!takePrefix(rest, "stages."))
        return timmName;
    const auto index = takeIndex(rest);
    if (!index)
        return timmName;
    const std::string stage = std::to_string(*index + 1);
    if (takePrefix(rest, "downsample."))
        return "patch_embed" + stage + "." + std::string(rest);
    if (takePrefix(rest, "norm."))
        return "norm" + stage + "." + std::string(rest);
    if (!takePrefix(rest, "blocks."))
        return timmName;
    const auto block = takeIndex(rest);
    return block ? "block" + stage + "." + std::to_string(*block) + "." + blockPart(rest) : timmName;
}

}

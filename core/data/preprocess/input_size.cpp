#include "core/data/preprocess/input_size.h"

#include "core/base/error.h"
#include "core/base/text.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace attnscope {

namespace {

constexpr int64_t longestSide = 16384;

std::optional<int64_t> sideOf(std::string_view text)
{
    int64_t side = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), side);
    if (error != std::errc() || end != text.data() + text.size() || side < 1 || side > longestSide)
        return std::nullopt;
    return side;
}

}

InputSize InputSize::parse(const std::string& text)
{
    if (text == "0")
        return {};
    const std::string_view all = text;
    const size_t cross = all.find('x');
    const auto width = sideOf(all.substr(0, cross));
    const auto height = cross == std::string_view::npos ? width : sideOf(all.substr(cross + 1));
    if (!width || !height)
        throw UsageError("", "`" + printable(text) + "` is not an image size",
                         "give one side (518) or WIDTHxHEIGHT (1022x700) in pixels, up to "
                             + std::to_string(longestSide));
    return {*width, *height};
}

std::string InputSize::text() const
{
    return isSquare() ? std::to_string(width) : std::to_string(width) + "x" + std::to_string(height);
}

}

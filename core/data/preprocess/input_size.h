#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace attnscope {

/// The size of a network's input images in pixels; zero by zero stands for the network's own.
struct InputSize {
    int64_t width = 0, height = 0;

    constexpr InputSize() = default;
    constexpr InputSize(int64_t pixelsWide, int64_t pixelsHigh)
        : width(pixelsWide)
        , height(pixelsHigh)
    {}

    static constexpr InputSize square(int64_t side) { return {side, side}; }
    /// "518" for a square, "1022x700" for width and height, "0" for the network's own. Throws UsageError, also beyond 16384.
    static InputSize parse(const std::string& text);

    constexpr bool isOwn() const { return width == 0; }
    constexpr bool isSquare() const { return width == height; }
    constexpr int64_t shortSide() const { return std::min(width, height); }
    /// What `parse` reads back.
    std::string text() const;

    friend bool operator==(const InputSize&, const InputSize&) = default;
};

}

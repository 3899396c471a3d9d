// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace attnscope {

/// The size of a network's input images in pixels; zero by zero stands for the network's own.
struct InputSize {
    std::int64_t width = 0, height = 0;

    constexpr InputSize() = default;
    constexpr InputSize(std::int64_t pixelsWide, std::int64_t pixelsHigh) : width(pixelsWide), height(pixelsHigh) {}

    [[nodiscard]] static constexpr InputSize square(std::int64_t side) { return {side, side}; }
    /// "518" for a square, "1022x700" for width and height, "0" for the network's own. Throws UsageError, also beyond 16384.
    [[nodiscard]] static InputSize parse(const std::string& text);

    [[nodiscard]] constexpr bool isOwn() const { return width == 0; }
    [[nodiscard]] constexpr bool isSquare() const { return width == height; }
    [[nodiscard]] constexpr std::int64_t shortSide() const { return std::min(width, height); }
    /// What `parse` reads back.
    [[nodiscard]] std::string text() const;

    friend bool operator==(const InputSize&, const InputSize&) = default;
};

}  // namespace attnscope

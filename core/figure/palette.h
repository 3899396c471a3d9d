// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/marks.h"

#include <array>
#include <string>
#include <string_view>

/// The colours of exported figures, light and dark: those of the window's theme.
namespace attnscope {

struct ColourPair {
    std::string_view light, dark;
};

/// By hue: its colour, and a second shade for further attentions of one backend.
constexpr ColourPair hueColours[][2] = {{{"#1A1D24", "#E8EAEE"}, {"#76777C", "#8F9195"}},
                                        {{"#C85500", "#F0803C"}, {"#7F3D0F", "#F8C09E"}},
                                        {{"#B07900", "#E69F00"}, {"#71520F", "#F2CF80"}},
                                        {{"#B3598C", "#DB8FBB"}, {"#734060", "#EDC7DD"}},
                                        {{"#0068A6", "#4DA8EE"}, {"#0B486F", "#A6D4F6"}},
                                        {{"#00865F", "#16B88A"}, {"#0B5A46", "#8ADCC4"}},
                                        {{"#1F86BE", "#8CCFF4"}, {"#1D5A7D", "#C6E7FA"}},
                                        {{"#857A00", "#E6DC5A"}, {"#58530F", "#F2EEAC"}}};

[[nodiscard]] inline ColourPair shadeColour(Hue hue)
{
    return hueColours[static_cast<std::size_t>(hue)][1];
}

[[nodiscard]] inline ColourPair colourOf(const SeriesStyle& style)
{
    return hueColours[static_cast<std::size_t>(style.hue)][style.shaded() ? 1 : 0];
}

namespace paper {
constexpr ColourPair window{"#F4F5F7", "#15171B"}, surface{"#FFFFFF", "#1C1F25"}, sunken{"#EAECF0", "#111317"};
constexpr ColourPair text{"#1A1D24", "#E8EAEE"}, text2{"#4A5160", "#B0B7C3"}, text3{"#606877", "#949CAA"};
constexpr ColourPair line{"#DDE1E7", "#2F343D"}, control{"#7F8795", "#737B8A"};
}  // namespace paper

struct Rgb {
    double red = 0, green = 0, blue = 0;  ///< 0 … 255
    [[nodiscard]] std::string hex() const;
    /// Black or white, whichever contrasts more (WCAG 2 luminance).
    [[nodiscard]] std::string_view textColour() const;
};

/// Magnitude 0 … 1 in cividis; the same in both themes. Values outside are clamped.
[[nodiscard]] Rgb magnitudeColour(double fraction);
/// Difference −1 … 1 from blue over white to orange.
[[nodiscard]] Rgb differenceColour(double fraction);
/// Class 0, 1, …: sixteen colours, then the same again. Numbers next to each other differ in hue and lightness; the same in both themes.
[[nodiscard]] Rgb categoryColour(double number);

}  // namespace attnscope

#pragma once

#include <cstdint>

namespace attnscope {

/// One CMYK pixel (0 means no ink) as RGB: bit-identical to Pillow's conversion, which ignores colour profiles.
inline void cmykToRgb(uint8_t cyan, uint8_t magenta, uint8_t yellow, uint8_t black, uint8_t* rgb)
{
    const int light = 255 - black;
    const auto withInk = [light](int ink) {
        const int product = ink * light + 128;
        const int value = light - (((product >> 8) + product) >> 8);
        return uint8_t(value < 0 ? 0 : value);
    };
    rgb[0] = withInk(cyan);
    rgb[1] = withInk(magenta);
    rgb[2] = withInk(yellow);
}

}

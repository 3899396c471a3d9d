// SPDX-License-Identifier: Apache-2.0
#include "core/data/demo/light.h"

#include "core/data/demo/region_sampler.h"

namespace attnscope {

Light drawLight(SampleRandom& random)
{
    Light light;
    light.brightness = random.uniform(0.75, 1.25);
    light.contrast = random.uniform(0.75, 1.25);
    light.saturation = random.uniform(0.6, 1.4);
    for (double& tint : light.tint)
        tint = random.uniform(0.94, 1.06);
    return light;
}

void applyLight(Clip& clip, const Light& light)
{
    for (std::size_t i = 0; i < clip.pixels.size(); i += 3) {
        std::uint8_t* pixel = clip.pixels.data() + i;
        const double grey = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2];
        for (std::size_t c = 0; c < 3; ++c) {
            const double coloured = (grey + light.saturation * (pixel[c] - grey)) * light.tint[c]
                                    * light.brightness;
            pixel[c] = toByte(128 + light.contrast * (coloured - 128));
        }
    }
}

}  // namespace attnscope

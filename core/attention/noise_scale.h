// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"

#include <cmath>
#include <cstdint>
#include <optional>

namespace attnscope {

/// The meaning of noise=auto.
enum class AutoNoise { None, Unit };

/// Standard deviation of the noise added to scaled inputs, or empty for none.
inline std::optional<double> noiseStddev(const AttentionSpec& spec, AutoNoise whenAuto, std::int64_t width)
{
    const std::string& noise = spec.choice("noise");
    if (noise == "none" || (noise == "auto" && whenAuto == AutoNoise::None))
        return std::nullopt;
    return noise == "library" ? std::pow(static_cast<double>(width), -0.25) : 1.0;
}

}  // namespace attnscope

#pragma once

#include <string>

namespace attnscope {

/// How a position embedding for one grid is resized to another; published code disagrees.
enum class PositionRule {
    Own,   ///< the one that the network's authors use: in its description
    Deit,  ///< bicubic, a = −0.75, no antialiasing: DeiT, DeiT III, MAE, the Transformers library
    Timm,  ///< bicubic with antialiasing, a = −0.5: timm, DINOv2 with registers, OpenCLIP; also differs when enlarging
    Dinov2,  ///< as Deit, but the scale (n + 0.1) / n₀ enters the coordinates: DINOv2 without registers
};

/// "own", "deit", "timm" or "dinov2". Throws UsageError.
PositionRule parsePositionRule(const std::string& name);

/// In words, for notes: "bicubic with antialias, as timm does".
std::string describe(PositionRule rule);

}

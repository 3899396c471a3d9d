#pragma once

#include "core/measure/measurements.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

/// Which of two attentions is faster, by the rounds in which they took turns: docs/measurements.md. Independent of torch.
namespace attnscope {

constexpr size_t maxRounds = 1000;  ///< more decide nothing that these do not

/// The median of ratios, and its 95 % confidence interval by the sign test.
struct PairedRatio {
    double median = 1, low = 1, high = 1;
    int64_t rounds = 0;
};

/// Of `ours` to `theirs`, round by round, without times that are not positive and finite. Empty for fewer than 6 rounds, which allow no interval.
std::optional<PairedRatio> pairedRatio(const std::vector<double>& ours, const std::vector<double>& theirs);

enum class Speed {
    Faster,     ///< all of the interval is below 1, and the median by half a percent or more
    Slower,     ///< likewise above
    Unclear,    ///< neither
    NotPaired,  ///< not measured in the same rounds, or by a version that did not keep them
};

struct SpeedVerdict {
    Speed speed = Speed::NotPaired;
    std::optional<PairedRatio> ratio;
};

enum class TimedPart { Model, Attention };

/// Of `ours` relative to `theirs`.
SpeedVerdict compareSpeed(const Latency& ours, const Latency& theirs, TimedPart part = TimedPart::Model);

/// "faster", "slower", "no clear difference" or "not paired".
const char* toText(Speed speed);

}

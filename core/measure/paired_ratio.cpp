#include "core/measure/paired_ratio.h"

#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

std::optional<PairedRatio> pairedRatio(const std::vector<double>& ours, const std::vector<double>& theirs)
{
    std::vector<double> ratios;
    for (size_t i = 0; i < std::min({ours.size(), theirs.size(), maxRounds}); ++i)
        if (const double ratio = ours[i] / theirs[i]; theirs[i] > 0 && ratio > 0 && std::isfinite(ratio))
            ratios.push_back(ratio);
    std::ranges::sort(ratios);
    const auto n = double(ratios.size());
    // The number of values below the median is Binomial(n, ½); `below` is P(fewer than k + 1 are).
    size_t k = 0;
    double term = std::exp2(-n), below = term;
    while (2 * (k + 1) <= ratios.size() && below <= 0.025) {
        ++k;
        term *= (n - double(k) + 1) / double(k);
        below += term;
    }
    if (k == 0)
        return std::nullopt;
    return PairedRatio{quantile(ratios, 0.5), ratios[k - 1], ratios[ratios.size() - k], std::ssize(ratios)};
}

SpeedVerdict compareSpeed(const Latency& ours, const Latency& theirs, TimedPart part)
{
    const auto rounds = part == TimedPart::Model ? &Latency::roundsMs : &Latency::attentionRoundsMs;
    if (ours.session != theirs.session || (ours.*rounds).empty() || (theirs.*rounds).empty())
        return {};
    SpeedVerdict verdict{Speed::Unclear, pairedRatio(ours.*rounds, theirs.*rounds)};
    constexpr double least = 1.005;
    if (verdict.ratio && verdict.ratio->high < 1 && verdict.ratio->median * least <= 1)
        verdict.speed = Speed::Faster;
    if (verdict.ratio && verdict.ratio->low > 1 && verdict.ratio->median >= least)
        verdict.speed = Speed::Slower;
    return verdict;
}

const char* toText(Speed speed)
{
    constexpr const char* names[] = {"faster", "slower", "no clear difference", "not paired"};
    return names[size_t(speed)];
}

}

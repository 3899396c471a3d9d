#pragma once

#include <cstdint>

/// Statistics of counts of correct and wrong predictions, independent of torch.
namespace attnscope {

struct Interval {
    double low = 0, high = 1;
};

/// The 95 % score interval of a proportion (Wilson, JASA 22, 1927): with p = k/n and z = 1.959964,
/// (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). Within [0, 1] also for k = 0 and k = n, where the bound is exact. n = 0: [0, 1].
Interval wilson95(std::int64_t correct, std::int64_t samples);

/// McNemar's exact test: the two-sided p of `onlyA` against `onlyB` under Binomial(onlyA + onlyB, ½), that is min(1, 2 P(X ≤ min(onlyA,
/// onlyB))). Summed from the largest term outwards in log space, so that neither millions of pairs overflow nor tiny p lose digits
/// (relative error below 1e−9; 0 below 1e−308). If no pair differs: 1.
double mcnemarExact(std::int64_t onlyA, std::int64_t onlyB);

}

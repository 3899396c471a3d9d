#pragma once

#include <cstdint>
#include <vector>

/// Statistics of counts of correct and wrong predictions, independent of torch.
namespace attnscope {

struct Interval {
    double low = 0, high = 1;
};

/// Whether neither lies above the other: then nothing is better.
inline bool overlaps(const Interval& a, const Interval& b)
{
    return a.low <= b.high && b.low <= a.high;
}

/// The 95 % score interval of a proportion (Wilson, JASA 22, 1927): with p = k/n and z = 1.959964,
/// (p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n). Within [0, 1] also for k = 0 and k = n, where the bound is exact. n = 0: [0, 1].
Interval wilson95(int64_t correct, int64_t samples);

/// How many of the samples were right.
struct Proportion {
    int64_t samples = 0, correct = 0;
    bool known() const { return samples > 0; }
    double value() const { return known() ? double(correct) / double(samples) : 0; }
    Interval interval() const { return wilson95(correct, samples); }  ///< 95 %, Wilson
};

/// Of how many the first predicted class is the true one, and of how many it is among the first five.
struct Accuracy : Proportion {
    int64_t correct5 = 0;
    Proportion top5() const { return {samples, correct5}; }
    /// Adds a sample whose true class has `rank` classes before it.
    void count(int64_t rank)
    {
        ++samples;
        correct += rank < 1 ? 1 : 0;
        correct5 += rank < 5 ? 1 : 0;
    }
};

/// McNemar's exact test: the two-sided p of `onlyA` against `onlyB` under Binomial(onlyA + onlyB, ½), that is min(1, 2 P(X ≤ min(onlyA,
/// onlyB))). Summed from the largest term outwards in log space, so that neither millions of pairs overflow nor tiny p lose digits
/// (relative error below 1e−9; 0 below 1e−308). If no pair differs: 1.
double mcnemarExact(int64_t onlyA, int64_t onlyB);

/// What one test of several is left with by Holm's procedure (Scandinavian Journal of Statistics 6, 1979).
struct HolmTest {
    int64_t factor =
        1;  ///< tests whose p is not smaller, with this one: their number for the smallest p, 1 for the largest
    double adjusted = 1;  ///< p times that, at most 1, and at least that of every smaller p
};
/// One for each p. A test is significant at level α, with at most α for any false one among all, if its adjusted p is at most α.
std::vector<HolmTest> holm(const std::vector<double>& p);

/// The 95 % interval (percentiles) of B's accuracy minus A's by the paired bootstrap (Efron & Tibshirani 1993, chapter 13): 10,000 resamples
/// of the samples, drawn as their counts, which are multinomial. Always the same for the same counts; no samples: [0, 0].
Interval bootstrapDifference95(int64_t onlyA, int64_t onlyB, int64_t samples);

}

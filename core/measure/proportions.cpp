#include "core/measure/proportions.h"

#include "core/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace attnscope {

namespace {

/// ln(n!) − (n ln n − n + ½ ln 2πn), by Stirling's series: this keeps the digits of the difference that lgamma loses for large n.
double stirlingRest(double n)
{
    if (n < 16)
        return std::lgamma(n + 1) - ((n + 0.5) * std::log(n) - n + 0.91893853320467274178);
    const double square = n * n;
    return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / (1680 * square)) / square) / square) / n;
}

/// n ln(1/2p) with p = k/n near ½, where the direct form cancels: k · ln(k / (n/2)).
double deviance(double k, double half)
{
    return k * std::log1p((k - half) / half);
}

/// ln of C(n, k) / 2ⁿ for k < n, after Loader (2000), "Fast and accurate computation of binomial probabilities".
double logHalfBinomial(double n, double k)
{
    if (k == 0)
        return -n * std::numbers::ln2;
    const double half = n / 2, rest = n - k;
    const double stirling = stirlingRest(n) - stirlingRest(k) - stirlingRest(rest);
    return stirling - deviance(k, half) - deviance(rest, half)
           + 0.5 * std::log(n / (2 * std::numbers::pi * k * rest));
}

}

Interval wilson95(int64_t correct, int64_t samples)
{
    if (samples <= 0)
        return {};
    constexpr double z = 1.959963984540054, z2 = z * z;
    const auto n = double(samples);
    const double p = double(correct) / n;
    const double centre = p + z2 / (2 * n);
    const double spread = z * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    const double scale = 1 + z2 / n;
    return {correct == 0 ? 0 : std::max(0.0, (centre - spread) / scale),
            correct == samples ? 1 : std::min(1.0, (centre + spread) / scale)};
}

double mcnemarExact(int64_t onlyA, int64_t onlyB)
{
    const int64_t total = onlyA + onlyB, fewer = std::min(onlyA, onlyB);
    if (onlyA == onlyB)
        return 1;
    // Terms relative to the largest, C(n, fewer), shrink by k / (n − k + 1) < 1 for each step down.
    double sum = 0, term = 1;
    for (int64_t k = fewer; k >= 0 && term > sum * 1e-17; --k) {
        sum += term;
        term *= double(k) / double(total - k + 1);
    }
    const double largest = logHalfBinomial(double(total), double(fewer));
    return std::min(1.0, 2 * std::exp(largest + std::log(sum)));
}

std::vector<HolmTest> holm(const std::vector<double>& p)
{
    std::vector<size_t> order(p.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](size_t i) { return p[i]; });
    std::vector<HolmTest> tests(p.size());
    double smaller = 0;
    for (size_t rank = 0; rank < order.size(); ++rank) {
        const auto factor = int64_t(p.size() - rank);
        smaller = std::max(smaller, std::min(1.0, double(factor) * p[order[rank]]));
        tests[order[rank]] = {factor, smaller};
    }
    return tests;
}

Interval bootstrapDifference95(int64_t onlyA, int64_t onlyB, int64_t samples)
{
    constexpr int resamples = 10'000;
    const int64_t different = onlyA + onlyB;
    if (different <= 0 || samples < different)
        return {0, 0};
    using Binomial = std::binomial_distribution<int64_t>;
    std::mt19937_64 random(1);  // NOLINT(bugprone-random-generator-seed,cert-msc51-cpp): repeatable
    Binomial differing(samples, double(different) / double(samples));
    std::vector<double> differences;
    for (int i = 0; i < resamples; ++i) {
        const int64_t drawn = differing(random);
        const int64_t drawnB = Binomial(drawn, double(onlyB) / double(different))(random);
        differences.push_back(double(2 * drawnB - drawn) / double(samples));
    }
    return {quantile(differences, 0.025), quantile(differences, 0.975)};
}

}

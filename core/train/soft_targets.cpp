#include "core/train/soft_targets.h"

#include "core/data/augment/sample_random.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Gamma(α, 1) by Marsaglia and Tsang (2000); for α < 1 using Gamma(α + 1) · U^(1/α).
double gammaNumber(double alpha, SampleRandom& random)
{
    if (alpha < 1)
        return gammaNumber(alpha + 1, random) * std::pow(random.uniform(), 1 / alpha);
    const double d = alpha - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = random.normal(), v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(random.uniform()) < x * x / 2 + d - d * v + d * std::log(v))
            return d * v;
    }
}

double betaNumber(double alpha, SampleRandom& random)
{
    const double a = gammaNumber(alpha, random), b = gammaNumber(alpha, random);
    return a + b > 0 ? a / (a + b) : 0.5;
}

void mixTargets(at::Tensor first, at::Tensor second, double own)
{
    const at::Tensor kept = first.clone();
    first.mul_(own).add_(second, 1 - own);
    second.mul_(own).add_(kept, 1 - own);
}

void blend(at::Tensor first, at::Tensor second, double own)
{
    mixTargets(first, second, own);  // the same operation, on pixels
}

/// Exchanges a rectangle of about 1 − λ of the area; returns the fraction that remains.
double exchangeRectangle(const at::Tensor& first, const at::Tensor& second, double lambda, SampleRandom& random)
{
    const int64_t height = first.size(-2), width = first.size(-1);
    const double side = std::sqrt(1 - lambda);
    const auto halfHeight = int64_t(double(height) * side) / 2, halfWidth = int64_t(double(width) * side) / 2;
    const int64_t y = random.below(height), x = random.below(width);
    const int64_t top = std::max<int64_t>(y - halfHeight, 0), bottom = std::min(y + halfHeight, height),
                  left = std::max<int64_t>(x - halfWidth, 0), right = std::min(x + halfWidth, width);
    const auto part = [&](const at::Tensor& image) { return image.slice(-2, top, bottom).slice(-1, left, right); };
    const at::Tensor kept = part(first).clone();
    part(first).copy_(part(second));
    part(second).copy_(kept);
    return 1 - double((bottom - top) * (right - left)) / double(height * width);
}

}

at::Tensor smoothedTargets(const std::vector<int64_t>& labels, int64_t classes, double smoothing)
{
    const auto count = int64_t(labels.size());
    at::Tensor targets = at::full({count, classes}, smoothing / double(classes), at::kFloat);
    for (int64_t i = 0; i < count; ++i)
        targets[i][labels[size_t(i)]] += 1 - smoothing;
    return targets;
}

void mixPairs(MixedBatch& batch, const std::vector<int64_t>& samples, const AugmentPlan& plan, uint64_t seed,
              uint64_t epoch)
{
    if (plan.mixup <= 0 && plan.cutmix <= 0)
        return;
    for (size_t i = 0; i + 1 < samples.size(); i += 2) {
        // Separate from the streams that augment the sample itself.
        SampleRandom random(seed ^ 0x6d69787570ULL, epoch, uint64_t(samples[i]));
        const auto index = int64_t(i);
        const at::Tensor first = batch.input[index], second = batch.input[index + 1];
        const bool cut = plan.mixup <= 0 || (plan.cutmix > 0 && random.chance(0.5));
        double own = betaNumber(cut ? plan.cutmix : plan.mixup, random);
        if (cut)
            own = exchangeRectangle(first, second, own, random);
        else
            blend(first, second, own);
        mixTargets(batch.targets[index], batch.targets[index + 1], own);
    }
}

at::Tensor softCrossEntropy(const at::Tensor& logits, const at::Tensor& targets)
{
    return -(targets * logits.log_softmax(1)).sum();
}

}

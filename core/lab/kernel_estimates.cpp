#include "core/lab/kernel_estimates.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"

namespace attnscope {

namespace {

at::Tensor squaredNorm(const at::Tensor& x)
{
    return x.to(at::kDouble).square().sum(-1);
}

void checkPairs(const at::Tensor& x, const at::Tensor& y)
{
    if (x.dim() != 2 || x.sizes() != y.sizes())
        throw UsageError("", "x is " + describeShape(x.sizes()) + " and y " + describeShape(y.sizes()),
                         "both must be (pairs, channels)");
}

void checkNoise(const at::Tensor& x, const KernelNoise& noise, KernelFeatures features)
{
    if (noise.omega.dim() != 2 || noise.omega.size(0) < 1 || noise.omega.size(1) != x.size(1))
        throw UsageError("", "omega is " + describeShape(noise.omega.sizes()),
                         "it needs a row of " + std::to_string(x.size(1)) + " channels for each sample");
    const auto phases = noise.omega.sizes().slice(0, 1);
    if (features == KernelFeatures::Cosine && (!noise.phase.defined() || noise.phase.sizes() != phases))
        throw UsageError("", "cosine features need a phase for each of " + std::to_string(noise.omega.size(0))
                                 + " samples");
}

/// The estimate times exp(−shift), shift (P): inside the exponents, where nothing overflows.
at::Tensor shiftedEstimate(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise,
                           KernelFeatures features, const at::Tensor& shift)
{
    checkPairs(x, y);
    checkNoise(x, noise, features);
    const auto omega = noise.omega.to(at::kDouble).transpose(0, 1);
    const auto project = [&](const at::Tensor& t) { return at::matmul(t.to(at::kDouble), omega); };  // (P,S)
    const auto half = (squaredNorm(x) + squaredNorm(y)) * 0.5;
    const auto down = (-half - shift).unsqueeze(1), up = (half - shift).exp().unsqueeze(1);  // (P,1)
    switch (features) {
    case KernelFeatures::Positive:
        return (project(x + y) + down).exp().mean(1);
    case KernelFeatures::Hyperbolic: {
        const auto sum = project(x + y);
        return ((sum + down).exp() + (-sum + down).exp()).mean(1) * 0.5;
    }
    case KernelFeatures::Trigonometric:
        return (project(x - y).cos() * up).mean(1);
    case KernelFeatures::Cosine:
        break;
    }
    const auto phase = noise.phase.to(at::kDouble);
    return ((project(x) + phase).cos() * (project(y) + phase).cos() * up).mean(1) * 2;
}

}

at::Tensor kernelEstimate(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise,
                          KernelFeatures features)
{
    return shiftedEstimate(x, y, noise, features, at::zeros({}, x.options().dtype(at::kDouble)));
}

at::Tensor relativeKernelEstimate(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise,
                                  KernelFeatures features)
{
    return shiftedEstimate(x, y, noise, features, (x.to(at::kDouble) * y.to(at::kDouble)).sum(-1));
}

at::Tensor relativeKernelVariance(const at::Tensor& x, const at::Tensor& y, KernelFeatures features)
{
    checkPairs(x, y);
    if (features == KernelFeatures::Positive || features == KernelFeatures::Hyperbolic) {
        const auto a = squaredNorm(x.to(at::kDouble) + y.to(at::kDouble));
        const auto positive = a.expm1();
        return features == KernelFeatures::Positive ? positive : positive * (-(-a).expm1()) * 0.5;
    }
    // e^(‖x‖² + ‖y‖²) / e^(2x·y) = e^b.
    const auto b = squaredNorm(x.to(at::kDouble) - y.to(at::kDouble));
    const auto trigonometric = b.exp() * (-b).expm1().square() * 0.5;
    return features == KernelFeatures::Trigonometric ? trigonometric : trigonometric + b.exp() * 0.5;
}

at::Tensor kernelVariance(const at::Tensor& x, const at::Tensor& y, KernelFeatures features)
{
    const auto relative = relativeKernelVariance(x, y, features);
    const auto square = ((x.to(at::kDouble) * y.to(at::kDouble)).sum(-1) * 2).exp();
    // Features that are exact vary by 0 whatever the size of the kernel.
    return at::where(relative == 0, relative, relative * square);
}

}

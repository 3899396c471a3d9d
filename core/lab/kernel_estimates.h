#pragma once

#include "core/lab/kernel_plot.h"

#include <ATen/ATen.h>

/// Random-feature estimates of the kernel exp(x·y), and how much they vary. All in float64.
namespace attnscope {

/// Random numbers of S features.
struct KernelNoise {
    at::Tensor omega;  ///< (S,D), standard normal
    at::Tensor phase;  ///< (S), uniform in [0, 2π); used by Cosine only
};

/// Mean of S single-feature estimates of exp(x·y), each unbiased, with h = ½(‖x‖² + ‖y‖²):
/// positive exp(ω·(x + y) − h), hyperbolic cosh(ω·(x + y)) exp(−h), trigonometric cos(ω·(x − y)) exp(h),
/// cosine 2 cos(ω·x + β) cos(ω·y + β) exp(h). Sources: Choromanski et al., ICLR 2021; Rahimi and Recht, NIPS 2007.
/// x, y (P,D), omega (S,D) → (P). Throws UsageError if the sizes do not fit each other.
at::Tensor kernelEstimate(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise,
                          KernelFeatures features);

/// The same divided by exp(x·y): finite even if the kernel overflows.
at::Tensor relativeKernelEstimate(const at::Tensor& x, const at::Tensor& y, const KernelNoise& noise,
                                  KernelFeatures features);

/// Variance of a single-feature estimate, exactly, with a = ‖x + y‖² and b = ‖x − y‖²: positive e^(2x·y)(e^a − 1), hyperbolic
/// ½(1 − e^(−a)) of that, trigonometric ½ e^(‖x‖² + ‖y‖²)(1 − e^(−b))², cosine that + ½ e^(‖x‖² + ‖y‖²). Of S features: divide by S.
/// Source: Choromanski et al., ICLR 2021, lemma 2. x, y (P,D) → (P).
at::Tensor kernelVariance(const at::Tensor& x, const at::Tensor& y, KernelFeatures features);

/// The same divided by exp(2x·y): finite wherever e^a or e^b is, even if the kernel itself overflows.
at::Tensor relativeKernelVariance(const at::Tensor& x, const at::Tensor& y, KernelFeatures features);

}

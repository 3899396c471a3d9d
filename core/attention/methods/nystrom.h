#pragma once

#include "core/attention/backend_info.h"

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// y = softmax(s·q q̃ᵀ) · softmax(s·q̃ k̃ᵀ)⁺ · softmax(s·q̃ kᵀ) v with C landmarks q̃, k̃: means of consecutive segments of queries and
/// keys. Xiong et al., AAAI 2021, equations 13 and 14; without the published convolution of v, which no network here has. Deterministic;
/// C·(N+M)·(D+Dv) + C²·(D+Dv) multiply-adds per head and 4·C³ per iteration of the pseudo-inverse. Groups of keys (video frames) share
/// landmarks, taken from position-major tokens, and the first two factors.
BackendInfo nystromInfo();

/// The pseudo-inverse A⁺ of (…,C,C) after `iterations` steps of third order, Z ← ¼Z(13I − AZ(15I − AZ(7I − AZ))), from Z₀ = Aᵀ / (largest
/// column sum of |A|), for each matrix separately. Six steps, as published, do not converge.
at::Tensor iterativePseudoInverse(const at::Tensor& a, int64_t iterations);

}

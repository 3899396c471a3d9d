#pragma once

#include "core/attention/attention_backend.h"

#include <cstdint>

namespace attnscope {

/// Attention by two block-diagonal factors, as core/attention/training_free/monarch.h describes it.
struct CpuMonarch {
    int64_t block = 1;
    int64_t steps = 1;
};

/// Inputs for which fitsCpuKernels(in, KeyWeights::Taken) holds. Memory: queries, keys and values once more; N/b·N weights with several steps.
AttentionPart monarchOnCpu(const AttentionInput& in, const CpuMonarch& monarch);

}

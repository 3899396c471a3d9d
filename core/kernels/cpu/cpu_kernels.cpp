// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/cpu/cpu_kernels.h"

#include "core/kernels/cpu/isa_tables.h"

namespace attnscope::kernels {

namespace {

constexpr std::int64_t widestLanes = 16;

std::int64_t widest(std::int64_t n)
{
    return (n + widestLanes - 1) / widestLanes * widestLanes;
}

}  // namespace

std::int64_t featureScratch(const FeatureShape& shape)
{
    return featureRows * (3 * shape.paddedSamples + shape.paddedValues + 1);
}

std::int64_t softmaxScratch(std::int64_t valueWidth)
{
    const std::int64_t padded = widest(valueWidth);
    return keyTile * queryBlock + (queryBlock + keyTile) * padded + 3 * queryBlock;
}

std::int64_t drawScratch(std::int64_t count)
{
    return queryBlock * (keyTile + 3 + 2 * ((count + keyTile - 1) / keyTile));
}

const std::vector<const CpuKernels*>& supportedCpuKernels()
{
    static const std::vector<const CpuKernels*> supported = [] {
        std::vector<const CpuKernels*> found;
#if defined(__x86_64__)
        const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
                          && __builtin_cpu_supports("avx512bw");
        if (wide && __builtin_cpu_supports("avx512bf16"))
            found.push_back(&avx512_bf16::kernels());
        if (wide)
            found.push_back(&avx512::kernels());
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found.push_back(&avx2::kernels());
#endif
        found.push_back(&portable::kernels());
        return found;
    }();
    return supported;
}

const CpuKernels& cpuKernels()
{
    return *supportedCpuKernels().front();
}

}  // namespace attnscope::kernels

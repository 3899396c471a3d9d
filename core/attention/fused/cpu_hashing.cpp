#include "core/attention/fused/cpu_hashing.h"

#include "core/attention/fused/cpu_tensors.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

HashOnCpu::HashOnCpu(const at::Tensor& rotations, bool centered)
    : m_rotations(rotations.to(at::kFloat).transpose(2, 3).contiguous())
    , m_centered(centered)
{}

std::vector<std::vector<int32_t>> HashOnCpu::bucketsOf(const at::Tensor& x, int64_t element, int64_t head) const
{
    const auto& cpu = kernels::cpuKernels();
    const int64_t count = x.size(2), width = x.size(3), rounds = m_rotations.size(1), half = m_rotations.size(2);
    const float* const rotations = m_rotations.const_data_ptr<float>() + head * m_rotations.stride(0);
    // (x − mean)·r = x·r − mean·r
    std::vector<float> bias(size_t(rounds * half), 0);
    if (m_centered) {
        std::vector<float> mean(static_cast<size_t>(width));
        cpu.meanOfCell(rowsOf(x, element, head), 1, count, count, width, mean.data());
        for (size_t i = 0; i < bias.size(); ++i)
            bias[i] = -std::inner_product(mean.begin(), mean.end(), rotations + int64_t(i) * width, 0.0f);
    }
    std::vector<float> memory(size_t(kernels::queryBlock * (width + kernels::keyTile)));
    float* const columns = memory.data() + kernels::queryBlock * kernels::keyTile;
    std::vector<std::vector<int32_t>> buckets(static_cast<size_t>(rounds), std::vector<int32_t>(size_t(count)));
    for (int64_t first = 0; first < count; first += kernels::queryBlock) {
        const int64_t rows = std::min(kernels::queryBlock, count - first);
        cpu.packQueries(
            {.queries = rowsOf(x, element, head, first), .count = rows, .width = width, .columns = columns});
        for (int64_t r = 0; r < rounds; ++r)
            cpu.argmaxKeys({.columns = columns,
                            .rows = rows,
                            .width = width,
                            .keys = {rotations + r * half * width, width},
                            .count = half,
                            .bias = bias.data() + r * half,
                            .bothSigns = true,
                            .found = buckets[size_t(r)].data() + first,
                            .scratch = memory.data()});
    }
    return buckets;
}

}

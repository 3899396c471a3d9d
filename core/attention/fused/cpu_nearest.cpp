#include "core/attention/fused/cpu_nearest.h"

#include "core/attention/fused/cpu_tensors.h"

#include <array>

namespace attnscope {

at::Tensor nearestKeysOnCpu(const at::Tensor& x, const at::Tensor& keys)
{
    const auto& cpu = kernels::cpuKernels();
    const int64_t rows = x.size(1), count = keys.size(1), width = x.size(2);
    const auto found = at::empty({x.size(0), rows}, at::kLong);
    const auto bias = at::zeros({count}, at::kFloat);
    const auto scratch = emptyFloats({at::get_num_threads(), kernels::queryBlock * (width + kernels::keyTile)});
    forEachRun(x.size(0), rows, double(count * width), [&](const QueryRun& run, int thread) {
        float* const columns = scratch.mutable_data_ptr<float>() + thread * scratch.stride(0);
        std::array<int32_t, kernels::queryBlock> nearest{};
        cpu.packQueries({.queries = {x.const_data_ptr<float>() + (run.pair * rows + run.first) * width, width},
                         .count = run.rows,
                         .width = width,
                         .columns = columns});
        cpu.argmaxKeys({.columns = columns,
                        .rows = run.rows,
                        .width = width,
                        .keys = {keys.const_data_ptr<float>() + run.pair * count * width, width},
                        .count = count,
                        .bias = bias.const_data_ptr<float>(),
                        .found = nearest.data(),
                        .scratch = columns + kernels::queryBlock * width});
        int64_t* const to = found.mutable_data_ptr<int64_t>() + run.pair * rows + run.first;
        for (int64_t n = 0; n < run.rows; ++n)
            to[n] = nearest[size_t(n)];
    });
    return found;
}

}

#include "core/nn/linear_choice.h"

#include "core/base/process/processors.h"
#include "core/kernels/linear_timings.h"
#include "core/kernels/parallel.h"
#include "core/nn/onednn.h"
#include "core/nn/packed_weights.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

namespace attnscope::onednn {

namespace {

/// Both take turns, so that what else the machine does hits both; the best of each is what it can do.
kernels::LinearTiming measured(const at::Tensor& weight, const kernels::LinearShape& shape)
{
    using Clock = std::chrono::steady_clock;
    constexpr int fewest = 4, most = 30;  // the first turn warms up
    constexpr double enough = 4;          // ms: a small layer's best of four may be chance
    const auto x = at::full({shape.rows, shape.in}, 0.5, weight.options());
    const auto own = packedWeights::linearLayer(weight, {});
    const auto packed = packLinear(weight, manyRows);
    std::array<double, 2> best{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const auto since = [](Clock::time_point begin) {
        return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    };
    const auto takeTurns = [&] {
        const auto first = Clock::now();
        for (int turn = 0; turn < fewest || (turn < most && since(first) < enough); ++turn)
            for (size_t side = 0; side < best.size(); ++side) {
                const auto begin = Clock::now();
                const auto y = side == 0 ? packedWeights::linear(x, own) : onednn::linear(x, packed, at::Tensor());
                best[side] = std::min(best[side], since(begin));
            }
        return kernels::LinearTiming{shape, best[0], best[1]};
    };
    kernels::LinearTiming timing = takeTurns();
    for (int doubt = 0; doubt < 3 && timing.prefersOneDnn(); ++doubt)  // another program may have taken our turns
        timing = takeTurns();
    return timing;
}

}

bool isFaster(const at::Tensor& weight, int64_t rows)
{
    static const bool whole = kernels::teamsAreWhole();
    const bool crowded = at::get_num_threads() > usableProcessors();  // times are then chance
    if (!kernels::linearTimingsAreKept() || !whole || crowded || rows < 1)
        return false;
    constexpr int64_t most =
        256;  // more rows take the same time each, and a network is to be open within a moment
    const kernels::LinearShape shape{weight.size(1), weight.size(0), std::min(rows, most),
                                     weight.scalar_type() == at::kFloat ? "float32" : "bfloat16",
                                     at::get_num_threads()};
    auto timing = kernels::linearTiming(shape);
    if (!timing) {
        timing = measured(weight, shape);
        kernels::remember(*timing);
    }
    if (timing->prefersOneDnn())
        kernels::useOneDnnFor(shape);
    return timing->prefersOneDnn();
}

}

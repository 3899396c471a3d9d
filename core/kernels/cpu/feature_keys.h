#pragma once

#include "core/kernels/cpu/feature_rows.h"
#include "core/kernels/cpu/query_columns.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Replaces a tile's log features of one vector of samples by their exponentials relative to the running maximum, and rescales the sums and
/// value rows of these samples to it. A value row is rescaled only if its maximum rose.
inline void raiseSummary(const SummariseKeys& task, float* logits, const float* norms, int64_t count, int64_t at)
{
    const int64_t row = task.shape.paddedSamples;
    const Floats before = load(task.summary.maximum + at);
    Floats maximum = before;
    for (int64_t j = 0; j < count; ++j) {
        const Floats x = load(logits + j * row + at) - broadcast(norms[j]);
        store(logits + j * row + at, x);
        maximum = max(x, maximum);
    }
    const Floats factor = exponential(before - maximum);
    Floats sum = load(task.summary.sum + at) * factor;
    for (int64_t j = 0; j < count; ++j) {
        const Floats x = exponential(load(logits + j * row + at) - maximum);
        store(logits + j * row + at, x);
        sum = sum + x;
    }
    store(task.summary.maximum + at, maximum);
    store(task.summary.sum + at, sum);
    for (int i = 0; i < lanes; ++i) {
        if (maximum[i] == before[i])
            continue;
        float* values = task.summary.values + (at + i) * task.shape.paddedValues;
        for (int64_t d = 0; d < task.shape.paddedValues; d += lanes)
            store(values + d, load(values + d) * broadcast(factor[i]));
    }
}

inline void summariseKeys(const SummariseKeys& task)
{
    const FeatureShape& shape = task.shape;
    const FeatureTile tile(task.scratch, shape);
    fill(task.summary.maximum, shape.paddedSamples, paddedLogit);
    fill(task.summary.sum, shape.paddedSamples, 0);
    fill(task.summary.values, shape.paddedSamples * shape.paddedValues, 0);
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        const Rows keys{task.keys.data + begin * task.keys.stride, task.keys.stride};
        const Rows values{task.values.data + begin * task.values.stride, task.values.stride};
        for (int64_t j = 0; j < count; ++j)
            tile.rows[j] = task.scaleOver2 * squareOf(keys.data + j * keys.stride, task.squareWeights, shape.width)
                           - (task.logWeights == nullptr ? 0 : task.logWeights[begin + j]);
        project(keys, count, shape, task.projections, tile.logits);
        for (int64_t s = 0; s < shape.paddedSamples; s += lanes)
            raiseSummary(task, tile.logits, tile.rows, count, s);
        multiply<Into::Add>({tile.logits, 1, shape.paddedSamples},
                            paddedRows(values, count, shape.valueDim, shape.paddedValues, tile.values),
                            {task.summary.values, shape.paddedValues}, shape.samples, shape.paddedValues, count);
    }
}

inline void normaliseColumns(const NormaliseColumns& task)
{
    const FeatureShape& shape = task.shape;
    const FeatureTile tile(task.scratch, shape);
    fill(task.maximum, shape.paddedSamples, paddedLogit);
    fill(task.sum, shape.paddedSamples, 0);
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        float* const exponents = task.exponents == nullptr ? tile.logits
                                                           : task.exponents + begin * shape.paddedSamples;
        project({task.rows.data + begin * task.rows.stride, task.rows.stride}, count, shape, task.projections,
                exponents);
        for (int64_t n = 0; n < count; ++n)
            tile.rows[n] = task.shift == nullptr ? 0 : task.shift[begin + n];
        for (int64_t c = 0; c < shape.paddedSamples; c += lanes) {
            const Floats before = load(task.maximum + c), factor = broadcast(task.factor);
            Floats maximum = before;
            for (int64_t n = 0; n < count; ++n) {
                float* const at = exponents + n * shape.paddedSamples + c;
                const Floats x = load(at) * factor - broadcast(tile.rows[n]);
                store(at, x);
                maximum = max(x, maximum);
            }
            Floats sum = load(task.sum + c) * exponential(before - maximum);
            for (int64_t n = 0; n < count; ++n)
                sum = sum + exponential(load(exponents + n * shape.paddedSamples + c) - maximum);
            store(task.maximum + c, maximum);
            store(task.sum + c, sum);
        }
        if (task.diagonal != nullptr)
            for (int64_t n = 0; n < count && begin + n < shape.samples; ++n)
                task.diagonal[begin + n] = exponents[n * shape.paddedSamples + begin + n];
    }
}

inline void packProjections(const PackProjections& task)
{
    const Floats factor = broadcast(task.factor);
    packColumns(task.projections, nullptr, task.shape.samples, task.shape.width,
                {task.columns, task.shape.paddedSamples}, [factor](Floats x) { return x * factor; });
}

}

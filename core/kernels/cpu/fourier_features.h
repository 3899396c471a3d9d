#pragma once

#include "core/kernels/cpu/feature_queries.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// Replaces angles by their sines and writes their cosines to `cosines`, both times the row's factor.
inline void takeSines(float* angles, float* cosines, const float* factors, const FeatureShape& shape,
                      int64_t count)
{
    for (int64_t j = 0; j < count; ++j) {
        const Floats factor = broadcast(factors == nullptr ? 1.0f : factors[j]);
        for (int64_t s = 0; s < shape.paddedSamples; s += lanes) {
            const SineCosine both = sineCosine(load(angles + j * shape.paddedSamples + s));
            store(angles + j * shape.paddedSamples + s, both.sine * factor);
            store(cosines + j * shape.paddedSamples + s, both.cosine * factor);
        }
    }
}

inline void addColumns(const float* features, const FeatureShape& shape, int64_t count, float* sums)
{
    for (int64_t s = 0; s < shape.paddedSamples; s += lanes) {
        Floats sum = load(sums + s);
        for (int64_t j = 0; j < count; ++j)
            sum = sum + load(features + j * shape.paddedSamples + s);
        store(sums + s, sum);
    }
}

/// e^{½‖k̂‖²} relative to the largest. It is at least 1e-38, so scalar computation is accurate enough.
ATTNSCOPE_INLINE float keyFactor(float exponent)
{
    return __builtin_expf(exponent);
}

inline void summariseFourier(const SummariseFourier& task)
{
    const FeatureShape& shape = task.shape;
    const FeatureTile tile(task.scratch, shape);
    fill(task.sum, 2 * shape.paddedSamples, 0);
    fill(task.valueSums, 2 * shape.paddedSamples * shape.paddedValues, 0);
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        const Rows keys{task.keys.data + begin * task.keys.stride, task.keys.stride};
        const Rows values{task.values.data + begin * task.values.stride, task.values.stride};
        for (int64_t j = 0; j < count; ++j)
            tile.rows[j] = task.scaleOver2 > 0 ? keyFactor(
                               task.scaleOver2 * squareOf(keys.data + j * keys.stride, shape.width) - task.shift)
                                               : 1.0f;
        project(keys, count, shape, task.projections, tile.logits);
        takeSines(tile.logits, tile.second, tile.rows, shape, count);
        addColumns(tile.logits, shape, count, task.sum);
        addColumns(tile.second, shape, count, task.sum + shape.paddedSamples);
        const Right right = paddedRows(values, count, shape.valueDim, shape.paddedValues, tile.values);
        multiply<Into::Add>({tile.logits, 1, shape.paddedSamples}, right, {task.valueSums, shape.paddedValues},
                            shape.samples, shape.paddedValues, count);
        multiply<Into::Add>({tile.second, 1, shape.paddedSamples}, right,
                            {task.valueSums + shape.paddedSamples * shape.paddedValues, shape.paddedValues},
                            shape.samples, shape.paddedValues, count);
    }
    // Projections in the padding are 0, and cos 0 is 1.
    fill(task.sum + shape.paddedSamples + shape.samples, shape.paddedSamples - shape.samples, 0);
}

/// Raises the magnitude to `floor` and keeps the sign: estimates of a sum by sines and cosines can vanish or become negative.
ATTNSCOPE_INLINE float guarded(float x, float floor)
{
    const float size = x < 0 ? -x : x;
    const float raised = size < floor ? floor : size;
    return x < 0 ? -raised : raised;
}

inline void attendFourier(const AttendFourier& task)
{
    const FeatureShape& shape = task.shape;
    const FeatureTile tile(task.scratch, shape);
    const int64_t block = shape.paddedSamples * shape.paddedValues;
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        project({task.queries.data + begin * task.queries.stride, task.queries.stride}, count, shape,
                task.projections, tile.logits);
        takeSines(tile.logits, tile.second, nullptr, shape, count);
        for (int64_t g = 0; g < task.groups; ++g) {
            const float* sums = task.sum + 2 * g * shape.paddedSamples;
            for (int64_t n = 0; n < count; ++n)
                tile.rows[n] = guarded(
                    innerProduct(tile.logits + n * shape.paddedSamples, sums, shape.paddedSamples)
                        + innerProduct(tile.second + n * shape.paddedSamples, sums + shape.paddedSamples,
                                       shape.paddedSamples),
                    task.floor);
            const float* values = task.valueSums + 2 * g * block;
            multiply<Into::Store>({tile.logits, shape.paddedSamples, 1}, {values, shape.paddedValues},
                                  {tile.values, shape.paddedValues}, count, shape.paddedValues, shape.samples);
            multiply<Into::Add>({tile.second, shape.paddedSamples, 1}, {values + block, shape.paddedValues},
                                {tile.values, shape.paddedValues}, count, shape.paddedValues, shape.samples);
            writeOutput(
                tile.values, tile.rows, shape, count,
                {task.out.data + (begin * task.groups + g) * task.out.stride, task.out.stride * task.groups});
        }
    }
}

}

#pragma once

#include "core/kernels/cpu/feature_rows.h"

namespace attnscope::kernels::ATTNSCOPE_ISA {

/// 1 in the lanes of actual samples, 0 in the padding.
ATTNSCOPE_INLINE Floats presence(int64_t at, int64_t samples)
{
    Floats x;
    for (int i = 0; i < lanes; ++i)
        x[i] = at + i < samples ? 1.0f : 0.0f;
    return x;
}

/// α_c of query n: max(balance_c + β (r_nc − mean_c r_nc), floor), from the exponents of r before normalisation.
inline void weighLandmarks(const LandmarkWeights& weights, const FeatureShape& shape, const float* exponents,
                           int64_t count, float* alphas)
{
    const int64_t row = shape.paddedSamples;
    const Floats present = presence(row - lanes, shape.samples);  // only the last vector has padding
    for (int64_t n = 0; n < count; ++n) {
        const float* exponent = exponents + n * row;
        float* own = alphas + n * row;
        Floats sum = broadcast(0);
        for (int64_t c = 0; c < row; c += lanes) {
            Floats x = exponential(load(exponent + c) - load(weights.normaliser + c));
            if (c == row - lanes)
                x = x * present;
            store(own + c, x);
            sum = sum + x;
        }
        const Floats mean = broadcast(total(sum) / float(shape.samples));
        const Floats beta = broadcast(weights.beta), floor = broadcast(weights.floor);
        for (int64_t c = 0; c < row; c += lanes) {
            const Floats alpha = fma(beta, load(own + c) - mean, load(weights.balance + c));
            store(own + c, weights.floor > 0 ? max(floor, alpha) : alpha);
        }
    }
}

/// Turns logits + bias into weights relative to exp(maximum), with their sum and, unless null, the maximum for each row. `times`
/// multiplies them unless null.
inline void softenRows(const float* logits, const float* bias, const float* times, const FeatureShape& shape,
                       int64_t count, float* weights, float* sums, float* maxima)
{
    const int64_t row = shape.paddedSamples;
    for (int64_t n = 0; n < count; ++n) {
        const float* in = logits + n * row;
        float* out = weights + n * row;
        Floats maximum = broadcast(paddedLogit);
        for (int64_t s = 0; s < row; s += lanes)
            maximum = max(load(in + s) + load(bias + s), maximum);
        const Floats shift = broadcast(largest(maximum));
        Floats sum = broadcast(0);
        for (int64_t s = 0; s < row; s += lanes) {
            Floats x = exponential(load(in + s) + load(bias + s) - shift);
            if (times != nullptr)
                x = x * load(times + n * row + s);
            store(out + s, x);
            sum = sum + x;
        }
        sums[n] = total(sum);
        if (maxima != nullptr)
            maxima[n] = shift[0];
    }
}

/// Writes rows divided by their sums, without the padding.
inline void writeOutput(const float* values, const float* sums, const FeatureShape& shape, int64_t count,
                        OutputRows out)
{
    for (int64_t n = 0; n < count; ++n) {
        const float* in = values + n * shape.paddedValues;
        float* to = out.data + n * out.stride;
        const float inverse = 1.0f / sums[n];
        int64_t d = 0;
        for (; d + lanes <= shape.valueDim; d += lanes)
            store(to + d, load(in + d) * broadcast(inverse));
        for (; d < shape.valueDim; ++d)
            to[d] = in[d] * inverse;
    }
}

inline void attendQueries(const AttendQueries& task)
{
    const FeatureShape& shape = task.shape;
    const FeatureTile tile(task.scratch, shape);
    const bool weighted = task.weights.landmarks != nullptr;
    for (int64_t begin = 0; begin < task.count; begin += featureRows) {
        const int64_t count = min(featureRows, task.count - begin);
        const Rows queries{task.queries.data + begin * task.queries.stride, task.queries.stride};
        project(queries, count, shape, task.projections, tile.logits);
        if (weighted) {
            const float* exponents = tile.second;
            if (task.weights.exponents != nullptr)
                exponents = task.weights.exponents + begin * shape.paddedSamples;
            else
                project(queries, count, shape, task.weights.landmarks, tile.second);
            weighLandmarks(task.weights, shape, exponents, count, tile.second);
        }
        for (int64_t g = 0; g < task.groups; ++g) {
            softenRows(tile.logits, task.bias + g * shape.paddedSamples, weighted ? tile.second : nullptr, shape,
                       count, tile.weights, tile.rows,
                       task.logNormaliser == nullptr ? nullptr : task.logNormaliser + begin);
            multiply<Into::Store>({tile.weights, shape.paddedSamples, 1},
                                  {task.values + g * shape.paddedSamples * shape.paddedValues, shape.paddedValues},
                                  {tile.values, shape.paddedValues}, count, shape.paddedValues, shape.samples);
            writeOutput(
                tile.values, tile.rows, shape, count,
                {task.out.data + (begin * task.groups + g) * task.out.stride, task.out.stride * task.groups});
            if (task.logNormaliser != nullptr)
                for (int64_t n = 0; n < count; ++n)
                    task.logNormaliser[begin + n] += logarithm(broadcast(tile.rows[n]))[0];
        }
    }
}

}

#include "core/attention/fused/cpu_tangent.h"

#include "core/attention/fused/cpu_query_clusters.h"
#include "core/attention/fused/cpu_tensors.h"
#include "core/attention/numerics/symmetric_eigen.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace attnscope {

namespace {

/// Keys whose weight is below this are left out: all of them together weigh less than rounding errors of the others.
constexpr float negligible = 1e-11f;

class TangentCall {
public:
    TangentCall(const AttentionInput& in, const CpuTangent& options)
        : m_in(in)
        , m_options(options)
        , m_heads(in.q.size(1))
        , m_elements(in.q.size(0) * m_heads)
        , m_queries(in.q.size(2))
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_clusters(options.centres.size(2))
        , m_shape(m_cpu.shape(m_width, m_clusters, in.v.size(3)))
        , m_weights(in.keyLogWeights.defined() ? in.keyLogWeights.neg().contiguous() : at::Tensor())
        , m_start(options.centres.contiguous())
        , m_residuals(emptyFloats({m_elements, m_queries, m_width}))
        , m_exponents(emptyFloats({m_elements, m_keys, m_shape.paddedSamples}))
        , m_maxima(emptyFloats({m_elements, m_shape.paddedSamples}))
        , m_sums(at::empty_like(m_maxima))
        , m_bounds(emptyFloats({m_elements, 2, m_shape.paddedValues}))
        , m_keyValues(at::cat({in.k, in.v}, 3))
        , m_means(emptyFloats({m_elements, m_clusters, m_width + in.v.size(3)}))
        , m_members(size_t(m_elements))
        , m_out(emptyFloats({in.q.size(0), m_queries, 1, m_heads, in.v.size(3)}))
    {
        if (options.normaliser)
            m_normalisers = emptyFloats({in.q.size(0), m_heads, m_queries});
    }

    AttentionPart run()
    {
        const auto perHead = double(m_clusters * m_width) * double(m_queries * m_options.iterations + m_keys);
        forEachTask(m_elements, perHead, [&](int64_t element, int) { prepare(element); });
        const bool narrow = m_options.firstOrder && m_options.rank > 0 && m_options.rank < m_width;
        at::Tensor keys = m_in.k, residuals = m_residuals, keyMeans = m_means.slice(2, 0, m_width);
        if (narrow) {
            const auto directions = principalDirections();
            keys = at::matmul(m_in.k, directions.unflatten(0, {m_in.q.size(0), m_heads}));  // (B,H,M,R)
            residuals = at::matmul(m_residuals, directions);                                // (B·H,N,R)
            keyMeans = at::matmul(keyMeans, directions);                                    // (B·H,C,R)
        }
        const auto perCluster = double(m_keys * keys.size(3) * m_in.v.size(3));
        forEachTask(m_elements * m_clusters, perCluster, [&](int64_t task, int) {
            attendCluster(task / m_clusters, task % m_clusters, {keys, residuals, keyMeans});
        });
        return {m_out.byHead(), m_normalisers};
    }

private:
    /// Projected, or as they are: (B,H,M,R), (B·H,N,R) and (B·H,C,R).
    struct Narrowed {
        at::Tensor keys, residuals, keyMeans;
    };
    struct Members {
        std::vector<int32_t> queries, ends;  // cluster after cluster
    };

    kernels::Rows rows(const at::Tensor& x, int64_t element) const
    {
        return rowsOf(x, element / m_heads, element % m_heads);
    }

    /// Clusters, residuals, logits of the centres, and bounds of the values, of one head.
    void prepare(int64_t element)
    {
        CpuQueryClusters clusters(m_queries, m_width, m_clusters);
        const auto start = rows(m_start, element), queries = rows(m_in.q, element);
        std::copy_n(start.data, m_clusters * m_width, clusters.centre(0));
        clusters.find(queries, m_options.iterations);
        sortMembers(clusters.assigned(), m_members[size_t(element)]);
        float* residual = m_residuals.mutable_data_ptr<float>() + element * m_residuals.stride(0);
        for (int64_t n = 0; n < m_queries; ++n, residual += m_width) {
            const float *const x = queries.data + n * queries.stride, *const centre = clusters.centre(
                                                                          clusters.assigned()[size_t(n)]);
            for (int64_t d = 0; d < m_width; ++d)
                residual[d] = x[d] - centre[d];
        }
        weighKeys(element, clusters.centre(0));
        boundValues(element);
    }

    void sortMembers(const std::vector<int32_t>& assigned, Members& members) const
    {
        members.ends.assign(size_t(m_clusters) + 1, 0);
        for (const int32_t cluster : assigned)
            ++members.ends[size_t(cluster) + 1];
        for (size_t c = 1; c < members.ends.size(); ++c)
            members.ends[c] += members.ends[c - 1];
        members.queries.resize(assigned.size());
        std::vector<int32_t> at(members.ends.begin(), members.ends.end() - 1);
        for (size_t n = 0; n < assigned.size(); ++n)
            members.queries[size_t(at[size_t(assigned[n])]++)] = int32_t(n);
    }

    void weighKeys(int64_t element, const float* centres)
    {
        const auto scale = float(m_in.scale);
        std::vector<float> columns(size_t(m_width * std::max(m_shape.paddedSamples, kernels::queryBlock)));
        std::vector<float> scratch(
            size_t(std::max(kernels::featureScratch(m_shape), kernels::softmaxScratch(m_keyValues.size(3)))));
        m_cpu.packProjections({m_shape, {centres, m_width}, scale, columns.data()});
        m_cpu.normaliseColumns(
            {.shape = m_shape,
             .projections = columns.data(),
             .rows = rows(m_in.k, element),
             .count = m_keys,
             .shift = m_weights.defined() ? m_weights.const_data_ptr<float>() + element * m_keys : nullptr,
             .maximum = row(m_maxima, element),
             .sum = row(m_sums, element),
             .exponents = row(m_exponents, element),
             .scratch = scratch.data()});
        std::vector<float> negated(size_t(m_weights.defined() ? m_keys : 0));
        for (size_t m = 0; m < negated.size(); ++m)
            negated[m] = -m_weights.const_data_ptr<float>()[size_t(element * m_keys) + m];
        const kernels::Rows keyValues = rows(m_keyValues, element);
        for (int64_t first = 0; first < m_clusters; first += kernels::queryBlock) {
            const int64_t count = std::min(kernels::queryBlock, m_clusters - first);
            m_cpu.packQueries({.queries = {centres + first * m_width, m_width},
                               .count = count,
                               .width = m_width,
                               .columns = columns.data()});
            m_cpu.softmaxRows({.columns = columns.data(),
                               .rows = count,
                               .width = m_width,
                               .keys = keyValues,
                               .count = m_keys,
                               .factor = scale,
                               .bias = negated.empty() ? nullptr : negated.data(),
                               .values = keyValues,
                               .valueDim = m_keyValues.size(3),
                               .out = {row(m_means, element) + first * m_means.size(2), m_means.size(2)},
                               .scratch = scratch.data()});
        }
    }

    void boundValues(int64_t element)
    {
        float *const low = row(m_bounds, element), *const high = low + m_shape.paddedValues;
        std::fill_n(low, m_shape.paddedValues, std::numeric_limits<float>::infinity());
        std::fill_n(high, m_shape.paddedValues, -std::numeric_limits<float>::infinity());
        const kernels::Rows values = rows(m_in.v, element);
        for (int64_t m = 0; m < m_keys; ++m)
            for (int64_t d = 0; d < m_shape.valueDim; ++d) {
                const float x = values.data[m * values.stride + d];
                low[d] = std::min(low[d], x);
                high[d] = std::max(high[d], x);
            }
    }

    /// Of all residuals of a head, those with the largest moments: (B·H,D,R).
    at::Tensor principalDirections() const
    {
        const auto moments = emptyFloats({m_elements, m_width, m_width});
        const int64_t padded = m_cpu.padded(m_width);
        forEachTask(m_elements, double(m_queries * m_width * m_width), [&](int64_t element, int) {
            std::vector<float> sums(size_t(m_width * padded));
            std::vector<float> scratch(size_t(kernels::momentScratch(m_width, m_width)));
            const kernels::Rows residuals{m_residuals.const_data_ptr<float>() + element * m_residuals.stride(0),
                                          m_width};
            m_cpu.crossMoments({.left = residuals,
                                .right = residuals,
                                .count = m_queries,
                                .leftWidth = m_width,
                                .rightWidth = m_width,
                                .out = sums.data(),
                                .scratch = scratch.data()});
            for (int64_t d = 0; d < m_width; ++d)
                std::copy_n(sums.begin() + d * padded, m_width, row(moments, element) + d * m_width);
        });
        FallenHeads notFinite(covarianceNotFinite);
        return symmetricEigen(moments, notFinite).vectors.slice(-1, m_width - m_options.rank);
    }

    void attendCluster(int64_t element, int64_t cluster, const Narrowed& narrowed)
    {
        const Members& members = m_members[size_t(element)];
        const int32_t begin = members.ends[size_t(cluster)], end = members.ends[size_t(cluster) + 1];
        if (begin == end)
            return;
        const float logNormaliser = row(m_maxima, element)[cluster] + std::log(row(m_sums, element)[cluster]);
        if (m_options.normaliser)
            writeNormalisers(element, cluster, logNormaliser, members.queries.data() + begin,
                             members.queries.data() + end);
        const int64_t rank = m_options.firstOrder ? narrowed.keys.size(3) : 0, padded = m_shape.paddedValues;
        std::vector<float> moments(size_t((rank + 1) * padded));
        std::vector<float> scratch(size_t(kernels::momentScratch(rank, m_shape.valueDim)));
        float* const mean = moments.data() + rank * padded;
        std::copy_n(row(m_means, element) + cluster * m_means.size(2) + m_width, m_shape.valueDim, mean);
        if (rank > 0)
            m_cpu.crossMoments({.left = rows(narrowed.keys, element),
                                .right = rows(m_in.v, element),
                                .count = m_keys,
                                .leftWidth = rank,
                                .rightWidth = m_shape.valueDim,
                                .exponents = row(m_exponents, element) + cluster,
                                .exponentStride = m_shape.paddedSamples,
                                .shift = logNormaliser,
                                .minWeight = negligible,
                                .out = moments.data(),
                                .scratch = scratch.data()});
        const auto scale = float(m_in.scale);
        const float* const keyMean = narrowed.keyMeans.const_data_ptr<float>()
                                     + element * narrowed.keyMeans.stride(0)
                                     + cluster * narrowed.keyMeans.stride(1);
        for (int64_t r = 0; r < rank; ++r) {
            float* const own = moments.data() + r * padded;
            for (int64_t d = 0; d < padded; ++d)
                own[d] = scale * (own[d] - keyMean[r] * mean[d]);
        }
        const bool clip = m_options.clip && m_options.firstOrder && !m_in.linear;
        m_cpu.expandRows(
            {.rows = {narrowed.residuals.const_data_ptr<float>() + element * narrowed.residuals.stride(0),
                      narrowed.residuals.size(2)},
             .index = members.queries.data() + begin,
             .count = end - begin,
             .width = rank,
             .valueDim = m_shape.valueDim,
             .matrix = moments.data(),
             .offset = mean,
             .low = clip ? row(m_bounds, element) : nullptr,
             .high = clip ? row(m_bounds, element) + padded : nullptr,
             .out = m_out.rows(element / m_heads, element % m_heads, 0),
             .scratch = scratch.data()});
    }

    void writeNormalisers(int64_t element, int64_t cluster, float ofCentre, const int32_t* query,
                          const int32_t* end)
    {
        const float* const meanKey = row(m_means, element) + cluster * m_means.size(2);
        float* const normalisers = m_normalisers.mutable_data_ptr<float>() + element * m_queries;
        for (; query != end; ++query) {
            const float* const residual = row(m_residuals, element) + *query * m_width;
            float product = 0;
            for (int64_t d = 0; d < m_width; ++d)
                product += residual[d] * meanKey[d];
            normalisers[*query] = ofCentre + float(m_in.scale) * product;
        }
    }

    static float* row(const at::Tensor& x, int64_t at) { return x.mutable_data_ptr<float>() + at * x.stride(0); }

    const AttentionInput& m_in;
    const CpuTangent& m_options;
    const kernels::CpuKernels& m_cpu = kernels::cpuKernels();
    int64_t m_heads, m_elements, m_queries, m_keys, m_width, m_clusters;
    kernels::FeatureShape m_shape;
    at::Tensor m_weights;             // −w of each key
    at::Tensor m_start, m_residuals;  // (B,H,C,D), (B·H,N,D)
    at::Tensor m_exponents, m_maxima, m_sums;
    at::Tensor m_bounds;              // least and largest values of each channel
    at::Tensor m_keyValues, m_means;  // (B,H,M,D + Dv), and its means under the centres' attention (B·H,C,D + Dv)
    at::Tensor m_normalisers;
    std::vector<Members> m_members;
    TokenMajorOutput m_out;
};

}

AttentionPart tangentOnCpu(const AttentionInput& in, const CpuTangent& tangent)
{
    return TangentCall(in, tangent).run();
}

}

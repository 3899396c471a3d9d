#include "core/attention/fused/cpu_clustered.h"

#include "core/attention/fused/cpu_query_clusters.h"
#include "core/attention/fused/cpu_tensors.h"
#include "core/attention/sparse/key_pattern.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace attnscope {

namespace {

using Floats = std::vector<float>;

Floats floats(int64_t count)
{
    return Floats(size_t(count));
}

/// The order of floats, NaN included, as that of integers; the same function leads back.
int32_t ordered(int32_t bits)
{
    return bits ^ (bits >> 31 & 0x7fffffff);
}

/// Of each column of numbers (rows, columns) the `kept`-th largest, as an integer in that order. It is found bit by bit.
void findThresholds(const float* numbers, int64_t rows, int64_t kept, std::vector<int32_t>& thresholds)
{
    const size_t columns = thresholds.size();
    std::vector<int32_t> higher(columns), count(columns);
    std::ranges::fill(thresholds, std::numeric_limits<int32_t>::min());
    for (int bit = 31; bit >= 0; --bit) {
        for (size_t c = 0; c < columns; ++c)
            higher[c] = int32_t(uint32_t(thresholds[c]) + (1u << bit));
        std::ranges::fill(count, 0);
        for (int64_t row = 0; row < rows; ++row) {
            const float* const own = numbers + row * int64_t(columns);
            for (size_t c = 0; c < columns; ++c)
                count[c] += ordered(std::bit_cast<int32_t>(own[c])) >= higher[c] ? 1 : 0;
        }
        for (size_t c = 0; c < columns; ++c)
            thresholds[c] = count[c] >= kept ? higher[c] : thresholds[c];
    }
}

/// One head of one element after the other, in memory of its own.
class ClusteredHead {
public:
    /// Numbers of `memory`: the logits.
    static int64_t memoryOf(const AttentionInput& in, const CpuClusters& clusters)
    {
        return clusters.topKeys > 0 ? in.k.size(2) * kernels::cpuKernels().padded(clusters.starts.size(2)) : 0;
    }

    ClusteredHead(const AttentionInput& in, const CpuClusters& clusters, float* memory)
        : m_in(in)
        , m_options(clusters)
        , m_patches(in.q.size(2) - clusters.prefix)
        , m_keys(in.k.size(2))
        , m_width(in.q.size(3))
        , m_valueDim(in.v.size(3))
        , m_clusters(clusters.starts.size(2))
        , m_topKeys(std::min(clusters.topKeys, m_keys))
        , m_shape(m_cpu.shape(m_width, m_clusters, m_valueDim))
        , m_logits(memory)
        , m_found(m_patches, m_width, m_clusters)
        , m_full(floats(m_clusters * m_valueDim))
        , m_projections(floats(m_width * m_shape.paddedSamples))
        , m_maxima(floats(m_shape.paddedSamples))
        , m_weightSums(m_maxima.size())
        , m_thresholds(m_maxima.size())
        , m_everyKey(size_t(m_keys))
        , m_scratch(floats(std::max({kernels::sparseScratch(m_width, m_valueDim), kernels::featureScratch(m_shape),
                                     kernels::softmaxScratch(m_valueDim) + kernels::queryBlock * m_width})))
    {
        std::iota(m_everyKey.begin(), m_everyKey.end(), 0);
    }

    void compute(int64_t sample, int64_t head, const TokenMajorOutput& out)
    {
        m_queries = rowsOf(m_in.q, sample, head), m_keyRows = rowsOf(m_in.k, sample, head),
        m_values = rowsOf(m_in.v, sample, head);
        m_out = out.rows(sample, head, 0);
        std::vector<int32_t> prefix(size_t(m_options.prefix));
        std::iota(prefix.begin(), prefix.end(), 0);
        attendExactly(prefix, m_everyKey);
        const int64_t* const starts = m_options.starts.const_data_ptr<int64_t>()
                                      + (sample * m_in.q.size(1) + head) * m_clusters;
        for (int64_t c = 0; c < m_clusters; ++c)
            std::copy_n(patches().data + starts[c] * patches().stride, m_width, m_found.centre(c));
        m_found.find(patches(), m_options.iterations);
        m_means = m_found.means(patches());
        attendMeans();
        attendMembers();
    }

private:
    kernels::Rows patches() const
    {
        return {m_queries.data + m_options.prefix * m_queries.stride, m_queries.stride};
    }

    /// Exact attention of the means, and their logits.
    void attendMeans()
    {
        float* const columns = m_scratch.data() + kernels::softmaxScratch(m_valueDim);
        const auto scale = float(m_in.scale);
        for (int64_t first = 0; first < m_clusters; first += kernels::queryBlock) {
            const int64_t rows = std::min(kernels::queryBlock, m_clusters - first);
            m_cpu.packQueries({.queries = {m_means.data() + first * m_width, m_width},
                               .count = rows,
                               .width = m_width,
                               .columns = columns});
            m_cpu.softmaxRows({.columns = columns,
                               .rows = rows,
                               .width = m_width,
                               .keys = m_keyRows,
                               .count = m_keys,
                               .factor = scale,
                               .values = m_values,
                               .valueDim = m_valueDim,
                               .out = {m_full.data() + first * m_valueDim, m_valueDim},
                               .scratch = m_scratch.data()});
        }
        if (m_topKeys == 0)
            return;
        m_cpu.packProjections({m_shape, {m_means.data(), m_width}, scale, m_projections.data()});
        m_cpu.normaliseColumns({.shape = m_shape,
                                .projections = m_projections.data(),
                                .rows = m_keyRows,
                                .count = m_keys,
                                .maximum = m_maxima.data(),
                                .sum = m_weightSums.data(),
                                .exponents = m_logits,
                                .scratch = m_scratch.data()});
        findThresholds(m_logits, m_keys, m_topKeys, m_thresholds);
    }

    void attendMembers()
    {
        QueryGroups groups;
        groups.addByClass(m_found.assigned(), m_clusters, m_options.prefix);
        int32_t begin = 0;
        for (const int32_t end : groups.ends) {
            const std::span<const int32_t> members(groups.queries.data() + begin, size_t(end - begin));
            attendCluster(m_found.assigned()[size_t(members.front() - m_options.prefix)], members);
            begin = end;
        }
    }

    /// out_n = m·softmax_T + Σ_{m∉T} A_cm v_m, where T are the cluster's largest weights and m is their sum.
    void attendCluster(int64_t cluster, std::span<const int32_t> members)
    {
        float* const rest = m_full.data() + cluster * m_valueDim;
        float mass = 0;
        if (m_topKeys > 0) {
            chooseKeys(cluster);
            for (const int32_t key : m_chosen) {
                const float weight = weightOf(cluster, key);
                const float* const value = m_values.data + key * m_values.stride;
                mass += weight;
                for (int64_t d = 0; d < m_valueDim; ++d)
                    rest[d] -= weight * value[d];
            }
            attendExactly(members, m_chosen);
        }
        for (const int32_t query : members) {
            float* const to = m_out.data + query * m_out.stride;
            for (int64_t d = 0; d < m_valueDim; ++d)
                to[d] = (m_topKeys > 0 ? mass * to[d] : 0) + rest[d];
        }
    }

    float logitOf(int64_t cluster, int64_t key) const { return m_logits[key * m_shape.paddedSamples + cluster]; }
    float weightOf(int64_t cluster, int64_t key) const
    {
        const auto c = size_t(cluster);
        return std::exp(logitOf(cluster, key) - m_maxima[c]) / m_weightSums[c];
    }

    /// The keys of the largest weights, ties to the lowest.
    void chooseKeys(int64_t cluster)
    {
        const int32_t threshold = m_thresholds[size_t(cluster)];
        std::vector<int32_t> ties;
        m_chosen.clear();
        for (int64_t key = 0; key < m_keys; ++key) {
            const int32_t rank = ordered(std::bit_cast<int32_t>(logitOf(cluster, key)));
            if (rank >= threshold)
                (rank > threshold ? m_chosen : ties).push_back(int32_t(key));
        }
        ties.resize(size_t(m_topKeys) - m_chosen.size());
        const auto larger = m_chosen.insert(m_chosen.end(), ties.begin(), ties.end());
        std::ranges::inplace_merge(m_chosen, larger);
    }

    void attendExactly(std::span<const int32_t> queries, const std::vector<int32_t>& keys)
    {
        std::vector<kernels::SparseTile> tiles;
        for (int64_t begin = 0; begin < std::ssize(keys); begin += kernels::keyTile)
            tiles.push_back(
                {.keys = keys.data() + begin, .count = std::min(kernels::keyTile, std::ssize(keys) - begin)});
        for (int64_t first = 0; first < std::ssize(queries); first += kernels::queryBlock)
            m_cpu.sparseRows({.queries = m_queries,
                              .index = queries.data() + first,
                              .rows = std::min(kernels::queryBlock, std::ssize(queries) - first),
                              .width = m_width,
                              .keys = m_keyRows,
                              .values = m_values,
                              .factor = float(m_in.scale),
                              .valueDim = m_valueDim,
                              .tiles = tiles.data(),
                              .tileCount = std::ssize(tiles),
                              .out = m_out,
                              .scratch = m_scratch.data()});
    }

    const AttentionInput& m_in;
    const CpuClusters& m_options;
    const kernels::CpuKernels& m_cpu = kernels::cpuKernels();
    int64_t m_patches, m_keys, m_width, m_valueDim, m_clusters, m_topKeys;
    kernels::FeatureShape m_shape;
    kernels::Rows m_queries, m_keyRows, m_values;
    kernels::OutputRows m_out;
    float* m_logits;  // of each key and mean
    CpuQueryClusters m_found;
    Floats m_means;  // (C,D)
    Floats m_full;   // (C,Dv)
    Floats m_projections, m_maxima, m_weightSums;
    std::vector<int32_t> m_thresholds;  // of each cluster: the smallest logit that is kept, `ordered`
    std::vector<int32_t> m_chosen;
    std::vector<int32_t> m_everyKey;
    Floats m_scratch;
};

}

at::Tensor clusteredOnCpu(const AttentionInput& in, const CpuClusters& clusters)
{
    const int64_t heads = in.q.size(1), elements = in.q.size(0) * heads;
    const TokenMajorOutput out(emptyFloats({in.q.size(0), in.q.size(2), 1, heads, in.v.size(3)}));
    const auto memory = emptyFloats({at::get_num_threads(), ClusteredHead::memoryOf(in, clusters)});
    std::vector<std::unique_ptr<ClusteredHead>> own(static_cast<size_t>(at::get_num_threads()));
    const auto cost = double(clusters.starts.size(2) * (in.q.size(2) * clusters.iterations + in.k.size(2))
                             * in.q.size(3));
    forEachTask(elements, cost, [&](int64_t element, int thread) {
        auto& head = own[size_t(thread)];
        if (!head)
            head = std::make_unique<ClusteredHead>(in, clusters,
                                                   memory.mutable_data_ptr<float>() + thread * memory.stride(0));
        head->compute(element / heads, element % heads, out);
    });
    return out.byHead();
}

}

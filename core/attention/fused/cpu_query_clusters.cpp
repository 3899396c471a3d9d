#include "core/attention/fused/cpu_query_clusters.h"

#include <algorithm>

namespace attnscope {

namespace {

size_t sizeOf(int64_t count)
{
    return size_t(count);
}

/// Rounded up to whole blocks.
int64_t inBlocks(int64_t queries)
{
    return (queries + kernels::queryBlock - 1) / kernels::queryBlock * kernels::queryBlock;
}

}

CpuQueryClusters::CpuQueryClusters(int64_t queries, int64_t width, int64_t clusters)
    : m_queries(queries)
    , m_width(width)
    , m_clusters(clusters)
    , m_columns(sizeOf(inBlocks(queries) * width))
    , m_centres(sizeOf(clusters * width))
    , m_means(m_centres.size())
    , m_norms(sizeOf(clusters))
    , m_scratch(sizeOf(kernels::softmaxScratch(width)))
    , m_sizes(sizeOf(clusters))
    , m_assigned(sizeOf(queries))
    , m_found(m_assigned.size())
{}

void CpuQueryClusters::find(kernels::Rows queries, int64_t iterations)
{
    for (int64_t first = 0; first < m_queries; first += kernels::queryBlock)
        m_cpu.packQueries({.queries = {queries.data + first * queries.stride, queries.stride},
                           .count = std::min(kernels::queryBlock, m_queries - first),
                           .width = m_width,
                           .columns = m_columns.data() + first * m_width});
    assign();
    for (int64_t step = 0; step < iterations; ++step) {
        average(queries);
        for (int64_t c = 0; c < m_clusters; ++c)
            if (m_sizes[sizeOf(c)] > 0)
                std::copy_n(m_means.begin() + c * m_width, m_width, m_centres.begin() + c * m_width);
        m_found = m_assigned;
        assign();
        if (m_found == m_assigned)
            return;
    }
}

/// The nearest centre of every query: ‖x − c‖² is smallest where x·c − ½‖c‖² is largest.
void CpuQueryClusters::assign()
{
    m_cpu.squares({m_centres.data(), m_width}, m_clusters, m_width, -0.5f, m_norms.data());
    for (int64_t first = 0; first < m_queries; first += kernels::queryBlock)
        m_cpu.argmaxKeys({.columns = m_columns.data() + first * m_width,
                          .rows = std::min(kernels::queryBlock, m_queries - first),
                          .width = m_width,
                          .keys = {m_centres.data(), m_width},
                          .count = m_clusters,
                          .bias = m_norms.data(),
                          .found = m_assigned.data() + first,
                          .scratch = m_scratch.data()});
}

const std::vector<float>& CpuQueryClusters::means(kernels::Rows queries)
{
    average(queries);
    return m_means;
}

void CpuQueryClusters::average(kernels::Rows queries)
{
    std::ranges::fill(m_means, 0.0f);
    std::ranges::fill(m_sizes, 0);
    for (int64_t n = 0; n < m_queries; ++n) {
        const int64_t cluster = m_assigned[sizeOf(n)];
        ++m_sizes[sizeOf(cluster)];
        float* const sum = m_means.data() + cluster * m_width;
        const float* const x = queries.data + n * queries.stride;
        for (int64_t d = 0; d < m_width; ++d)
            sum[d] += x[d];
    }
    for (int64_t c = 0; c < m_clusters; ++c) {
        const float inverse = 1 / float(std::max<int64_t>(m_sizes[sizeOf(c)], 1));
        for (int64_t d = 0; d < m_width; ++d)
            m_means[sizeOf(c * m_width + d)] *= inverse;
    }
}

}

#pragma once

#include "core/kernels/cpu/cpu_kernels.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// Lloyd's algorithm on the queries of one head by kernels, in memory of its own: see kMeans (query_clusters.h).
class CpuQueryClusters {
public:
    CpuQueryClusters(int64_t queries, int64_t width, int64_t clusters);

    /// From the centres that are there. Ends early once no query changes its cluster.
    void find(kernels::Rows queries, int64_t iterations);

    /// Row c: centre c, to be set before `find`.
    float* centre(int64_t c) { return m_centres.data() + c * m_width; }
    /// The centre of each query.
    const std::vector<int32_t>& assigned() const { return m_assigned; }
    /// Means of the members of each cluster as they are assigned now, 0 of none.
    const std::vector<float>& means(kernels::Rows queries);

private:
    void average(kernels::Rows queries);
    void assign();

    const kernels::CpuKernels& m_cpu = kernels::cpuKernels();
    int64_t m_queries, m_width, m_clusters;
    std::vector<float> m_columns;  // the queries, as blocks of columns
    std::vector<float> m_centres, m_means, m_norms, m_scratch;
    std::vector<int64_t> m_sizes;              // of the clusters
    std::vector<int32_t> m_assigned, m_found;  // cluster of each query, now and before
};

}

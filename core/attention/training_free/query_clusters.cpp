#include "core/attention/training_free/query_clusters.h"

namespace attnscope {

namespace {

/// Sums over the members of each cluster: x (B,H,N,·) → (B,H,C,·).
at::Tensor clusterSums(const at::Tensor& x, const at::Tensor& assigned, int64_t clusters)
{
    return at::zeros({x.size(0), x.size(1), clusters, x.size(3)}, x.options())
        .scatter_add(2, assigned.unsqueeze(-1).expand_as(x), x);
}

/// (B,H,C,1)
at::Tensor clusterSizes(const at::Tensor& x, const at::Tensor& assigned, int64_t clusters)
{
    return clusterSums(at::ones_like(x.slice(3, 0, 1)), assigned, clusters);
}

/// The nearest centre of every row, ties to the lowest: x (B,H,N,D), centres (B,H,C,D) → (B,H,N).
at::Tensor nearestCentres(const at::Tensor& x, const at::Tensor& centres)
{
    const auto score = at::matmul(x, centres.transpose(-1, -2))
                       - centres.square().sum(-1).unsqueeze(-2) * 0.5;  // (B,H,N,C)
    return score.detach().argmax(-1);
}

}

at::Tensor ownRow(const at::Tensor& x, const at::Tensor& assigned)
{
    return x.gather(2, assigned.unsqueeze(-1).expand({-1, -1, -1, x.size(3)}));
}

at::Tensor clusterMeans(const at::Tensor& x, const at::Tensor& assigned, int64_t clusters)
{
    return clusterSums(x, assigned, clusters) / clusterSizes(x, assigned, clusters).clamp_min(1);
}

QueryClusters kMeans(const at::Tensor& x, const at::Tensor& centres, int64_t iterations)
{
    QueryClusters found{centres, {}};
    for (int64_t step = 0; step < iterations; ++step) {
        const auto assigned = nearestCentres(x, found.centres);
        const int64_t clusters = centres.size(2);
        found.centres = at::where(clusterSizes(x, assigned, clusters) > 0, clusterMeans(x, assigned, clusters),
                                  found.centres);
    }
    found.assigned = nearestCentres(x, found.centres);
    return found;
}

}

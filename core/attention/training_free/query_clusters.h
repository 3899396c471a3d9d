#pragma once

#include <ATen/ATen.h>

#include <cstdint>

namespace attnscope {

/// Queries and the centres that they are nearest to.
struct QueryClusters {
    at::Tensor centres;   ///< (B,H,C,D)
    at::Tensor assigned;  ///< (B,H,N) int64
};

/// `iterations` steps of Lloyd's algorithm from `centres` (B,H,C,D), then the nearest centre of every row of x (B,H,N,D): ties go to the
/// lowest, and a centre without rows stays where it is.
QueryClusters kMeans(const at::Tensor& x, const at::Tensor& centres, int64_t iterations);

/// Row a(n) of x (B,H,C,·) for every n: (B,H,N,·).
at::Tensor ownRow(const at::Tensor& x, const at::Tensor& assigned);

/// Means over the members of each cluster, 0 of none: x (B,H,N,·) → (B,H,C,·).
at::Tensor clusterMeans(const at::Tensor& x, const at::Tensor& assigned, int64_t clusters);

}

#pragma once

#include "core/lab/neighbours/feature_store.h"
#include "core/lab/neighbours/neighbour_report.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace attnscope {

struct NeighbourSearch {
    int64_t k = 20;
    FeatureDistance distance = FeatureDistance::L2;
    /// Entries that each query may not find, ascending: itself. Empty: it may find all.
    std::vector<std::vector<int64_t>> leaveOut;
};

/// The k nearest entries of each query, nearest first: (Q,k), row by row.
struct Neighbours {
    int64_t k = 0;
    std::vector<double> distances;
    std::vector<int64_t> indices;
};

/// Exact search in rows of features, which are in use as long as the index.
class FeatureIndex {
public:
    /// Reads every row once for its norm. Throws FileError if a feature is not finite.
    explicit FeatureIndex(const FeatureRows& rows);

    /// The entries with the smallest distance; of equal ones those with the lower index. queries (Q,C) float32 on the CPU. 2·Q·M·C
    /// operations and 16 MiB for any M.
    ///
    /// Blocks of rows are multiplied in float32. A row is looked at more closely, in float64 and without cancellation, if the error bound of
    /// its product, |fl(q·f) − q·f| ≤ C·u/(1 − C·u)·‖q‖‖f‖ with u = 2⁻²⁴ (Higham, Accuracy and Stability of Numerical Algorithms, eq. 3.5),
    /// leaves room for it among the nearest k: the result is that of float64 for every row.
    ///
    /// Throws UsageError if k is not within the entries that a query may find, the width differs or a query is not finite; Cancelled.
    Neighbours nearest(const at::Tensor& queries, const NeighbourSearch& search,
                       const std::stop_token& stop) const;

private:
    FeatureRows m_rows;
    std::vector<double> m_norms;  // ‖f‖
};

}

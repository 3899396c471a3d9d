#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <vector>

/// Linear centred kernel alignment: how alike two sets of features of the same samples are, whatever their widths, rotation, scale and
/// offset. 1: equal but for these; 0: unrelated (Kornblith, Norouzi, Lee, Hinton, Similarity of Neural Network Representations Revisited,
/// ICML 2019).
namespace attnscope {

enum class CkaEstimator {
    Plain,  ///< with HSIC₀ = ‖YᵀX‖²_F of centred columns; too high where there are few samples for the widths
    Unbiased  ///< with HSIC₁ (Song et al., Feature Selection via Dependence Maximization, JMLR 2012); may be slightly negative
};

/// x (n,p) and y (n,q), features of the same n samples in any floating type; computed in float64. NaN if one of them is constant. Throws
/// UsageError for other shapes and for fewer samples than the estimator needs: 2, or 4 for the unbiased one.
double linearCka(const at::Tensor& x, const at::Tensor& y, CkaEstimator estimator);

/// Features (n,p) of n ≥ 4 samples, reduced to what unbiased CKA needs of them: their kernel (n,n) where that is smaller, so that features of
/// any width can be dropped at once.
class CkaFeatures {
public:
    /// Throws UsageError for another shape.
    explicit CkaFeatures(const at::Tensor& features);
    int64_t samples() const { return m_squares.size(0); }
    /// Unbiased estimate of the Hilbert-Schmidt independence criterion with features of the same samples (Song et al., JMLR 2012).
    double hsic(const CkaFeatures& other) const;

private:
    /// X Xᵀ of the centred features, with a zero diagonal.
    at::Tensor kernel() const;

    at::Tensor m_features, m_kernel;  // one of the two
    at::Tensor m_squares;             // squared lengths of the samples' centred features
};

/// Unbiased CKA of every layer of one network with every layer of another, over any number of samples in bounded memory: HSIC₁ of each
/// batch is averaged before the ratio is taken (Nguyen, Raghu, Kornblith, Do Wide and Deep Networks Learn the Same Things?, ICLR 2021).
class CkaMatrix {
public:
    CkaMatrix(int64_t rows, int64_t columns);
    /// A batch of samples: features of each layer of the one network, and of each layer of the other. Throws UsageError.
    void add(const std::vector<CkaFeatures>& first, const std::vector<CkaFeatures>& second);
    /// (rows,columns) float64; NaN where nothing was added, or a layer is constant.
    at::Tensor values() const;

private:
    at::Tensor m_between, m_first, m_second;  // sums of HSIC₁ over batches: (rows,columns), (rows), (columns)
};

}

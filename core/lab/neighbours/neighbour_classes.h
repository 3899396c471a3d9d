#pragma once

#include "core/lab/neighbours/feature_index.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <span>
#include <vector>

/// From neighbours to class probabilities.
namespace attnscope {

/// exp(−d_i/τ) / Σ_j exp(−d_j/τ) of the neighbours of one query. `temperature` > 0.
std::vector<double> neighbourWeights(std::span<const double> distances, double temperature);

/// p(y) = Σ_i [y = y_i] w_i, with w = neighbourWeights(distances, temperature). Source: Khandelwal et al., ICLR 2020 (kNN-LM), eq. 2.
/// distances (k) and the neighbours' labels (k) → (classes).
std::vector<double> neighbourProbabilities(std::span<const double> distances, std::span<const int64_t> labels,
                                           double temperature, int64_t classes);

/// p = λ p_kNN + (1 − λ) p_model. Source: kNN-LM, eq. 3. λ = 0: the model; 1: the neighbours, who need no model.
std::vector<double> mixedProbabilities(std::span<const double> neighbours, std::span<const double> model,
                                       double mix);

/// The most probable class; of equal ones the lowest.
int64_t firstClass(std::span<const double> probabilities);

/// The gated retrieval of SPALM (Yogatama et al., TACL 2021) with the rows of a classifier's head in place of word embeddings:
/// m = Σ_i softmax_i(w_{y_i}·h) w_{y_i} over the k neighbours, p = softmax(W((1 − g) m + g h) + b). g = 1: the model. Its gate is learned;
/// here it is given. features h (Q,C), neighbours' labels (Q,k) int64, weight W (K,C), bias b (K) → (Q,K), computed in float64.
at::Tensor gatedRetrieval(const at::Tensor& features, const at::Tensor& neighbourLabels, const at::Tensor& weight,
                          const at::Tensor& bias, double gate);

}

#pragma once

#include "core/run/run_record.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

/// From logits to predictions. A network with several classifier heads (verbs and nouns) has one prediction per head: softmax, first
/// classes and divergence are computed for each head separately.
namespace attnscope {

/// Number of classes of each head: `classifierHeads` of the model, or all of them as one; none for a network without a head.
std::vector<int64_t> headsOf(const ModelSummary& model);

/// Throws Unsupported for a network without a head.
void requireClasses(const ModelSummary& model);

/// logits (…,classes) → probabilities of the same shape in float64.
at::Tensor probabilitiesOf(const at::Tensor& logits, const std::vector<int64_t>& heads);

/// The `count` most probable classes of each head, head by head. probabilities (classes); indices count over all heads.
std::vector<Prediction> topClasses(const at::Tensor& probabilities, int64_t count,
                                   const std::vector<int64_t>& heads, const std::vector<std::string>& labels);

/// The values of a tensor in order, on the CPU, as float32.
std::vector<float> floatsOf(const at::Tensor& values);

/// A network whose logits hold NaN or infinity predicts nothing.
bool isFinite(const at::Tensor& logits);

/// Stands for the class if a head has no prediction.
constexpr int64_t noClass = -1;

/// The first class of each head, or `noClass` if its logits are not finite. logits (1,classes).
std::vector<int64_t> firstClasses(const at::Tensor& logits, const std::vector<int64_t>& heads);

/// Whether two rows of logits have the same first class in every head; false if a head of either has none, or if there are no heads.
bool sameFirstClasses(const at::Tensor& a, const at::Tensor& b, const std::vector<int64_t>& heads);

/// KL(p ‖ q) in nats of two rows of logits, summed over heads. NaN if one of them is not finite, or if there are no heads.
double divergence(const at::Tensor& p, const at::Tensor& q, const std::vector<int64_t>& heads);

/// The classes over which logits (1,classes) of two networks, or of one with two attentions, are compared.
class ComparedClasses {
public:
    /// All classes of one network, by its heads.
    explicit ComparedClasses(std::vector<int64_t> heads)
        : m_heads(std::move(heads))
    {}
    /// Those of a network with `heads` that another one has as well: for each class of that other one the same here; −1: there is none.
    ComparedClasses(std::vector<int64_t> heads, const std::vector<int64_t>& same);

    /// How many both have, where that is not all of them.
    int64_t count() const { return m_same.defined() ? m_same.numel() : 0; }
    /// KL of `first` over these classes alone and `own`, in nats; NaN if there are none.
    double divergence(const at::Tensor& first, const at::Tensor& own) const;
    /// Whether the first class of all is the same one, in every head.
    bool agree(const at::Tensor& first, const at::Tensor& own) const;

private:
    std::vector<int64_t> m_heads;
    bool m_isOfOther = false;
    at::Tensor m_ofFirst, m_same;  // numbers of the same classes
};

/// The mean of the views' probabilities. Views with non-finite logits are counted and left out.
class ViewMean {
public:
    /// probabilities (classes) in float64.
    void add(const at::Tensor& probabilities);
    void leaveOut() { ++m_leftOut; }
    int64_t counted() const { return m_counted; }
    int64_t leftOut() const { return m_leftOut; }
    at::Tensor mean() const { return m_sum / m_counted; }

private:
    at::Tensor m_sum;
    int64_t m_counted = 0, m_leftOut = 0;
};

}

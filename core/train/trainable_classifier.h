// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

class StochasticDepth;

/// A weight that training may move.
struct NamedWeight {
    std::string name;                 ///< in the family's original code
    std::vector<std::int64_t> shape;  ///< in files
    at::Tensor value;                 ///< the network's own: changed in place, the network has changed; undefined: of no effect
    bool ofAttention = false;         ///< an attention's own (a landmark map), not the network's
};

/// The value as files have it: of the stored shape, with zeros in place of rows that the network leaves out.
at::Tensor storedValue(const NamedWeight& weight);

/// A classifier whose weights can be moved and written.
class TrainableClassifier : public Classifier {
public:
    /// All weights, in an order that depends on the description alone.
    virtual std::vector<NamedWeight> weights() const = 0;

    /// Gives the attention of a layer parameters of its own (LARA's landmark maps). What was prepared before does not see them.
    virtual void setAttentionParameters(std::int64_t layer, AttentionParameters parameters) = 0;
    virtual AttentionParameters attentionParameters(std::int64_t layer) const = 0;

    /// `logits` with stochastic depth where `depth` is given.
    virtual at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                                      const StochasticDepth* depth) const = 0;

    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer = nullptr) const final
    {
        return trainingLogits(input, attention, observer, nullptr);
    }
};

}  // namespace attnscope

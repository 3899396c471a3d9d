#pragma once

#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

class StochasticDepth;

/// A weight that training may update.
struct NamedWeight {
    std::string name;            ///< in the family's original code
    std::vector<int64_t> shape;  ///< as in files
    at::Tensor value;  ///< the network's own tensor: changing it in place changes the network; undefined: unused
    bool ofAttention = false;  ///< belongs to an attention (a landmark map), not to the network
    bool ofExit = false;       ///< belongs to the exit behind a block, and not to the network's own prediction
};

/// The value as in files: of the stored shape, with zeros for rows that the network omits.
at::Tensor storedValue(const NamedWeight& weight);

/// A classifier whose weights can be updated and written.
class TrainableClassifier : public Classifier {
public:
    /// All weights, in an order that depends only on the description.
    virtual std::vector<NamedWeight> weights() const = 0;

    /// Gives a layer's attention its own parameters (LARA's landmark maps). Attentions prepared before are not affected.
    virtual void setAttentionParameters(int64_t layer, AttentionParameters parameters) = 0;
    virtual AttentionParameters attentionParameters(int64_t layer) const = 0;

    /// Gives each readable block but the last a norm and a head of its own, copies of the network's, if there are none yet. Throws
    /// Unsupported if there is no such block.
    virtual void addExitHeads();

    /// `logits` with stochastic depth if `depth` is given.
    virtual at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention,
                                      ForwardObserver* observer, const StochasticDepth* depth) const = 0;

    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer = nullptr) const final
    {
        return trainingLogits(input, attention, observer, nullptr);
    }
};

}

#pragma once

#include <optional>
#include <string>

/// Independent of torch.
namespace attnscope {

class Classifier;

/// How much of a network's arithmetic its attention is. Projections of queries, keys, values and outputs do not belong to it.
struct AttentionFraction {
    double macs = 0;       ///< multiply-adds of one forward pass for one input of the model's size
    double attention = 0;  ///< of these in attention

    double fraction() const { return attention / macs; }
    /// How many times as fast a pass can become at most, as far as time follows arithmetic: with an attention that costs nothing.
    double highestGain() const { return macs / (macs - attention); }
    /// "1.59×".
    std::string gainText() const;
};

/// Of the model's own attention over its own keys. Empty if the model does not count its multiply-adds.
std::optional<AttentionFraction> attentionFraction(const Classifier& classifier);

}

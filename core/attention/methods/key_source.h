#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/token_layout.h"

#include <cstdint>
#include <string>

/// Where attention in a network with spatial reduction takes its keys from. Independent of torch.
namespace attnscope {

/// Which tokens a layer's keys come from.
enum class KeySource {
    All,      ///< every token
    Reduced,  ///< the smaller image of a spatial reduction
};

/// The key source that a specification selects: Reduced for `sra` and for `keys=reduced`.
KeySource keySource(const AttentionSpec& spec);

/// Whether it is softmax over the keys that it has: the reference itself, or `sra`.
bool isExactOverItsKeys(const AttentionSpec& spec);

/// The reference over those keys.
AttentionSpec exactOver(KeySource keys);

/// The keys of a specification for a network without spatial reduction: throws UsageError where it asks for reduced ones.
/// `model` stands in the sentence.
void refuseReducedKeys(const AttentionSpec& spec, const std::string& model);

/// The side of the image to which the keys of "linear SRA" are pooled.
inline constexpr int64_t pooledSide = 7;

/// The grid of the keys when an image of this grid is reduced by cells of `ratio`, or pooled.
TokenLayout reducedGrid(const TokenLayout& tokens, int64_t ratio, bool pooled);

}

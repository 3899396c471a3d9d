// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/nn/layers.h"
#include "core/run/classifier.h"
#include "core/train/stochastic_depth.h"
#include "core/train/trainable_classifier.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// What the networks of all families share.
namespace attnscope {

/// Sees a weight: its name in the family's original code, the shape that it has in files, and the tensor itself, which may be
/// undefined, and of another shape with the same elements or the first rows of them.
using WeightVisitor = std::function<void(const std::string& name, const std::vector<std::int64_t>& shape, at::Tensor& value)>;

/// A linear layer or a convolution: a weight of that shape and, where it has one, a bias as long as its first side. A norm: the
/// same with one side.
inline void visitLayer(const WeightVisitor& visit, const std::string& name, const std::vector<std::int64_t>& shape,
                       LayerWeights& layer, bool bias = true)
{
    visit(name + ".weight", shape, layer.weight);
    if (bias)
        visit(name + ".bias", {shape.front()}, layer.bias);
}

/// What a checkpoint holds for the attention of a layer besides; `prefix` ends with a point.
inline void visitAttention(const WeightVisitor& visit, const std::string& prefix, AttentionParameters& parameters)
{
    for (auto& [name, value] : parameters)
        visit(prefix + name, value.sizes().vec(), value);
}

/// Whether an attention may own a tensor of that name inside its layer: landmark maps, stored projections, temperatures.
bool isAttentionParameter(std::string_view name);

inline void report(ForwardObserver* observer, const std::string& name, const at::Tensor& value)
{
    if (observer != nullptr)
        observer->onActivation(name, value);
}

inline void addOnce(std::vector<std::string>& notes, const std::string& text)
{
    if (std::find(notes.begin(), notes.end(), text) == notes.end())
        notes.push_back(text);
}

/// The definition of a plain specification in words: two that are equal here are the same attention, for "trained with this
/// attention". SRA is softmax over reduced keys, whichever of the two names it.
std::string meaning(const AttentionSpec& spec);

/// Whether two specifications, both resolved, mean the same attention in every one of `layers` layers.
bool sameMeaning(const AttentionSpec& a, const AttentionSpec& b, std::int64_t layers);

/// What a network is prepared from.
struct Preparation {
    const AttentionSpec& asked;
    const AttentionSpec& own;  ///< what `native` stands for
    std::int64_t layers = 0;
    std::uint64_t seed = 0;
    WeightsKind weights = WeightsKind::Untrained;  ///< of the network with its own attention
};

/// Asked for and resolved, seed and kind of the weights; no backends yet.
PreparedAttention beginPreparation(const Preparation& preparation);

/// Makes the backend of every layer, each with the noise of its own seed, and collects what they have to say.
using LayerMaker = std::function<std::shared_ptr<AttentionBackend>(const AttentionSpec& spec, std::int64_t layer)>;
void prepareLayers(PreparedAttention& prepared, std::int64_t layers, const LayerMaker& make);

/// A pass through a network: who looks on, and what is left out.
struct Pass {
    ForwardObserver* observer = nullptr;
    const StochasticDepth* depth = nullptr;

    /// Whether somebody wants to see the value of every part, so that none may be computed together with the next.
    bool isWatched() const { return observer != nullptr && observer->seesActivations(); }
    /// Whether all of it is computed and nobody looks.
    bool isWhole() const { return depth == nullptr && !isWatched(); }
};

/// The end of a block's residual branch: x + last(y), or what stochastic depth leaves of that.
/// `name` is what the observer knows the branch by ("block.0.mlp").
at::Tensor addBranch(const Pass& pass, const at::Tensor& x, const at::Tensor& y, const LayerWeights& last, const std::string& name,
                     std::int64_t block, StochasticDepth::Branch branch);

/// Whether "blocks.3.attn.q_bar_gen.2.weight" is a tensor that an attention owns.
bool isOwnedByAttention(std::string_view name);

/// A planned network has given up its weights for packed ones: asking for them is a mistake of the program.
void requirePlain(Execution execution);

/// The weights of a network as training sees them: handles of the same tensors.
template <typename Weights, typename Description>
std::vector<NamedWeight> namedWeights(Weights weights, const Description& description, Execution execution)
{
    requirePlain(execution);
    std::vector<NamedWeight> named;
    visitWeights(weights, description, [&](const std::string& name, const std::vector<std::int64_t>& shape, at::Tensor& value) {
        named.push_back({name, shape, value, isOwnedByAttention(name)});
    });
    return named;
}

}  // namespace attnscope

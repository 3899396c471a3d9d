#pragma once

#include "core/nn/layers.h"
#include "core/run/classifier.h"
#include "core/run/first_layer.h"
#include "core/train/stochastic_depth.h"
#include "core/train/trainable_classifier.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Shared by the networks of all families.
namespace attnscope {

/// Visits a weight: its name in the family's original code, its shape in files, and the tensor itself, which may be undefined, or have
/// another shape with the same elements or their first rows.
using WeightVisitor =
    std::function<void(const std::string& name, const std::vector<int64_t>& shape, at::Tensor& value)>;

/// A linear layer or a convolution: a weight of that shape and possibly a bias of the length of its first dimension. A norm: the same with
/// one dimension.
inline void visitLayer(const WeightVisitor& visit, const std::string& name, const std::vector<int64_t>& shape,
                       LayerWeights& layer, bool bias = true)
{
    visit(name + ".weight", shape, layer.weight);
    if (bias)
        visit(name + ".bias", {shape.front()}, layer.bias);
}

/// Other tensors of a layer's attention in a checkpoint; `prefix` ends with a dot.
inline void visitAttention(const WeightVisitor& visit, const std::string& prefix, AttentionParameters& parameters)
{
    for (auto& [name, value] : parameters)
        visit(prefix + name, value.sizes().vec(), value);
}

inline void report(ForwardObserver* observer, const std::string& name, const at::Tensor& value)
{
    if (observer != nullptr)
        observer->onActivation(name, value);
}

inline void addOnce(std::vector<std::string>& notes, const std::string& text)
{
    if (std::ranges::find(notes, text) == notes.end())
        notes.push_back(text);
}

/// The definition of a plain specification as text: if two are equal, they are the same attention, as needed for "trained with this
/// attention". SRA is softmax over reduced keys, whichever of the two names it.
std::string meaning(const AttentionSpec& spec);

/// Whether two resolved specifications mean the same attention in each of `layers` layers.
bool sameMeaning(const AttentionSpec& a, const AttentionSpec& b, int64_t layers);

/// What a network is prepared from.
struct Preparation {
    const AttentionSpec& requested;
    const AttentionSpec& own;  ///< what `native` resolves to
    int64_t layers = 0;
    uint64_t seed = 0;
    WeightsKind weights = WeightsKind::Untrained;  ///< of the network with its own attention
    bool storesInt8 = false;                       ///< whether it can compute with WeightStorage::Int8
};

/// Sets the requested and resolved specification, seed and kind of weights, without backends yet. Throws UsageError if weights are to be
/// stored as the network can't.
PreparedAttention beginPreparation(const Preparation& preparation);

/// Throws UsageError if tokens merge by this resolved specification, in a network where they can't: "its … need …".
void refuseMerging(const AttentionSpec& spec, const std::string& model, const std::string& why);

/// Creates the backend of every layer, each with the noise of its own seed, and collects their notes.
using LayerMaker = std::function<std::shared_ptr<AttentionBackend>(const AttentionSpec& spec, int64_t layer)>;
void prepareLayers(PreparedAttention& prepared, int64_t layers, const LayerMaker& make);

/// A pass through a network: its observer, and what is left out.
struct Pass {
    ForwardObserver* observer = nullptr;
    const StochasticDepth* depth = nullptr;

    /// Whether somebody observes the value of every part, so that none may be fused with the next.
    bool isWatched() const { return observer != nullptr && observer->seesActivations(); }
    /// Whether everything is computed and nobody observes.
    bool isWhole() const { return depth == nullptr && !isWatched(); }
};

/// The end of a block's residual branch: x + last(y), or what stochastic depth leaves of it. `name` identifies the branch for the observer
/// ("block.0.mlp").
at::Tensor addBranch(const Pass& pass, const at::Tensor& x, const at::Tensor& y, const LayerWeights& last,
                     const std::string& name, int64_t block, StochasticDepth::Branch branch);

/// `tokens` (content, position, eps, heads and layout) with the weights of the first norm and of its linear layer, rows ordered q|k|v.
FirstLayer firstLayerOf(FirstLayer tokens, const LayerWeights& norm, const LayerWeights& qkv);

/// What the attention of a layer makes of `in`, (B,H,N,D), with the observer told before and after.
at::Tensor attend(const PreparedAttention& prepared, int64_t layer, const AttentionInput& in,
                  ForwardObserver* observer);

/// The rest of a transformer's block behind its attention, "block.0": tokens x and the attention's output before its projection,
/// both (B,N,C) → (B,N,C).
at::Tensor endOfBlock(const Pass& pass, const at::Tensor& x, const at::Tensor& attended, const BlockEnd& end,
                      int64_t block);

/// Whether "blocks.3.attn.q_bar_gen.2.weight" is a tensor that an attention owns.
bool isOwnedByAttention(std::string_view name);

/// The weights of a network for training: handles of the same tensors.
template <typename Weights, typename Description>
std::vector<NamedWeight> namedWeights(Weights weights, const Description& description, Execution execution)
{
    if (execution != Execution::Reference)  // a bug: an optimized network has replaced its weights by packed ones
        throw std::logic_error(
            "the weights of an optimized network are packed; open it with Execution::Reference");
    std::vector<NamedWeight> named;
    visitWeights(weights, description,
                 [&](const std::string& name, const std::vector<int64_t>& shape, at::Tensor& value) {
                     named.push_back({name, shape, value, isOwnedByAttention(name)});
                 });
    return named;
}

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/blocks/network.h"
#include "models/motionformer/motionformer_description.h"
#include "models/motionformer/motionformer_weights.h"

#include <map>
#include <mutex>

namespace attnscope {

/// Motionformer (Patrick et al., NeurIPS 2021): ViT-B on tubelets, with trajectory, joint or divided space-time attention, for any crop and
/// clip length divisible by patch and tubelet. Input (B,3,T,H,W). `logits` are those before the softmax at the end of the authors' code;
/// those of two heads (Epic-Kitchens) are concatenated.
///
/// What a backend replaces, and what observers see, is `MotionformerDescription::replaced`: with trajectory attention the spatial
/// softmax of each frame, (B,H,S,T',D). The class token's row and the temporal step are exact and outside.
class Motionformer : public Network<MotionformerDescription, MotionformerWeights>, public FirstLayerSource {
public:
    explicit Motionformer(Setup setup);

    [[nodiscard]] Transform transform() const override;

    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override;
    [[nodiscard]]
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                              const StochasticDepth* depth) const override;
    /// As computed: the temporal step folded.
    [[nodiscard]] double multiplyAdds(const PreparedAttention& attention) const override;
    [[nodiscard]] AttentionShape attentionShape(std::int64_t) const override { return m_description.attentionShape(); }
    void checkInput(const std::vector<std::int64_t>& shape) const override;
    /// Of joint attention over all tokens, of trajectory attention over the patches of each frame; divided attention begins with time.
    [[nodiscard]] std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override;
    [[nodiscard]]
    std::vector<std::string> readableBlocks() const override { return blockNames("block.", m_description.depth); }
    [[nodiscard]] ExitCost exitCost(const PreparedAttention& attention) const override;
    [[nodiscard]] std::optional<OutputTokens> outputTokens(const std::vector<std::int64_t>& shape) const override;

    /// (1, 1 + tokens, C): the embedding added to the tokens of such an input.
    [[nodiscard]] at::Tensor positionFor(const TokenVolume& volume) const;

private:
    /// One layer in one forward pass.
    struct Layer;

    /// The features are those before the tanh layer of networks that have one; exits share that layer.
    [[nodiscard]] Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const override;
    void pack();
    /// The tokens before their position embedding is added: (B,1 + S,C).
    [[nodiscard]] at::Tensor contentOf(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const;
    [[nodiscard]] at::Tensor embed(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const;
    /// The output of a layer's attention, before its projection: (B,1 + S,C).
    [[nodiscard]] at::Tensor attended(const at::Tensor& x, const Layer& layer) const;
    [[nodiscard]] at::Tensor trajectory(const at::Tensor& qkv, const Layer& layer) const;
    [[nodiscard]] at::Tensor joint(const at::Tensor& qkv, const Layer& layer) const;
    [[nodiscard]] at::Tensor space(const at::Tensor& qkv, const Layer& layer) const;
    [[nodiscard]] at::Tensor time(const at::Tensor& x, const Layer& layer) const;
    [[nodiscard]] at::Tensor split(const at::Tensor& x, const LayerWeights& norm, const LayerWeights& qkv) const;
    [[nodiscard]]
    at::Tensor headLogits(at::Tensor features, const std::vector<LayerWeights>& heads, ForwardObserver* observer) const;
    [[nodiscard]] at::Tensor classify(const at::Tensor& x, ForwardObserver* observer) const;
    [[nodiscard]] double scale() const;

    mutable std::mutex m_positionsMutex;
    mutable std::map<TokenVolume, at::Tensor> m_positions;  // of previous input sizes
};

}  // namespace attnscope

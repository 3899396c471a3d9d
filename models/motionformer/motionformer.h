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

    Transform transform() const override;

    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention,
                              ForwardObserver* observer, const StochasticDepth* depth) const override;
    /// As computed: the temporal step folded.
    double multiplyAdds(const PreparedAttention& attention) const override;
    AttentionShape attentionShape(int64_t) const override { return m_description.attentionShape(); }
    void checkInput(const std::vector<int64_t>& shape) const override;
    /// Of joint attention over all tokens, of trajectory attention over the patches of each frame; divided attention begins with time.
    std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override;
    std::vector<std::string> readableBlocks() const override { return blockNames("block.", m_description.depth); }
    ExitCost exitCost(const PreparedAttention& attention) const override;
    std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const override;

    /// (1, 1 + tokens, C): the embedding added to the tokens of such an input.
    at::Tensor positionFor(const TokenVolume& volume) const;

private:
    /// One layer in one forward pass.
    struct Layer;

    /// The features are those before the tanh layer of networks that have one; exits share that layer.
    Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const override;
    void pack();
    /// The tokens before their position embedding is added: (B,1 + S,C).
    at::Tensor contentOf(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const;
    at::Tensor embed(const at::Tensor& input, TokenVolume& volume, ForwardObserver* observer) const;
    /// The output of a layer's attention, before its projection: (B,1 + S,C).
    at::Tensor attended(const at::Tensor& x, const Layer& layer) const;
    at::Tensor trajectory(const at::Tensor& qkv, const Layer& layer) const;
    at::Tensor joint(const at::Tensor& qkv, const Layer& layer) const;
    at::Tensor space(const at::Tensor& qkv, const Layer& layer) const;
    at::Tensor time(const at::Tensor& x, const Layer& layer) const;
    at::Tensor split(const at::Tensor& x, const LayerWeights& norm, const LayerWeights& qkv) const;
    at::Tensor headLogits(at::Tensor features, const std::vector<LayerWeights>& heads,
                          ForwardObserver* observer) const;
    at::Tensor classify(const at::Tensor& x, ForwardObserver* observer) const;
    double scale() const;

    mutable std::mutex m_positionsMutex;
    mutable std::map<TokenVolume, at::Tensor> m_positions;  // of previous input sizes
};

}

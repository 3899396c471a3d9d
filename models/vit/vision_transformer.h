// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/blocks/network.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_weights.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace attnscope {

/// DeiT (Touvron et al., ICML 2021) and the LARA authors' token-free evit, pre-norm, at any image size that its patch divides.
/// Distilled networks predict the mean of both heads' logits.
class VisionTransformer : public Network<VitDescription, VitWeights>, public FirstLayerSource {
public:
    explicit VisionTransformer(Setup setup);

    [[nodiscard]] bool takesPixels() const override { return m_pixels.defined(); }

    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override;
    [[nodiscard]]
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                              const StochasticDepth* depth) const override;
    [[nodiscard]] double multiplyAdds(const PreparedAttention& attention) const override;
    [[nodiscard]] AttentionShape attentionShape(std::int64_t layer) const override;
    void checkInput(const std::vector<std::int64_t>& shape) const override;
    [[nodiscard]] std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override;
    [[nodiscard]]
    std::vector<std::string> readableBlocks() const override { return blockNames("block.", m_description.depth); }
    [[nodiscard]] ExitCost exitCost(const PreparedAttention& attention) const override;

private:
    [[nodiscard]] Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const override;
    [[nodiscard]] TokenLayout layout(std::int64_t rows, std::int64_t columns) const;
    [[nodiscard]] at::Tensor positionFor(std::int64_t rows, std::int64_t columns) const;
    void pack();
    /// The tokens before their position embedding is added: (B,N,C).
    [[nodiscard]] at::Tensor contentOf(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const;
    [[nodiscard]] at::Tensor embed(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const;
    [[nodiscard]]
    at::Tensor attended(const VitBlockWeights& block, const at::Tensor& x, const TokenLayout& tokens, std::int64_t layer,
                        const PreparedAttention& attention, ForwardObserver* observer) const;
    [[nodiscard]] at::Tensor usedByHead(const at::Tensor& x) const;
    [[nodiscard]] Readout readNormed(const at::Tensor& normed, const std::vector<LayerWeights>& heads) const;
    [[nodiscard]] at::Tensor classify(const at::Tensor& x, const Pass& pass) const;

    packedWeights::Layer m_pixels;  ///< the patch embedding of 8-bit pixels, with optimized execution
    mutable std::mutex m_positionsMutex;
    mutable std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> m_positions;  // resized ones, by grid
};

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/blocks/network.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_weights.h"

#include <map>
#include <mutex>
#include <utility>

namespace attnscope {

/// DeiT (Touvron et al., ICML 2021) and the LARA authors' token-free evit, pre-norm, at any image size that its patch divides.
/// Distilled networks predict the mean of both heads' logits.
class VisionTransformer : public Network<VitDescription, VitWeights> {
public:
    explicit VisionTransformer(Setup setup);

    bool takesPixels() const override { return m_pixels.defined(); }

    PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                              const StochasticDepth* depth) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    AttentionShape attentionShape(std::int64_t layer) const override;
    void checkInput(const std::vector<std::int64_t>& shape) const override;
    std::vector<std::string> readableBlocks() const override { return blockNames("block.", m_description.depth); }
    Readout readOut(const at::Tensor& tokens) const override;

private:
    TokenLayout layout(std::int64_t rows, std::int64_t columns) const;
    at::Tensor positionFor(std::int64_t rows, std::int64_t columns) const;
    void pack();
    at::Tensor embed(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const;
    at::Tensor attended(const VitBlockWeights& block, const at::Tensor& x, const TokenLayout& tokens, std::int64_t layer,
                        const PreparedAttention& attention, ForwardObserver* observer) const;
    at::Tensor usedByHead(const at::Tensor& x) const;
    Readout readNormed(const at::Tensor& normed) const;
    at::Tensor classify(const at::Tensor& x, const Pass& pass) const;

    packedWeights::Layer m_pixels;  ///< the patch embedding of 8-bit pixels, with optimized execution
    mutable std::mutex m_positionsMutex;
    mutable std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> m_positions;  // resized ones, by grid
};

}  // namespace attnscope

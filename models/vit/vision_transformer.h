#pragma once

#include "models/blocks/network.h"
#include "models/vit/vit_block.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_rope.h"
#include "models/vit/vit_weights.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace attnscope {

/// A plain vision transformer: one patch embedding, one width, attention over all tokens in every block, at any image size that its patch
/// divides. Distilled networks predict the mean of both heads' logits; without a head the output are the pooled features.
class VisionTransformer : public Network<VitDescription, VitWeights>, public FirstLayerSource {
public:
    explicit VisionTransformer(Setup setup);

    bool takesPixels() const override { return m_pixels.defined(); }

    /// Says in its notes what an attention leaves out of the network's own.
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention,
                              ForwardObserver* observer, const StochasticDepth* depth) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    AttentionShape attentionShape(int64_t layer) const override;
    void checkInput(const std::vector<int64_t>& shape) const override;
    /// Empty unless the first queries and keys are linear in the norm of content and position alone.
    std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override;
    std::vector<std::string> readableBlocks() const override { return blockNames("block.", m_description.depth); }
    ExitCost exitCost(const PreparedAttention& attention) const override;

private:
    /// What depends on the size of an image alone.
    struct Places {
        at::Tensor position;  ///< (1,N,C), zeros for a prefix without positions; undefined without any
        VitTurns turns;
        at::Tensor offsets;
    };

    VisionTransformer(at::Tensor frequencies, Setup&& setup);

    Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const override;
    TokenLayout layout(int64_t rows, int64_t columns) const;
    at::Tensor positionFor(int64_t rows, int64_t columns) const;
    Places placesFor(const TokenLayout& tokens) const;
    void pack();
    void noteWhatIsLeftOut(PreparedAttention& prepared) const;
    std::vector<double> blockCosts(const PreparedAttention& prepared) const;
    /// The tokens before their position embedding is added: (B,N,C).
    at::Tensor contentOf(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const;
    at::Tensor classify(const at::Tensor& x, const Pass& pass) const;

    packedWeights::Layer m_pixels;  ///< the patch embedding of 8-bit pixels, with optimized execution
    mutable std::mutex m_placesMutex;
    mutable std::map<std::pair<int64_t, int64_t>, Places> m_places;  // by grid, unless they are learning
};

}

#pragma once

#include "models/blocks/network.h"
#include "models/pvt/pvt_description.h"
#include "models/pvt/pvt_weights.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace attnscope {

/// PVTv2 (Wang et al., CVMJ 2022) with its spatial-reduction attention, linear or not, and the LARA authors' form without reduction. Four
/// stages with decreasing numbers of tokens (3136, 784, 196, 49 at 224), for any image size: there is no position embedding. Without a head
/// (0 classes) the mean of the last stage's tokens is the output.
///
/// An attention takes its keys from all tokens, or, with `keys=reduced`, from the network's own reduction. Layers are counted
/// through the stages; the stages with R = 1 keep softmax.
class PyramidVisionTransformer : public Network<PvtDescription, PvtWeights> {
public:
    explicit PyramidVisionTransformer(Setup setup);

    bool takesPixels() const override { return m_pixels.defined(); }

    /// Throws UsageError, naming stage and block, if the options do not fit this network.
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention,
                              ForwardObserver* observer, const StochasticDepth* depth) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    /// With the keys of the native attention.
    AttentionShape attentionShape(int64_t layer) const override;
    void checkInput(const std::vector<int64_t>& shape) const override;
    /// Those of the last stage: tokens of the others have another width.
    std::vector<std::string> readableBlocks() const override;
    ExitCost exitCost(const PreparedAttention& attention) const override;
    /// The patches of the last stage.
    std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const override;

private:
    struct Layer;  // what one block's pass needs

    Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const override;
    void explain(PreparedAttention& prepared) const;
    WeightsKind kindFor(const AttentionSpec& resolved) const;
    std::shared_ptr<AttentionBackend> makeLayer(const AttentionSpec& spec, int64_t layer) const;

    void pack();
    at::Tensor runBlock(const PvtBlockWeights& block, at::Tensor x, const Layer& layer) const;
    AttentionInput attentionInput(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;
    /// The output of a layer's attention, before its projection: (B,N,C).
    at::Tensor attended(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;
    at::Tensor mixed(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;

    /// The first embedding's convolution of 8-bit pixels, with optimized execution.
    packedWeights::Layer m_pixels;
};

}

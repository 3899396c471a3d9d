// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/stochastic_depth.h"
#include "core/train/trainable_classifier.h"
#include "models/pvt/pvt_description.h"
#include "models/pvt/pvt_weights.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// PVTv2 (Wang et al., CVMJ 2022) with its spatial-reduction attention, linear or not, and the LARA authors' form without reduction. Four
/// stages with decreasing numbers of tokens (3136, 784, 196, 49 at 224), for any image size: there is no position embedding.
///
/// An attention takes its keys from all tokens, or, with `keys=reduced`, from the network's own reduction. Layers are numbered across the
/// stages; the stages with R = 1 keep softmax.
class PyramidVisionTransformer : public TrainableClassifier {
public:
    struct Setup {
        PvtDescription description;
        PvtWeights weights;
        WeightsKind kind = WeightsKind::Untrained;
        std::string source;
        LoadReport report;
        at::Device device = at::kCPU;
        at::ScalarType dtype = at::kFloat;
        Execution execution = Execution::Reference;
    };

    explicit PyramidVisionTransformer(Setup setup);

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override;
    bool takesPixels() const override { return m_pixels.defined(); }
    std::vector<std::string> labels() const override { return m_description.labels; }
    at::Device device() const override { return m_device; }
    at::ScalarType dtype() const override { return m_dtype; }
    std::int64_t weightBytes() const override { return m_weightBytes; }

    /// Throws UsageError, naming stage and block, if the options do not fit this network.
    PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                              const StochasticDepth* depth) const override;
    std::vector<NamedWeight> weights() const override;
    void setAttentionParameters(std::int64_t layer, AttentionParameters parameters) override;
    AttentionParameters attentionParameters(std::int64_t layer) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    /// With the keys of the native attention.
    AttentionShape attentionShape(std::int64_t layer) const override;
    void checkInput(const std::vector<std::int64_t>& shape) const override;

private:
    struct Layer;  // what one block's pass needs

    AttentionShape shapeOf(std::size_t stage, KeySource keys) const;
    void describeSelf(const Setup& setup);
    void explain(PreparedAttention& prepared) const;
    WeightsKind kindFor(const AttentionSpec& resolved) const;
    std::shared_ptr<AttentionBackend> makeLayer(const AttentionSpec& spec, std::int64_t layer) const;

    void pack();
    at::Tensor runBlock(const PvtBlockWeights& block, at::Tensor x, const Layer& layer) const;
    AttentionInput attentionInput(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;
    /// The output of a layer's attention, before its projection: (B,N,C).
    at::Tensor attended(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;
    at::Tensor mixed(const PvtBlockWeights& block, const at::Tensor& x, const Layer& layer) const;

    PvtDescription m_description;
    PvtWeights m_weights;
    std::int64_t m_weightBytes = 0;
    WeightsKind m_kind;
    at::Device m_device;
    at::ScalarType m_dtype;
    Execution m_execution;
    packedWeights::Layer m_pixels;  ///< the first embedding's convolution of 8-bit pixels, if optimized
    ModelSummary m_summary;
};

}  // namespace attnscope

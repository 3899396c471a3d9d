// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/train/stochastic_depth.h"
#include "core/train/trainable_classifier.h"
#include "models/blocks/position_embedding.h"
#include "models/vit/vit_description.h"
#include "models/vit/vit_weights.h"

#include <map>
#include <mutex>
#include <utility>

namespace attnscope {

/// DeiT (Touvron et al., ICML 2021) and the LARA authors' token-free evit, pre-norm, for any image size divisible by its patch. The logits
/// of distilled networks are the mean of both heads'.
class VisionTransformer : public TrainableClassifier {
public:
    struct Setup {
        VitDescription description;
        VitWeights weights;
        WeightsKind kind = WeightsKind::Untrained;
        std::string source;
        LoadReport report;
        PositionRule positionRule = PositionRule::Deit;
        at::Device device = at::kCPU;
        at::ScalarType dtype = at::kFloat;
        Execution execution = Execution::Reference;
    };

    explicit VisionTransformer(Setup setup);

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override;
    bool takesPixels() const override { return m_pixels.defined(); }
    std::vector<std::string> labels() const override { return m_description.labels; }
    at::Device device() const override { return m_device; }
    at::ScalarType dtype() const override { return m_dtype; }
    std::int64_t weightBytes() const override { return m_weightBytes; }

    PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer,
                              const StochasticDepth* depth) const override;
    std::vector<NamedWeight> weights() const override;
    void setAttentionParameters(std::int64_t layer, AttentionParameters parameters) override;
    AttentionParameters attentionParameters(std::int64_t layer) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    AttentionShape attentionShape(std::int64_t layer) const override;
    void checkInput(const std::vector<std::int64_t>& shape) const override;

private:
    TokenLayout layout(std::int64_t rows, std::int64_t columns) const;
    at::Tensor positionFor(std::int64_t rows, std::int64_t columns) const;
    void pack();
    at::Tensor embed(const at::Tensor& input, TokenLayout& tokens, ForwardObserver* observer) const;
    at::Tensor attended(const VitBlockWeights& block, const at::Tensor& x, const TokenLayout& tokens, std::int64_t layer,
                        const PreparedAttention& attention, ForwardObserver* observer) const;
    at::Tensor classify(const at::Tensor& x, const Pass& pass) const;

    VitDescription m_description;
    VitWeights m_weights;
    std::int64_t m_weightBytes = 0;
    WeightsKind m_kind;
    PositionRule m_positionRule;
    at::Device m_device;
    at::ScalarType m_dtype;
    Execution m_execution;
    packedWeights::Layer m_pixels;  ///< the patch embedding of 8-bit pixels, if optimized
    ModelSummary m_summary;
    mutable std::mutex m_positionsMutex;
    mutable std::map<std::pair<std::int64_t, std::int64_t>, at::Tensor> m_positions;  // resized ones, by grid
};

}  // namespace attnscope

#pragma once

#include "models/blocks/layers.h"
#include "models/blocks/random_weights.h"
#include "models/model_family.h"
#include "tests/samples/family/patch_mixer_description.h"

namespace attnscope {

struct PatchMixerBlock {
    LayerWeights norm, qkv, projection;
    AttentionParameters attention;
};

struct PatchMixerWeights {
    at::Tensor position;  ///< (1,N,C)
    LayerWeights patch, norm, head;
    std::vector<PatchMixerBlock> blocks;
};

/// Every weight, in a fixed order.
void visitWeights(PatchMixerWeights& weights, const PatchMixerDescription& description,
                  const WeightVisitor& visit);
/// Each tensor from `make`.
PatchMixerWeights makePatchMixerWeights(const PatchMixerDescription& description, const TensorMaker& make);

class PatchMixer : public TrainableClassifier {
public:
    /// positionRule and execution are of no use: another image size is refused, and nothing is packed.
    struct Setup : ModelSetup {
        PatchMixerDescription description;
        PatchMixerWeights weights;
        WeightsKind kind = WeightsKind::Untrained;
        LoadReport report;
    };

    explicit PatchMixer(Setup setup);

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override;
    std::vector<std::string> labels() const override { return m_setup.description.labels; }
    at::Device device() const override { return m_setup.device; }
    at::ScalarType dtype() const override { return m_setup.dtype; }
    int64_t weightBytes(const PreparedAttention&) const override { return m_weightBytes; }

    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override;
    at::Tensor trainingLogits(const at::Tensor& input, const PreparedAttention& attention,
                              ForwardObserver* observer, const StochasticDepth* depth) const override;
    std::vector<NamedWeight> weights() const override;
    void setAttentionParameters(int64_t layer, AttentionParameters parameters) override;
    AttentionParameters attentionParameters(int64_t layer) const override;
    double multiplyAdds(const PreparedAttention& attention) const override;
    AttentionShape attentionShape(int64_t layer) const override;
    void checkInput(const std::vector<int64_t>& shape) const override;

private:
    TokenLayout tokens() const;
    at::Tensor attended(const PatchMixerBlock& block, const at::Tensor& x, int64_t layer,
                        const PreparedAttention& prepared, ForwardObserver* observer) const;

    Setup m_setup;
    int64_t m_weightBytes = 0;
    ModelSummary m_summary;
};

}

#pragma once

#include "core/train/trainable_classifier.h"
#include "models/blocks/exit_heads.h"
#include "models/blocks/image_preparation.h"
#include "models/blocks/layers.h"
#include "models/model_family.h"

#include <ATen/core/grad_mode.h>
#include <c10/core/InferenceMode.h>

#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// What an attention owns in a layer: of networks of stages, or of blocks alone.
template <typename Weights, typename Description>
auto& attentionIn(Weights& weights, const Description& description, int64_t layer)
{
    if constexpr (requires { weights.stages; }) {
        const auto place = description.place(layer);
        return weights.stages.at(place.stage).blocks.at(place.block).attention;
    } else {
        return weights.blocks.at(size_t(layer)).attention;
    }
}

/// "block.0", "block.1" … as observers know them.
inline std::vector<std::string> blockNames(const std::string& prefix, int64_t count)
{
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; ++i)
        names.push_back(prefix + std::to_string(i));
    return names;
}

/// In float32, except where the weights are float64. Without a head there are no logits.
inline Readout asFloat(Readout readout)
{
    for (at::Tensor* part : {&readout.features, &readout.logits})
        if (part->defined() && part->scalar_type() != at::kDouble)
            *part = part->to(at::kFloat);
    return readout;
}

/// What the networks of all families have in common: `Description` has name, labels, attention, parameters(), imageHeight,
/// imageWidth and evaluationResize, `visitWeights` goes through `Weights`, `linearLayersOfBlocks` returns those that may be stored in 8
/// bits, and `readoutOf` the final norm and the heads of it.
template <typename Description, typename Weights>
class Network : public TrainableClassifier {
public:
    struct Setup : ModelSetup {
        Description description;
        Weights weights;
        WeightsKind kind = WeightsKind::Untrained;
        LoadReport report;
        std::vector<ReadoutWeights> exits = {};
    };

    const ModelSummary& describe() const override { return m_summary; }
    /// The short side and the crop.
    Transform transform() const override
    {
        Transform transform;
        transform.resize = m_description.evaluationResize;
        transform.cropHeight = m_description.imageHeight;
        transform.cropWidth = m_description.imageWidth;
        if constexpr (requires { m_description.preparation; })
            apply(m_description.preparation, transform);
        return transform;
    }
    std::vector<std::string> labels() const override { return m_description.labels; }
    at::Device device() const override { return m_device; }
    at::ScalarType dtype() const override { return m_dtype; }
    int64_t weightBytes(const PreparedAttention& attention) const override
    {
        int64_t bytes = m_weightBytes;
        if (attention.resolved.weights() == WeightStorage::Own)
            return bytes;
        Weights own = m_weights, used = weightsFor(attention);  // handles of the same tensors
        for (const LayerWeights* layer : linearLayersOfBlocks(own))
            bytes -= layer->bytes();
        for (const LayerWeights* layer : linearLayersOfBlocks(used))
            bytes += layer->bytes();
        return bytes;
    }
    std::vector<NamedWeight> weights() const override
    {
        std::vector<NamedWeight> all = namedWeights(m_weights, m_description, m_execution);
        std::vector<ReadoutWeights> exits = m_exits;
        visitExits(
            [&](const std::string& name, const std::vector<int64_t>& shape, at::Tensor& value) {
                all.push_back({.name = name, .shape = shape, .value = value, .ofExit = true});
            },
            exits);
        return all;
    }
    /// Of networks with one patch size: prefix tokens, then one row per patch.
    std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const override
    {
        if constexpr (requires { m_description.prefixTokens(); }) {
            const Description& d = m_description;
            OutputTokens tokens{{.prefix = d.prefixTokens(),
                                 .rows = shape.at(1) / d.patchSize,
                                 .columns = shape.at(2) / d.patchSize},
                                d.prefixTokens() > 0};
            if constexpr (requires { d.classToken; })  // a prefix may be registers alone
                tokens.classToken = d.classToken;
            return tokens;
        }
        return {};
    }
    void setAttentionParameters(int64_t layer, AttentionParameters parameters) override
    {
        attentionIn(m_weights, m_description, layer) = std::move(parameters);
    }
    AttentionParameters attentionParameters(int64_t layer) const override
    {
        return attentionIn(m_weights, m_description, layer);
    }

    Readout readOut(const at::Tensor& tokens) const override
    {
        return asFloat(readTokens(tokens, readoutOf(m_weights)));
    }
    bool hasExitHeads() const override { return !m_exits.empty(); }
    at::Tensor exitLogits(size_t block, const at::Tensor& tokens) const override
    {
        return block < m_exits.size() ? asFloat(readTokens(tokens, m_exits[block])).logits
                                      : readOut(tokens).logits;
    }
    void addExitHeads() override
    {
        const size_t exits = readableCount(m_weights) - 1;
        if (exits == 0)
            return TrainableClassifier::addExitHeads();
        while (m_exits.size() < exits)
            m_exits.push_back(copyOf(readoutOf(m_weights)));
    }

protected:
    /// Puts the weights on the device and begins the summary: sizes and multiply-adds are the family's.
    explicit Network(Setup setup)
        : m_description(std::move(setup.description))
        , m_weights(std::move(setup.weights))
        , m_exits(std::move(setup.exits))
        , m_kind(setup.kind)
        , m_positionRule(setup.positionRule)
        , m_device(setup.device)
        , m_dtype(setup.dtype)
        , m_execution(setup.execution)
    {
        const auto place = [&](const std::string&, const std::vector<int64_t>&, at::Tensor& x) {
            if (!x.defined())
                return;
            x = x.to(m_device, m_dtype);
            m_weightBytes += int64_t(x.nbytes());
        };
        visitWeights(m_weights, m_description, place);
        visitExits(place, m_exits);
        m_summary.name = m_description.name;
        if constexpr (requires { m_description.pooledWidth(); })
            m_summary.features = m_description.pooledWidth();
        else if constexpr (requires { m_description.width; })
            m_summary.features = m_description.width;
        m_summary.parameters = m_description.parameters();
        m_summary.input = {3, m_description.imageHeight, m_description.imageWidth};
        m_summary.nativeAttention = m_description.attention.canonical();
        m_summary.weightsSource = setup.source;
        m_summary.weights = m_kind;
        m_summary.load = std::move(setup.report);
    }

    /// The final norm, pooling and head on the tokens (B,N,C) behind a readable block.
    virtual Readout readTokens(const at::Tensor& tokens, const ReadoutWeights& by) const = 0;

    /// The weights with which a network of this attention computes: those of its blocks' linear layers may be in 8 bits, made when they are
    /// first asked for.
    const Weights& weightsFor(const PreparedAttention& prepared) const
    {
        if (prepared.resolved.weights() == WeightStorage::Own)
            return m_weights;
        std::call_once(m_int8Made, [&] {
            const c10::InferenceMode usable(false);  // kept for passes outside of it as well
            const at::NoGradGuard guard;
            m_int8 = m_weights;
            for (LayerWeights* layer : linearLayersOfBlocks(*m_int8))
                *layer = int8Layer(*layer, m_execution);
        });
        return *m_int8;
    }

    /// `cost` of blocks and head, with what is left of a pass for the embedding.
    ExitCost withEmbedding(ExitCost cost, const PreparedAttention& prepared) const
    {
        cost.embedding = std::accumulate(cost.blocks.begin(), cost.blocks.end(),
                                         multiplyAdds(prepared) - cost.head, std::minus<>());
        return cost;
    }

    Description m_description;
    Weights m_weights;
    /// Of the readable blocks but the last; empty: they are read like the last.
    std::vector<ReadoutWeights> m_exits;
    WeightsKind m_kind;
    PositionRule m_positionRule;
    at::Device m_device;
    at::ScalarType m_dtype;
    Execution m_execution;
    int64_t m_weightBytes = 0;
    ModelSummary m_summary;

private:
    mutable std::once_flag m_int8Made;
    mutable std::optional<Weights> m_int8;
};

}

#pragma once

#include "core/run/classifier.h"
#include "core/run/first_layer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

/// Another network under a summary of its own: what is not overridden is that network's.
class WrappedClassifier : public Classifier, public FirstLayerSource {
public:
    explicit WrappedClassifier(std::shared_ptr<const Classifier> network)
        : m_network(std::move(network))
        , m_summary(m_network->describe())
    {}

    const ModelSummary& describe() const override { return m_summary; }
    Transform transform() const override { return m_network->transform(); }
    std::vector<std::string> labels() const override { return m_network->labels(); }
    at::Device device() const override { return m_network->device(); }
    at::ScalarType dtype() const override { return m_network->dtype(); }
    int64_t weightBytes(const PreparedAttention& attention) const override
    {
        return m_network->weightBytes(attention);
    }
    PreparedAttention prepare(const AttentionSpec& spec, uint64_t seed) const override
    {
        return m_network->prepare(spec, seed);
    }
    bool takesPixels() const override { return m_network->takesPixels(); }
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer = nullptr) const override
    {
        return m_network->logits(input, attention, observer);
    }
    double multiplyAdds(const PreparedAttention& attention) const override
    {
        return m_network->multiplyAdds(attention);
    }
    AttentionShape attentionShape(int64_t layer) const override { return m_network->attentionShape(layer); }
    void checkInput(const std::vector<int64_t>& shape) const override { m_network->checkInput(shape); }
    std::vector<std::string> readableBlocks() const override { return m_network->readableBlocks(); }
    Readout readOut(const at::Tensor& tokens) const override { return m_network->readOut(tokens); }
    bool hasExitHeads() const override { return m_network->hasExitHeads(); }
    at::Tensor exitLogits(size_t block, const at::Tensor& tokens) const override
    {
        return m_network->exitLogits(block, tokens);
    }
    ExitCost exitCost(const PreparedAttention& attention) const override { return m_network->exitCost(attention); }
    std::optional<OutputTokens> outputTokens(const std::vector<int64_t>& shape) const override
    {
        return m_network->outputTokens(shape);
    }
    /// Empty if the network is no source of one.
    std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override
    {
        const auto* source = dynamic_cast<const FirstLayerSource*>(m_network.get());
        return source != nullptr ? source->firstLayer(input) : std::nullopt;
    }

protected:
    std::shared_ptr<const Classifier> m_network;
    ModelSummary m_summary;
};

}

// SPDX-License-Identifier: Apache-2.0
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

    [[nodiscard]] const ModelSummary& describe() const override { return m_summary; }
    [[nodiscard]] Transform transform() const override { return m_network->transform(); }
    [[nodiscard]] std::vector<std::string> labels() const override { return m_network->labels(); }
    [[nodiscard]] at::Device device() const override { return m_network->device(); }
    [[nodiscard]] at::ScalarType dtype() const override { return m_network->dtype(); }
    [[nodiscard]] std::int64_t weightBytes(const PreparedAttention& attention) const override { return m_network->weightBytes(attention); }
    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override { return m_network->prepare(spec, seed); }
    [[nodiscard]] bool takesPixels() const override { return m_network->takesPixels(); }
    [[nodiscard]]
    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer = nullptr) const override
    {
        return m_network->logits(input, attention, observer);
    }
    [[nodiscard]] double multiplyAdds(const PreparedAttention& attention) const override { return m_network->multiplyAdds(attention); }
    [[nodiscard]] AttentionShape attentionShape(std::int64_t layer) const override { return m_network->attentionShape(layer); }
    void checkInput(const std::vector<std::int64_t>& shape) const override { m_network->checkInput(shape); }
    [[nodiscard]] std::vector<std::string> readableBlocks() const override { return m_network->readableBlocks(); }
    [[nodiscard]] Readout readOut(const at::Tensor& tokens) const override { return m_network->readOut(tokens); }
    [[nodiscard]] bool hasExitHeads() const override { return m_network->hasExitHeads(); }
    [[nodiscard]] at::Tensor exitLogits(std::size_t block, const at::Tensor& tokens) const override { return m_network->exitLogits(block, tokens); }
    [[nodiscard]] ExitCost exitCost(const PreparedAttention& attention) const override { return m_network->exitCost(attention); }
    [[nodiscard]] std::optional<OutputTokens> outputTokens(const std::vector<std::int64_t>& shape) const override
    {
        return m_network->outputTokens(shape);
    }
    /// Empty if the network is no source of one.
    [[nodiscard]] std::optional<FirstLayer> firstLayer(const at::Tensor& input) const override
    {
        const auto* source = dynamic_cast<const FirstLayerSource*>(m_network.get());
        return source != nullptr ? source->firstLayer(input) : std::nullopt;
    }

protected:
    std::shared_ptr<const Classifier> m_network;
    ModelSummary m_summary;
};

}  // namespace attnscope

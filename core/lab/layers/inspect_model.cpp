// SPDX-License-Identifier: Apache-2.0
// Layers of a network on one input.
#include "core/lab/layers/inspected_subject.h"
#include "core/lab/layers/opened_input.h"

#include <c10/core/InferenceMode.h>

#include <utility>

namespace attnscope {

namespace {

class NetworkSubject : public InspectedSubject {
public:
    NetworkSubject(const Classifier& classifier, const InputSource& source)
        : m_classifier(classifier)
        , m_path(source.path)
        , m_kind(source.kind)
        , m_input(openMeasuredView(source, classifier))
    {}

    RunReport begin(std::uint64_t seed) override
    {
        RunReport report = beginReport(m_classifier, {.seed = seed});
        report.inputs.push_back({.path = m_path, .kind = m_kind});
        return report;
    }

    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec, std::uint64_t seed) const override
    {
        PreparedAttention prepared = m_classifier.prepare(spec, seed);
        prepared.drawFor(m_input.samples);
        return prepared;
    }

    [[nodiscard]] ExactPass exactPass(PreparedAttention exact, bool whole,
                                      const std::stop_token& stop) const override
    {
        ExactPass pass;
        pass.prepared = std::move(exact);
        if (whole) {
            BlockObserver blocks(stop, nullptr);
            pass.logits = m_classifier.logits(m_input.values, pass.prepared, &blocks);
            pass.blocks = blocks.blocks();
        }
        LayerVisitor visitor(stop, [&](std::int64_t, const AttentionInput& in, const at::Tensor& out) {
            pass.layers.push_back({in, out});
        });
        m_classifier.logits(m_input.values, pass.prepared, &visitor);
        return pass;
    }

    [[nodiscard]] const Classifier* network() const override { return &m_classifier; }
    [[nodiscard]] const at::Tensor& input() const override { return m_input.values; }

    [[nodiscard]] std::string layerName(std::size_t layer) const override
    {
        const auto& names = m_classifier.describe().layerNames;
        return layer < names.size() ? names[layer] : std::string();
    }

private:
    const Classifier& m_classifier;
    std::string m_path, m_kind;
    NetworkInput m_input;
};

}  // namespace

LayerInspection inspectLayers(const Classifier& classifier, const InputSource& input,
                              const InspectRequest& request, const InspectionCalls& calls)
{
    return inspectWith(calls.memory, request, calls, [&]() -> std::unique_ptr<InspectedSubject> {
        return std::make_unique<NetworkSubject>(classifier, input);
    });
}

}  // namespace attnscope

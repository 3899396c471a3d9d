// SPDX-License-Identifier: Apache-2.0
#include "core/lab/leaderboard/leaderboard_subject.h"

#include "core/lab/layers/opened_input.h"
#include "core/lab/plan/plan_layers.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

class RankedNetwork : public LeaderboardSubject {
public:
    RankedNetwork(const Classifier& classifier, const std::vector<InputSource>& inputs, std::uint64_t seed)
        : m_classifier(classifier)
        , m_seed(seed)
        , m_exact(classifier.prepare(AttentionSpec::native(), seed).exact)
        , m_report(beginReport(classifier, {.seed = seed}))
    {
        forEachMeasuredView(inputs, classifier, [this](NetworkInput view) { m_inputs.push_back(std::move(view)); }, m_report.inputs,
                            m_unreadable);
        if (m_inputs.empty())
            throw UsageError("", "none of the inputs can be read", m_unreadable.empty() ? "" : m_unreadable.front().reason);
    }

    void describe(LeaderboardReport& report) const override
    {
        report.model = m_report;
        report.source = m_report.model.name;
        report.hasClasses = m_report.model.classes > 0;
        report.inputs = static_cast<std::int64_t>(m_inputs.size());
        report.unreadable = m_unreadable;
    }

    [[nodiscard]] AttentionSpec exact() const override { return m_exact; }
    [[nodiscard]] AttentionSpec overItsKeys(const AttentionSpec& spec) const override { return overKeysOf(m_exact, spec); }
    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec) const override { return m_classifier.prepare(spec, m_seed); }
    [[nodiscard]] std::size_t inputs() const override { return m_inputs.size(); }

    at::Tensor exactPass(std::size_t input, PreparedAttention& exact, const LayerVisitor::Visit& visit, const std::stop_token& stop) const override
    {
        LayerVisitor visitor(stop, visit);
        drawFor(input, exact);
        return m_classifier.logits(m_inputs[input].values, exact, &visitor);
    }

    [[nodiscard]] at::Tensor pass(std::size_t input, PreparedAttention& attention, const std::stop_token& stop) const override
    {
        StoppableObserver observer(stop);
        drawFor(input, attention);
        return m_classifier.logits(m_inputs[input].values, attention, &observer);
    }

    [[nodiscard]] const Classifier* network() const override { return &m_classifier; }
    [[nodiscard]] at::Device device() const override { return m_classifier.device(); }
    void drawFor(std::size_t input, PreparedAttention& attention) const override { attention.drawFor(m_inputs[input].samples); }

private:
    const Classifier& m_classifier;
    std::uint64_t m_seed;
    AttentionSpec m_exact;
    RunReport m_report;
    std::vector<UnreadableInput> m_unreadable;
    std::vector<NetworkInput> m_inputs;
};

class RankedTensors : public LeaderboardSubject {
public:
    RankedTensors(AttentionInput input, std::string source, double temperature, std::uint64_t seed)
        : m_input(std::move(input))
        , m_source(std::move(source))
        , m_temperature(temperature)
        , m_seed(seed)
        , m_context{m_input.q.size(1), m_input.q.size(3), m_input.tokens, {}}
    {}

    void describe(LeaderboardReport& report) const override
    {
        report.source = m_source;
        report.temperature = m_temperature;
        report.inputs = 1;
    }

    [[nodiscard]] AttentionSpec exact() const override { return AttentionSpec::reference(); }

    [[nodiscard]] PreparedAttention prepare(const AttentionSpec& spec) const override
    {
        if (spec.isNative() || spec.isMixed())
            throw UsageError(spec.canonical(), "without a model there are no layers with attentions of their own",
                             "specify one attention by name");
        PreparedAttention prepared;
        prepared.requested = prepared.resolved = spec;
        prepared.seed = m_seed;
        const auto backend = makeBackend(spec, m_context);
        refuseOtherKeys(spec, {.queries = m_input.q.size(2), .keys = m_input.k.size(2)});
        prepared.notes = backend->notes();
        prepared.deterministic = backend->deterministic();
        prepared.layers.push_back(backend);
        prepared.noise.push_back(std::make_shared<SeededNoise>(spec.seedOr(m_seed), 0));
        return prepared;
    }

    at::Tensor exactPass(std::size_t, PreparedAttention& exact, const LayerVisitor::Visit& visit, const std::stop_token& stop) const override
    {
        checkStop(stop);
        visit(0, m_input, exact.layers.front()->attend(m_input, *exact.noise.front()));
        return {};
    }

    [[nodiscard]] at::Tensor pass(std::size_t, PreparedAttention&, const std::stop_token&) const override { return {}; }
    [[nodiscard]] at::Device device() const override { return m_input.q.device(); }
    void drawFor(std::size_t, PreparedAttention&) const override {}

private:
    AttentionInput m_input;
    std::string m_source;
    double m_temperature;
    std::uint64_t m_seed;
    BackendContext m_context;
};

}  // namespace

std::unique_ptr<LeaderboardSubject> networkSubject(const Classifier& classifier, const std::vector<InputSource>& inputs, std::uint64_t seed)
{
    return std::make_unique<RankedNetwork>(classifier, inputs, seed);
}

std::unique_ptr<LeaderboardSubject> tensorSubject(AttentionInput input, std::string source, double temperature, std::uint64_t seed)
{
    return std::make_unique<RankedTensors>(std::move(input), std::move(source), temperature, seed);
}

}  // namespace attnscope

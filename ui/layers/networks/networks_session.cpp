#include "ui/layers/networks/networks_session.h"

#include "ui/engine/input_source.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"
#include "models/compared_networks.h"
#include "models/network_differences.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

using Question = NetworksSession::Question;

/// Each opened once, the second compared with the first.
struct BothNetworks {
    std::shared_ptr<const OpenedModel> first, second;
    ComparedNetwork one, other;

    BothNetworks(const Question& question, TaskTurn& turn)
        : first(turn.models().open(question.first))
        , second(turn.models().open(question.second))
        , one{.classifier = first->classifier}
        , other{.classifier = second->classifier, .checkpoint = "2"}
    {
        compareWith(one, other);
        if (other.classifier == nullptr)
            throw Error(question.second.weights, other.failure);
    }
};

NetworkComparison compared(const Question& question, TaskTurn& turn)
{
    const BothNetworks both(question, turn);
    std::vector<InputSource> inputs;
    const auto sourceFor = [&](const std::shared_ptr<const OpenedModel>& model, const InputEntry& input) {
        return inputSource(turn.engine().workbench(), model, input, question.first.limits, turn.stop(),
                           question.views);
    };
    for (const InputEntry& input : question.inputs) {
        inputs.push_back(sourceFor(both.first, input));
        if (inputs.back().kind == "video")
            inputs.back().views = [load = sourceFor(both.second, input).load](const Classifier&) {
                return std::get<VideoViews>(load());
            };
    }
    NetworkComparison comparison = compareNetworks(
        both.one, both.other, inputs, {.seed = question.options.device.seed}, turn.progress(), turn.stop());
    if (comparison.inputs.empty())
        throw Error("", "no input could be read: " + comparison.unreadable.front().reason);
    addDifferences(question.first, question.second, comparison);
    return comparison;
}

/// The same place of another network's tokens.
TokenQuery queryIn(const LayerInspection& network, const TokenQuery& query, const LayerInspection& first)
{
    const TokenQuery start = startingQuery(network);
    if (query.classToken)
        return start;
    return {std::min(query.frame, network.frames - 1),
            query.row * network.grid.rows / std::max<int64_t>(1, first.grid.rows),
            query.column * network.grid.columns / std::max<int64_t>(1, first.grid.columns), false};
}

NetworksSession::Maps mapsOf(const Question& question, TaskTurn& turn)
{
    const BothNetworks both(question, turn);
    NetworksSession::Maps maps;
    std::optional<TokenQuery> query = question.query;
    for (const auto& model : {both.first, both.second}) {
        const NetworkInputs subject{model->classifier,
                                    {inputSource(turn.engine().workbench(), model, question.shown,
                                                 question.first.limits, turn.stop(), question.views)}};
        InspectRequest request{.attention = {AttentionSpec::native()},
                               .seed = question.options.device.seed,
                               .query = TokenQuery(),
                               .errors = false,
                               .endToEnd = false,
                               .alone = false};
        LayerInspection known = inspectLayers(subject, request, {.stop = turn.stop()});  // which tokens there are
        if (!query)
            query = startingQuery(known);
        request.query = maps.empty() ? *query : queryIn(known, *query, maps.front());
        maps.push_back(inspectLayers(subject, request, {.stop = turn.stop()}));
        if (const std::string& failure = maps.back().attention.front().failure; !failure.empty())
            throw Error("", failure);
    }
    return maps;
}

}

NetworksSession::NetworksSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
    , m_comparison(workspace.engine(), {MeasuringGate::Work::Measuring, "networks"},
                   [](const Question& question, TaskTurn& turn, const auto&) { return compared(question, turn); })
    , m_maps(workspace.engine(), {MeasuringGate::Work::Measuring, "network-maps"},
             [](const Question& question, TaskTurn& turn, const auto&) { return mapsOf(question, turn); })
{
    follow(m_comparison);
    connect(&m_comparison, &TaskBase::progressed, this, [this] {
        m_progress.what = engineText(m_comparison.step().what);
        m_progress.done = int(m_comparison.step().done);
        m_progress.total = int(m_comparison.step().total);
    });
    connect(&m_comparison, &TaskBase::ended, this, [this] {
        if (report() != nullptr)
            askMaps({});
    });
    connect(&m_maps, &TaskBase::ended, this, &NetworksSession::mapsChanged);
}

std::optional<Session::Job> NetworksSession::job() const
{
    return isRunning() ? std::optional(m_progress.job(tr("two networks"))) : std::nullopt;
}

void NetworksSession::stop()
{
    m_maps.drop();
    m_comparison.stop();
}

NetworksSession::Question NetworksSession::question(const QString& checkpoint, const QString& dtype) const
{
    const RunContext& context = m_workspace.context();
    Question question{.options = optionsOf<LayersOptions>(context, m_workspace.settings().threads),
                      .first = m_workspace.modelRequest(),
                      .second = m_workspace.modelRequests().at(m_workspace.furtherCheckpoints().empty() ? 0 : 1),
                      .inputs = m_workspace.inputs(),
                      .views = ViewGrid::parse(fromQt(context.views)),
                      .shown = m_workspace.input() == nullptr ? InputEntry() : *m_workspace.input()};
    if (!checkpoint.isEmpty())
        question.second.weights = fromQt(checkpoint);
    question.options.against = question.second.weights;
    if (!dtype.isEmpty() && fromQt(dtype) != question.first.dtype) {
        question.second.dtype = fromQt(dtype);
        question.options.attention = {
            AttentionSpec::native().withDtype(question.second.dtype).withCheckpoint("2").canonical()};
    }
    for (const InputEntry& input : question.inputs)
        question.options.inputs.paths.push_back(fromQt(input.path));
    return question;
}

void NetworksSession::start(const Question& question)
{
    m_progress = {tr("loading")};
    m_progress.clock.start();
    m_maps.drop();
    m_comparison.start(question, m_workspace.settings().threads);
}

void NetworksSession::setQuery(const TokenQuery& query)
{
    askMaps(query);
}

void NetworksSession::askMaps(const std::optional<TokenQuery>& query)
{
    Question question = m_comparison.request();
    question.query = query;
    m_maps.start(question, m_workspace.settings().threads, query ? m_maps.report() : nullptr);
    m_mapped = m_comparison.report();
    emit mapsChanged();
}

}

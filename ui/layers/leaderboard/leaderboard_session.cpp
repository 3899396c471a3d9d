#include "ui/layers/leaderboard/leaderboard_session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include "models/lab_options.h"
#include "ui/workspace/made_with.h"

#include <utility>

namespace attnscope::ui {

LeaderboardSession::LeaderboardSession(Workspace& workspace, const std::shared_ptr<LayersBackend>& layersBackend,
                                       std::function<LayerQuestion()> ask, QObject* parent)
    : Session(workspace, parent)
    , m_ask(std::move(ask))
    , m_task(workspace.engine(), {MeasuringGate::Work::Measuring, "leaderboard"},
             [layersBackend](const Question& question, TaskTurn& turn, const auto& grew) {
                 LeaderboardCalls calls{
                     .progress = turn.progress(), .earlier = question.earlier.get(), .stop = turn.stop()};
                 calls.measured = [&, rate = ReportRate()](const LeaderboardReport& soFar) mutable {
                     if (rate.isDue() || soFar.rows.size() == 1)
                         grew(soFar);
                 };
                 const InspectRequest& request = question.layers.request;
                 return layersBackend->rank(layerSubject(question.layers, turn),
                                            {.seed = request.seed, .seeds = request.seeds}, calls);
             })
{
    connect(&m_task, &TaskBase::restingChanged, this, [this](bool resting) {
        if (resting)
            m_progress.what = tr("waiting for another job's step");
    });
    connect(&m_task, &TaskBase::progressed, this, [this] {
        m_progress.what = engineText(m_task.step().what);
        m_progress.done = int(m_task.step().done);
        m_progress.total = int(m_task.step().total);
    });
    follow(m_task);
    connect(this, &Session::stateChanged, this, &LeaderboardSession::changed);
    connect(&m_task, &TaskBase::grew, this, [this] {
        m_progress.done = int(report()->rows.size());
        m_progress.total = int(report()->candidates);
        emit changed();
        emit activityChanged();
    });
}

void LeaderboardSession::run()
{
    const LayerQuestion question = m_ask();
    const bool goesOn = report() != nullptr && !report()->complete() && staleText(question).isEmpty();
    m_question = question;
    m_question.request.seeds = m_seeds;
    m_context = m_workspace.context();
    m_progress = {tr("loading")};
    m_progress.clock.start();
    const auto earlier = goesOn ? m_task.report() : nullptr;
    m_task.start({m_question, earlier}, m_question.threads, earlier);
}

void LeaderboardSession::stop()
{
    m_task.drop();  // rows that have come stay
}

void LeaderboardSession::setSeeds(int seeds)
{
    m_seeds = seeds;
    emit changed();
}

std::optional<Session::Job> LeaderboardSession::job() const
{
    return isRunning() ? std::optional(m_progress.job(tr("leaderboard"))) : std::nullopt;
}

QString LeaderboardSession::progressText() const
{
    if (!report() || report()->complete())
        return {};
    return tr("%1 of %2 attentions measured").arg(report()->rows.size()).arg(report()->candidates);
}

QString LeaderboardSession::staleText(const LayerQuestion& next) const
{
    if (!report())
        return {};
    if (next.input.path != m_question.input.path)
        return tr("made with %1").arg(m_question.input.name);
    if (m_seeds != int(m_question.request.seeds))
        return madeWithSeeds(m_question.request.seeds);
    return madeWith(m_context, m_workspace.context(), false);
}

QString LeaderboardSession::command() const
{
    if (!report() || m_question.input.pasted())
        return {};
    auto options = optionsOf<ApproximateOptions>(m_context, m_question.threads);
    options.inputs.paths = {fromQt(m_question.input.path)};
    if (m_question.dump)
        options.model = {};
    options.all = true;
    options.request.seeds = m_question.request.seeds;
    return CommandLine("approximate", options, {"--seeds"}).text();
}

}

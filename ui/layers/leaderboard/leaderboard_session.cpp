#include "ui/layers/leaderboard/leaderboard_session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"
#include "ui/workspace/made_with.h"

#include <utility>

namespace attnscope::ui {

LeaderboardSession::LeaderboardSession(Workspace& workspace, std::shared_ptr<LayersWorker> worker,
                                       std::function<LayerQuestion()> ask, QObject* parent)
    : Session(workspace, parent)
    , m_worker(std::move(worker))
    , m_ask(std::move(ask))
{
    connectWorker();
}

LeaderboardSession::~LeaderboardSession()
{
    m_worker->stop();
}

void LeaderboardSession::connectWorker()
{
    const LayersWorker* worker = m_worker.get();
    connect(worker, &LayersWorker::ranked, this,
            [this](quint64 ticket, const std::shared_ptr<const LeaderboardReport>& report) {
                if (ticket != m_ticket)
                    return;
                m_report = report;
                m_progress.done = int(report->rows.size());
                m_progress.total = int(report->candidates);
                emit changed();
                emit activityChanged();
            });
    connect(worker, &LayersWorker::rankingFinished, this, [this](quint64 ticket) {
        if (ticket == m_ticket)
            end();
    });
    connect(worker, &LayersWorker::failed, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket != m_ticket)
            return;
        emit problem(sentence);
        end();
    });
    connect(worker, &LayersWorker::cancelled, this, [this](quint64 ticket) {
        if (ticket == m_ticket)
            end();
    });
    connect(worker, &LayersWorker::waits, this, [this](quint64 ticket) {
        if (ticket != m_ticket)
            return;
        m_progress.what = tr("waiting for another job's step");
        emit activityChanged();
    });
    connect(worker, &LayersWorker::progressed, this, [this](quint64 ticket, const Progress& progress) {
        if (ticket != m_ticket)
            return;
        m_progress.what = engineText(progress.what);
        m_progress.done = int(progress.done);
        m_progress.total = int(progress.total);
        emit activityChanged();
    });
}

void LeaderboardSession::run()
{
    m_worker->stop();
    const LayerQuestion question = m_ask();
    const bool goesOn = m_report && !m_report->complete() && staleText(question).isEmpty();
    if (!goesOn)
        m_report.reset();
    m_question = question;
    m_question.request.seeds = m_seeds;
    m_context = m_workspace.context();
    m_ticket = m_worker->rank(m_question, m_report);
    m_progress = {tr("loading")};
    m_progress.clock.start();
    emit changed();
    emit activityChanged();
}

void LeaderboardSession::stop()
{
    m_worker->stop();
    if (isRunning())
        end();  // rows that have come stay
}

void LeaderboardSession::end()
{
    m_ticket = 0;
    emit changed();
    emit activityChanged();
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
    if (!m_report || m_report->complete())
        return {};
    return tr("%1 of %2 attentions measured").arg(m_report->rows.size()).arg(m_report->candidates);
}

QString LeaderboardSession::staleText(const LayerQuestion& next) const
{
    if (!m_report)
        return {};
    if (next.input.path != m_question.input.path)
        return tr("made with %1").arg(m_question.input.name);
    if (m_seeds != int(m_question.request.seeds))
        return madeWithSeeds(m_question.request.seeds);
    return madeWith(m_context, m_workspace.context(), false);
}

QString LeaderboardSession::command() const
{
    if (!m_report || m_question.input.pasted())
        return {};
    CompareSetup setup{
        {m_question.input.path}, {}, m_context, int(m_question.request.seeds), int(m_question.threads)};
    if (m_question.dump)
        setup.context.model.clear(), setup.context.weights.clear(), setup.context.heads = 0;
    return leaderboardCommand(setup);
}

}

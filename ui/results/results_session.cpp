#include "ui/results/results_session.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

ResultsSession::ResultsSession(Workspace& workspace, const std::function<void()>& storeDelay, const QString& file,
                               const ExitsTask::Measure& exits, QObject* parent)
    : Session(workspace, parent)
    , m_store(storeDelay, file)
    , m_task(workspace.engine(), {MeasuringGate::Work::Laboratory}, exits)
{
    follow(m_task);
}

ExitsJob ResultsSession::exitsJob(const QString& folder, int limit) const
{
    ExitsJob job{.model = m_workspace.modelRequest(), .folder = fromQt(folder), .limit = limit, .request = {}};
    job.request.attention.clear();
    for (const QString& spec : m_workspace.backends().checkedSpecs())
        job.request.attention.push_back(AttentionSpec::parse(fromQt(spec)));
    job.request.seed = m_workspace.context().seed;
    return job;
}

QString ResultsSession::commandOf(const ExitsJob& job) const
{
    CommandLine line("exits");
    line.input(job.folder);
    line.model(job.model);
    line.attention(job.request.attention);
    line.put("--limit", job.limit, 0);
    line.device(job.model.device, job.model.dtype, job.request.seed);
    line.threads(m_workspace.settings().threads);
    return line.text();
}

void ResultsSession::start(const ExitsJob& job)
{
    if (isRunning())
        return;
    m_command = commandOf(job);
    m_task.start(job, m_workspace.settings().threads);
}

std::optional<Session::Job> ResultsSession::job() const
{
    return isRunning()
               ? std::optional(Job{tr("exits · accuracy behind each block"), progressText(), m_task.part()})
               : std::nullopt;
}

QString ResultsSession::status() const
{
    return isRunning() ? tr("Measuring: %1").arg(progressText()) : QString();
}

QString ResultsSession::progressText() const
{
    const Progress& step = m_task.step();
    return m_task.isResting() ? tr("waiting for the current measurement or evaluation")
           : step.total > 0   ? tr("%1 of %2 samples").arg(step.done).arg(step.total)
                              : tr("starting");
}

}

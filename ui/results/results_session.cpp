#include "ui/results/results_session.h"

#include "ui/style/qt_text.h"

#include "models/lab_options.h"

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

CommandLine ResultsSession::commandOf(const ExitsJob& job) const
{
    ExitsOptions options;
    options.labelled.folder = job.folder;
    options.labelled.limit = job.limit;
    options.model = job.model;
    options.attention = canonical(job.request.attention);
    options.device = {job.model.device, job.model.dtype, m_workspace.settings().threads, job.request.seed};
    return CommandLine("exits", options);
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

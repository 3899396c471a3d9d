#include "ui/results/results_session.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

namespace attnscope::ui {

ResultsSession::ResultsSession(Workspace& workspace, const std::function<void()>& storeDelay, const QString& file,
                               const ExitsBackend& exits, QObject* parent)
    : Session(workspace, parent)
    , m_store(storeDelay, file)
    , m_worker(std::make_unique<ExitsWorker>(exits, workspace.engine().gate()))
{
    ExitsWorker* worker = m_worker.get();
    connect(worker, &ExitsWorker::progressed, this, [this](const Progress& step) {
        m_step = step;
        emit progressed();
        emit activityChanged();
    });
    connect(worker, &ExitsWorker::restingChanged, this, [this](bool resting) {
        m_resting = resting;
        emit exitsChanged();
    });
    connect(worker, &ExitsWorker::measured, this, [this](const std::shared_ptr<const ExitReport>& report) {
        m_exits = report;
        end();
    });
    connect(worker, &ExitsWorker::stopped, this, &ResultsSession::end);
    connect(worker, &ExitsWorker::failed, this, [this](const QString& sentence) {
        emit problem(sentence);
        end();
    });
    connect(this, &ResultsSession::exitsChanged, this, &Session::activityChanged);
    for (const auto changed : {&Workspace::contextChanged, &Workspace::settingsChanged, &Workspace::modelChanged,
                               &Workspace::surroundingsChanged})
        connect(&m_workspace, changed, this, &ResultsSession::wishesChanged);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, &ResultsSession::wishesChanged);
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
    if (m_running)
        return;
    m_exits.reset();
    m_command = commandOf(job);
    m_step = {};
    m_running = true;
    m_worker->start(job, m_workspace.settings().threads);
    emit exitsChanged();
}

void ResultsSession::stop()
{
    if (m_running)
        m_worker->stop();
}

void ResultsSession::end()
{
    m_running = m_resting = false;
    emit exitsChanged();
}

std::optional<Session::Job> ResultsSession::job() const
{
    if (!m_running)
        return std::nullopt;
    const double part = m_step.total > 0 ? double(m_step.done) / double(m_step.total) : 0;
    return Job{tr("exits · accuracy behind each block"), progressText(), part};
}

QString ResultsSession::status() const
{
    return m_running ? tr("Measuring: %1").arg(progressText()) : QString();
}

QString ResultsSession::progressText() const
{
    return m_resting          ? tr("waiting for the current measurement or evaluation")
           : m_step.total > 0 ? tr("%1 of %2 samples").arg(m_step.done).arg(m_step.total)
                              : tr("starting");
}

}

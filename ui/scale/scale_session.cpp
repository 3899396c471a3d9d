// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_session.h"

#include "ui/scale/scale_command.h"
#include "ui/scale/scale_stale.h"
#include "ui/scale/scale_words.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/made_with.h"


#include <algorithm>
#include <cmath>

namespace attnscope::ui {

ScaleSession::ScaleSession(Workspace& workspace, const ScaleBackend& backend, QObject* parent)
    : Session(workspace, parent)
    , m_backend(backend)
    , m_worker(std::make_unique<ScaleWorker>(backend, workspace.engine().gate()))
{
    connect(this, &ScaleSession::stateChanged, this, &Session::activityChanged);
    connect(this, &ScaleSession::progressed, this, &Session::activityChanged);
    connect(&m_workspace, &Workspace::contextChanged, this, &ScaleSession::wishesChanged);
    connect(&m_workspace, &Workspace::settingsChanged, this, &ScaleSession::wishesChanged);
    connect(&m_workspace, &Workspace::modelChanged, this, &ScaleSession::wishesChanged);
    connect(&m_workspace, &Workspace::surroundingsChanged, this, &ScaleSession::wishesChanged);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, &ScaleSession::wishesChanged);
    connect(&m_workspace, &Workspace::currentInputChanged, this, &ScaleSession::wishesChanged);
    connectWorker();
}

void ScaleSession::connectWorker()
{
    ScaleWorker* worker = m_worker.get();
    connect(worker, &ScaleWorker::progressed, this, [this](const Progress& step) {
        m_step = step;
        emit progressed();
    });
    connect(worker, &ScaleWorker::restingChanged, this, [this](bool resting) {
        m_resting = resting;
        emit stateChanged();
    });
    connect(worker, &ScaleWorker::scaleGrew, this, [this](const std::shared_ptr<const ScaleReport>& report) {
        takeScale(report);
        emit resultsChanged(Length);
        emit progressed();
    });
    connect(worker, &ScaleWorker::scaled, this, [this](const std::shared_ptr<const ScaleReport>& report) {
        m_scale = report;
        end();
    });
    connect(worker, &ScaleWorker::decodeGrew, this, [this](const std::shared_ptr<const DecodeReport>& report) {
        m_decoded = report;
        emit resultsChanged(Decode);
        emit progressed();
    });
    connect(worker, &ScaleWorker::decoded, this, [this](const std::shared_ptr<const DecodeReport>& report) {
        m_decoded = report;
        end();
    });
    connect(worker, &ScaleWorker::approximated, this,
            [this](const std::shared_ptr<const ApproximateReport>& report) {
                m_approximation = report;
                for (const UnreadableInput& input : report->unreadable)
                    emit problem(tr("%1: %2").arg(toQt(input.path), toQt(input.reason)));
                if (report->inputs == 0)
                    m_approximation.reset();
                end();
            });
    connect(worker, &ScaleWorker::kernelPlotted, this, [this](const std::shared_ptr<const KernelReport>& report) {
        m_kernel = report;
        end();
    });
    connect(worker, &ScaleWorker::planned, this, [this](const std::shared_ptr<const PlanReport>& report) {
        m_plan = report;
        end();
    });
    connect(worker, &ScaleWorker::stopped, this, [this] {
        m_cut[static_cast<std::size_t>(m_kind)] = true;
        end();
    });
    connect(worker, &ScaleWorker::failed, this, [this](const QString& sentence) {
        m_cut[static_cast<std::size_t>(m_kind)] = true;
        emit problem(sentence);
        end();
    });
}

ScaleRequest ScaleSession::scaleRequest(ScaleRequest form) const
{
    const RunContext& context = m_workspace.context();
    QStringList others;
    form.attention = scalable(m_workspace.backends().checkedSpecs(), others);
    form.device = fromQt(context.device);
    form.dtype = fromQt(context.dtype);
    form.seed = context.seed;
    return form;
}

DecodeRequest ScaleSession::decodeRequest(DecodeRequest form) const
{
    const RunContext& context = m_workspace.context();
    form.dtype = fromQt(context.dtype);
    form.seed = context.seed;
    form.limits = m_workspace.modelRequest().limits;
    return form;
}

ModelRequest ScaleSession::requested(InputSize size) const
{
    ModelRequest request = m_workspace.modelRequest();
    if (!size.isOwn())
        request.imageSize = size;
    return request;
}

ApproximateJob ScaleSession::approximateJob(ApproximateJob form) const
{
    form.model = requested(form.model.imageSize);
    form.request.attention = approximating(m_workspace.backends().checkedSpecs());
    form.request.seed = m_workspace.context().seed;
    if (form.random)
        form.random->seed = form.request.seed;
    else if (form.dump.empty())
        for (const QString& path : inputs())
            form.inputs.push_back(fromQt(path));
    return form;
}

KernelJob ScaleSession::kernelJob(KernelJob form) const
{
    form.model = requested(form.model.imageSize);
    form.request.seed = m_workspace.context().seed;
    if (form.random)
        form.random->seed = form.request.seed;
    else if (form.dump.empty())
        form.input = fromQt(input());
    return form;
}

PlanJob ScaleSession::planJob(PlanJob form) const
{
    form.model = requested(form.model.imageSize);
    form.request.seed = m_workspace.context().seed;
    if (form.labelled.empty())
        for (const QString& path : inputs())
            form.inputs.push_back(fromQt(path));
    return form;
}

std::vector<AttentionSpec> ScaleSession::candidates() const
{
    std::vector<AttentionSpec> plain = approximating(m_workspace.backends().checkedSpecs());
    for (const QString& text : m_workspace.backends().checkedSpecs())
        if (AttentionSpec spec = AttentionSpec::parse(fromQt(text)); spec.tokens().merges() && spec.weights() == WeightStorage::Own)
            plain.push_back(std::move(spec));
    std::erase_if(plain, [](const AttentionSpec& spec) { return spec.isMixed(); });
    return plain;
}

QStringList ScaleSession::leftOut() const
{
    QStringList others;
    scalable(m_workspace.backends().checkedSpecs(), others);
    return others;
}

QStringList ScaleSession::inputs() const
{
    QStringList paths;
    for (const InputEntry& input : m_workspace.inputs())
        if (!input.pasted())
            paths << input.path;
    if (paths.isEmpty() && !m_workspace.demoImage().isEmpty())
        paths << m_workspace.demoImage();
    return paths;
}

QString ScaleSession::input() const
{
    const InputEntry* current = m_workspace.input();
    return current != nullptr && !current->pasted() ? current->path : inputs().value(0);
}

int ScaleSession::chosenThreads() const
{
    return m_workspace.settings().threads;
}

std::int64_t ScaleSession::threads() const
{
    if (chosenThreads() > 0)
        return chosenThreads();
    return m_workspace.surroundings() ? m_workspace.surroundings()->threads : 2;
}

bool ScaleSession::onGpu() const
{
    const QString device = m_workspace.context().device;
    if (device != QLatin1String("auto"))
        return device.startsWith(QLatin1String("cuda"));
    const auto known = m_workspace.surroundings();
    return known && std::any_of(known->devices.begin(), known->devices.end(), [](const DeviceInfo& each) {
               return each.available && each.name.starts_with("cuda");
           });
}

const ModelSummary* ScaleSession::model() const
{
    return m_workspace.model() ? &m_workspace.model()->summary : nullptr;
}

void ScaleSession::start(const ScaleRequest& request)
{
    if (m_running)
        return;
    m_scale.reset();
    m_points = static_cast<int>(scaleRows(request).size() * request.lengths.size());
    m_request = request;
    m_guess = guessedSeconds(request, threads(), onGpu());
    begin(Length, commandOf(request, chosenThreads()));
    m_worker->scale(request, chosenThreads());
}

void ScaleSession::start(const DecodeRequest& request)
{
    if (m_running)
        return;
    m_decoded.reset();
    m_decodeRequest = request;
    begin(Decode, commandOf(request, chosenThreads()));
    m_worker->decode(request, chosenThreads());
}

void ScaleSession::start(const ApproximateJob& job)
{
    if (m_running)
        return;
    m_approximation.reset();
    m_approximateJob = job;
    begin(Samples, commandOf(job, chosenThreads()));
    m_worker->approximate(job, chosenThreads());
}

void ScaleSession::start(const KernelJob& job)
{
    if (m_running)
        return;
    m_kernel.reset();
    m_kernelJob = job;
    begin(Kernel, commandOf(job, chosenThreads()));
    m_worker->kernel(job, chosenThreads());
}

void ScaleSession::start(const PlanJob& job)
{
    if (m_running)
        return;
    m_plan.reset();
    m_planJob = job;
    begin(Plans, commandOf(job, chosenThreads()));
    m_worker->plan(job, chosenThreads());
}

QString ScaleSession::staleText(const ScaleRequest& now) const
{
    if (!m_scale || isRunning(Length))
        return {};
    const QString stale = scaleStale(m_request, now);
    return stale.isEmpty() ? staleThreads(Length) : stale;
}

QString ScaleSession::staleText(const DecodeRequest& now) const
{
    return m_decoded && !isRunning(Decode) ? scaleStale(m_decodeRequest, now) : QString();
}

QString ScaleSession::staleText(const ApproximateJob& now) const
{
    return m_approximation && !isRunning(Samples) ? scaleStale(m_approximateJob, now) : QString();
}

QString ScaleSession::staleText(const KernelJob& now) const
{
    return m_kernel && !isRunning(Kernel) ? scaleStale(m_kernelJob, now) : QString();
}

QString ScaleSession::staleText(const PlanJob& now) const
{
    if (!m_plan || isRunning(Plans))
        return {};
    const QString stale = scaleStale(m_planJob, now);
    return stale.isEmpty() ? staleThreads(Plans) : stale;
}

QString ScaleSession::staleThreads(Kind kind) const
{
    const int was = m_threads[static_cast<std::size_t>(kind)];
    return was == chosenThreads() ? QString() : madeWithThreads(was);
}

void ScaleSession::begin(Kind kind, const QString& command)
{
    m_kind = kind;
    m_commands[static_cast<std::size_t>(kind)] = command;
    m_threads[static_cast<std::size_t>(kind)] = chosenThreads();
    m_cut[static_cast<std::size_t>(kind)] = false;
    m_running = true;
    m_resting = m_stopping = false;
    m_finishedGuess = m_finishedSeconds = 0;
    m_step = {};
    m_clock.start();
    emit resultsChanged(kind);
    emit stateChanged();
}

void ScaleSession::stop()
{
    if (!m_running || m_stopping)
        return;
    m_stopping = true;
    m_worker->stop();
    emit stateChanged();
}

void ScaleSession::end()
{
    m_running = m_resting = m_stopping = false;
    emit resultsChanged(m_kind);
    emit stateChanged();
}

int ScaleSession::pointsDone() const
{
    std::size_t points = 0;
    if (m_scale)
        for (const ScaleRow& row : m_scale->rows)
            points += row.points.size();
    return static_cast<int>(points);
}

/// Lengths that all attentions are done with tell how fast this machine is next to the guess.
void ScaleSession::takeScale(const std::shared_ptr<const ScaleReport>& report)
{
    m_scale = report;
    std::size_t lengths = report->rows.empty() ? 0 : m_request.lengths.size();
    for (const ScaleRow& row : report->rows)
        lengths = std::min(lengths, row.points.size());
    ScaleRequest done = m_request;
    done.lengths.resize(lengths);
    if (const double guess = guessedSeconds(done, threads(), onGpu()); guess > m_finishedGuess) {
        m_finishedGuess = guess;
        m_finishedSeconds = static_cast<double>(m_clock.elapsed()) / 1000;
    }
}

double ScaleSession::secondsLeft() const
{
    const double now = static_cast<double>(m_clock.elapsed()) / 1000;
    if (m_kind == Length && m_finishedGuess > 0)
        return (m_guess - m_finishedGuess) * m_finishedSeconds / m_finishedGuess - (now - m_finishedSeconds);
    return part() > 0.05 ? now * (1 - part()) / part() : 0;
}

std::optional<Session::Job> ScaleSession::job() const
{
    return m_running ? std::optional(Job{title(), progressText(), part()}) : std::nullopt;
}

double ScaleSession::part() const
{
    const double step = m_step.total > 0
                            ? std::min(1.0, static_cast<double>(m_step.done) / static_cast<double>(m_step.total))
                            : 0;
    if (m_kind != Length)
        return step;
    if (m_points == 0 || m_request.lengths.empty())
        return 0;
    // Attentions take turns: those that are not done with this length are about equally far.
    const int rows = m_points / static_cast<int>(m_request.lengths.size()), done = pointsDone();
    const int pending = done % rows == 0 && done > 0 && step == 0 ? 0 : rows - done % rows;
    return std::min(1.0, (done + pending * step) / m_points);
}

QString ScaleSession::progressText() const
{
    if (m_stopping)
        return tr("stopping after %1").arg(m_step.what.empty() ? tr("this step") : engineText(m_step.what));
    if (m_resting)
        return tr("waiting for the current measurement or evaluation");
    QStringList parts;
    if (m_kind == Length)
        parts << tr("%1 of %2 points").arg(pointsDone()).arg(m_points);
    if (!m_step.what.empty())
        parts << engineText(m_step.what)
                     + (m_step.total > 0
                            ? tr(", %1 of %2").arg(std::min(m_step.done, m_step.total)).arg(m_step.total)
                            : QString());
    if (const double left = secondsLeft(); left > 1)
        parts << remainingText(left);
    return parts.isEmpty() ? tr("starting") : parts.join(QStringLiteral(" · "));
}

QString ScaleSession::title() const
{
    switch (m_kind) {
    case Length:
        return tr("scale · time and memory vs. tokens");
    case Decode:
        return tr("decode · cost of a token vs. position");
    case Samples:
        return tr("approximate · error vs. samples");
    case Kernel:
        return tr("approximate · random features vs. norm");
    case Plans:
        break;
    }
    return tr("plan · backend for each layer");
}

}  // namespace attnscope::ui

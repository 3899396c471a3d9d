// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/compare_session.h"

#include "ui/style/qt_text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

bool looksLikeCheckpoint(const QFileInfo& file)
{
    return QStringList{QStringLiteral("safetensors"), QStringLiteral("pth"), QStringLiteral("pt"), QStringLiteral("bin")}
        .contains(file.suffix().toLower());
}

}  // namespace

CompareSession::CompareSession(Engine& engine, BackendList& backends, RunTableModel& runs, QObject* parent)
    : QObject(parent), m_engine(engine), m_backends(backends), m_runs(runs)
{
    connectEngine();
    m_runs.setColumns(m_backends.columns());
    connect(&backends, &BackendList::selectionChanged, this, [this] { m_runs.setColumns(m_backends.columns()); });
    connect(&runs, &RunTableModel::currentInputChanged, this, &CompareSession::askPreview);
}

void CompareSession::connectEngine()
{
    connect(&m_engine, &Engine::surroundingsKnown, this, [this](const std::shared_ptr<const Surroundings>& known) {
        m_surroundings = known;
        const bool untrained = m_settings.context.weights.startsWith(QLatin1String("untrained"));
        if (m_settings.context.model.isEmpty() && untrained && !known->models.empty())
            m_settings.context.model = toQt(known->models.front().name);
        emit surroundingsChanged();
        if (!m_model && m_modelTicket == 0)
            openModelNow();
        m_runs.setContext(m_settings.context);
        if (std::exchange(m_runWhenKnown, false))
            run();
    });
    connect(&m_engine, &Engine::surroundingsFailed, this, &CompareSession::problem);
    connect(&m_engine, &Engine::modelOpened, this, [this](quint64 ticket, const std::shared_ptr<const OpenedModel>& model) {
        const bool ofTheRun = ticket == m_ticket && m_runModel == modelRequest();
        if (ticket != m_modelTicket && !ofTheRun)
            return;
        m_model = model;
        emit modelChanged();
    });
    connect(&m_engine, &Engine::modelFailed, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket != m_modelTicket)
            return;
        m_model.reset();
        emit modelChanged();
        emit problem(sentence);
    });
    connect(&m_engine, &Engine::checkpointInspected, this, [this](quint64 ticket, const std::shared_ptr<const Inspection>& inspection) {
        if (ticket == m_inspectTicket)
            takeInspection(inspection);
    });
    connect(&m_engine, &Engine::checkpointRefused, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket == m_inspectTicket)
            emit problem(sentence);
    });
    connect(&m_engine, &Engine::previewReady, this, [this](quint64 ticket, const std::shared_ptr<const Preview>& preview) {
        if (ticket == m_previewTicket)
            emit previewChanged(preview, {});
    });
    connect(&m_engine, &Engine::previewFailed, this, [this](quint64 ticket, const QString& path, const QString& reason) {
        if (ticket != m_previewTicket)
            return;
        addUnreadable(path, reason);
        emit previewChanged(nullptr, reason);
    });
    connect(&m_engine, &Engine::inputOpened, this, [this](quint64 ticket, quint64 input, const std::shared_ptr<const InputRecord>& record) {
        if (ticket == m_ticket)
            m_runs.takeInput(input, *record);
    });
    connect(&m_engine, &Engine::runAdvanced, this, [this](quint64 ticket, RunStep step, const std::shared_ptr<const RunRecord>& record) {
        if (ticket != m_ticket)
            return;
        m_runs.takeRun(step.input, step.run, step.stage, record);
        m_job.done += 1;
        m_job.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
        emit progressChanged(m_job);
    });
    connect(&m_engine, &Engine::viewPredicted, this, [this](quint64 ticket, RunStep step, const std::shared_ptr<const RunRecord>& record) {
        if (ticket == m_ticket)
            m_runs.takeView(step.input, step.run, record);
    });
    connect(&m_engine, &Engine::viewDecoded, this, [this](quint64 ticket, quint64 input, int view, const QVector<QImage>& frames) {
        if (ticket == m_ticket)
            emit viewFramesReady(static_cast<int>(input), view, frames);
    });
    connect(&m_engine, &Engine::progressed, this, &CompareSession::takeProgress);
    connect(&m_engine, &Engine::unreadable, this, [this](quint64 ticket, const QString& path, const QString& reason) {
        if (ticket == m_ticket)
            addUnreadable(path, reason);
    });
    connect(&m_engine, &Engine::finished, this, [this](quint64 ticket) {
        if (ticket == m_ticket)
            end();
    });
    connect(&m_engine, &Engine::cancelled, this, [this](quint64 ticket) {
        if (ticket == m_ticket)
            end();
    });
    connect(&m_engine, &Engine::failed, this, [this](quint64 ticket, const QString& sentence) {
        if (ticket != m_ticket)
            return;
        emit problem(sentence);
        end();
    });
}

void CompareSession::takeProgress(quint64 ticket, const RunStep& step, const Progress& progress)
{
    if (ticket != m_ticket)
        return;
    m_runs.takeProgress(step.input, step.run, step.stage, progress);
    m_job.what = toQt(progress.what);
    m_job.seconds = static_cast<double>(m_clock.elapsed()) / 1000;
    emit progressChanged(m_job);
}

void CompareSession::setSettings(const Settings& settings)
{
    m_settings = settings;
    m_runs.setContext(settings.context);
    m_runs.setEffort({settings.threads, settings.seeds, settings.repetitions, settings.seconds});
    m_engine.askSurroundings(settings.threads);
    emit settingsChanged();
}

void CompareSession::setContext(const RunContext& context)
{
    if (context == m_settings.context)
        return;
    const RunContext before = m_settings.context;
    m_settings.context = context;
    m_runs.setContext(context);
    emit contextChanged();
    if (before.model != context.model || before.weights != context.weights || before.heads != context.heads || before.device != context.device || before.dtype != context.dtype)
        openModelNow();
}

ModelRequest CompareSession::modelRequest() const
{
    ModelRequest request;
    request.model = fromQt(m_settings.context.model);
    request.weights = fromQt(m_settings.context.weights);
    request.heads = m_settings.context.heads;
    request.device = fromQt(m_settings.context.device);
    request.dtype = fromQt(m_settings.context.dtype);
    request.limits = m_settings.limits;
    return request;
}

void CompareSession::openModelNow() { m_modelTicket = m_engine.open(modelRequest()); }

void CompareSession::askPreview()
{
    const int current = m_runs.currentInput();
    m_previewTicket = 0;
    emit previewChanged(nullptr, {});  // the last one's image under this one's name would be a lie
    if (current >= 0)
        m_previewTicket = m_engine.preview(m_runs.inputs()[static_cast<std::size_t>(current)], m_settings.limits);
}

void CompareSession::addUnreadable(const QString& path, const QString& reason)
{
    m_runs.takeUnreadable(path, reason);
    const bool known = std::any_of(m_unreadable.begin(), m_unreadable.end(), [&](const UnreadableInput& u) { return u.path == fromQt(path); });
    if (!known)
        m_unreadable.push_back({fromQt(path), fromQt(reason)});
    emit unreadableChanged();
}

void CompareSession::openPaths(const QStringList& paths)
{
    if (takeInputs(paths))
        run();
}

bool CompareSession::takeInputs(const QStringList& paths)
{
    std::vector<InputEntry> inputs;
    for (const QString& path : paths) {
        const QFileInfo file(path);
        if (file.isDir()) {  // of a video's frames; the engine says if it is none
            inputs.push_back({path, QDir(path).dirName(), {}});
            continue;
        }
        if (looksLikeCheckpoint(file)) {
            openCheckpoint(path);
            continue;
        }
        inputs.push_back({path, file.fileName(), {}});
    }
    if (inputs.empty())
        return false;
    emit opening();
    m_unreadable.clear();
    emit unreadableChanged();
    stop();
    m_runs.setInputs(inputs);
    return true;
}

void CompareSession::openCheckpoint(const QString& path)
{
    emit opening();
    m_inspectedPath = path;
    ModelRequest request = modelRequest();
    request.model.clear();
    request.heads = 0;
    request.weights = fromQt(path);
    m_inspectTicket = m_engine.inspect(request);
}

void CompareSession::takeInspection(const std::shared_ptr<const Inspection>& inspection)
{
    m_inspection = inspection;
    if (!inspection->fit || !inspection->fit->fits()) {
        emit checkpointUnclear();
        return;
    }
    // Of the catalogue where it is one of those as they are; else "as the checkpoint says".
    const bool plain = inspection->fit->model == inspection->identity.model && !inspection->header;
    useCheckpoint(m_inspectedPath, plain ? toQt(inspection->identity.model) : QString(), 0);
    const QString name = QFileInfo(m_inspectedPath).fileName();
    emit checkpointTaken(tr("%1: %2.").arg(name, toQt(oneLine(*inspection->fit))), !lines(*inspection->fit).empty());
}

void CompareSession::useCheckpoint(const QString& path, const QString& model, int heads)
{
    RunContext context = m_settings.context;
    context.weights = path;
    context.model = model;
    context.heads = heads;
    setContext(context);
}

void CompareSession::openPasted(const QByteArray& bytes)
{
    takePasted(bytes);
    run();
}

void CompareSession::takePasted(const QByteArray& bytes)
{
    const QString name = tr("pasted image %1").arg(++m_pasted);
    emit opening();
    m_unreadable.clear();
    emit unreadableChanged();
    stop();
    m_runs.setInputs({{name, name, bytes}});
}

void CompareSession::run()
{
    const std::vector<ColumnSpec> columns = m_backends.columns();
    if (m_runs.inputs().empty() || columns.empty())
        return;
    m_runWhenKnown = m_settings.context.model.isEmpty() && !m_surroundings;
    if (m_runWhenKnown)
        return;
    CompareJob job;
    job.model = modelRequest();
    job.threads = m_settings.threads;
    job.run.seed = m_settings.context.seed;
    job.run.seeds = m_settings.seeds;
    job.run.minimumRepetitions = m_settings.repetitions;
    job.run.minimumSeconds = m_settings.seconds;
    job.inputs = m_runs.inputs();
    job.views = ViewGrid::parse(fromQt(m_settings.context.views));
    std::vector<int> ids, inputs;
    for (const ColumnSpec& column : columns) {
        job.run.attention.push_back(AttentionSpec::parse(fromQt(column.spec)));
        ids.push_back(column.id);
    }
    for (int input = 0; input < static_cast<int>(job.inputs.size()); ++input)
        inputs.push_back(input);
    m_runs.endRun();
    m_runs.beginRun(ids, inputs);
    m_runModel = job.model;
    m_ticket = m_engine.compare(job);
    m_job = {tr("loading"), 0, static_cast<int>(ids.size() * inputs.size() * 4), 0, tr("compare")};
    m_clock.start();
    emit busyChanged(true);
    emit progressChanged(m_job);
}

void CompareSession::stop()
{
    m_engine.cancel();
    if (isBusy())
        end();  // late results of this ticket are dropped; what has come stays
}

void CompareSession::end()
{
    m_ticket = 0;
    m_runWhenKnown = false;
    m_runs.endRun();
    emit busyChanged(false);
    m_engine.askSurroundings(m_settings.threads);
}

const DeviceInfo* CompareSession::device() const
{
    const DeviceInfo* found = nullptr;
    if (!m_surroundings)
        return found;
    const std::string wanted = fromQt(m_settings.context.device);
    for (const DeviceInfo& each : m_surroundings->devices) {
        if (wanted != "auto" ? each.name != wanted : !each.available)
            continue;
        if (found == nullptr || (found->name == "cpu" && each.name != "cpu"))
            found = &each;
    }
    return found;
}

QString CompareSession::command() const
{
    CompareSetup setup{{}, m_backends.checkedSpecs(), m_settings.context, m_settings.seeds, m_settings.threads,
                       m_settings.repetitions, m_settings.seconds};
    const auto count = static_cast<int>(m_runs.inputs().size());
    for (int i = 0; i < count; ++i) {
        const InputEntry& input = m_runs.inputs()[static_cast<std::size_t>(i)];
        if (input.pasted())
            return {};
        setup.paths << input.path;
        setup.videos = setup.videos || m_runs.inputRecord(i).kind == "video";
    }
    return compareCommand(setup);
}

}  // namespace attnscope::ui

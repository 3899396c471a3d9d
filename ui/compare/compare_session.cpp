#include "ui/compare/compare_session.h"

#include "ui/engine/input_source.h"
#include "ui/engine/view_frames.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include "models/lab_options.h"

#include "core/run/features/feature_agreement.h"

#include <QPointer>

#include <chrono>
#include <set>

namespace attnscope::ui {

/// Sends on what the run tells, progress at most ten times a second.
class CompareSession::Observer : public RunObserver {
public:
    Observer(CompareSession& session, TaskTurn& turn)
        : m_session(session)
        , m_turn(turn)
    {}

    void onInput(size_t input, const InputRecord& record) override
    {
        m_turn.post([&session = m_session, input, record] { session.m_runs.takeInput(input, record); });
    }
    void onRun(size_t input, size_t run, RunStage stage, const RunRecord& record) override
    {
        m_turn.post([&session = m_session, input, run, stage, shared = std::make_shared<const RunRecord>(record)] {
            session.m_runs.takeRun(input, run, stage, shared);
            emit session.activityChanged();
        });
    }
    void onView(size_t input, size_t run, size_t, const RunRecord& record) override
    {
        m_turn.post([&session = m_session, input, run, shared = std::make_shared<const RunRecord>(record)] {
            session.m_runs.takeView(input, run, shared);
        });
    }
    void onUnreadable(size_t, const UnreadableInput& input) override
    {
        m_turn.post([&session = m_session, input] {
            session.m_workspace.addUnreadable(toQt(input.path), toQt(input.reason));
        });
    }
    void onProgress(size_t input, size_t run, RunStage stage, const Progress& progress) override
    {
        const auto now = Clock::now();
        const bool another = run != m_lastRun || stage != m_lastStage || input != m_lastInput;
        if (!another && now - m_last < std::chrono::milliseconds(100))
            return;
        m_last = now;
        m_lastRun = run, m_lastStage = stage, m_lastInput = input;
        // Interleaved repetitions change the backend at every step: hold those to a fair rate, too.
        if (another && stage == RunStage::Latency && now - m_lastAny < std::chrono::milliseconds(30))
            return;
        m_lastAny = now;
        m_turn.post([&session = m_session, input, run, stage, progress] {
            session.m_runs.takeProgress(input, run, stage, progress);
            session.m_steps.what = engineText(progress.what);
            if (!session.m_steps.clock.isValid())
                session.m_steps.clock.start();  // loading does not tell how long a pass takes
            emit session.activityChanged();
        });
    }

    /// The same input; the frames of a video are sent on, too.
    InputSource watched(int input, InputSource source, const Transform& transform)
    {
        return watchViews(std::move(source), [this, input, transform, seen = std::set<size_t>()](
                                                 size_t view, const FloatArray& values) mutable {
            if (seen.insert(view).second)
                m_turn.post([&session = m_session, input, view, frames = smallFrames(values, transform)] {
                    emit session.viewFramesReady(input, int(view), frames);
                });
        });
    }

private:
    using Clock = std::chrono::steady_clock;

    CompareSession& m_session;
    TaskTurn& m_turn;
    Clock::time_point m_last{}, m_lastAny{};
    size_t m_lastInput = 0, m_lastRun = 0;
    RunStage m_lastStage = RunStage::Predict;
};

CompareSession::CompareSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
    , m_engine(workspace.engine())
    , m_task(m_engine, {MeasuringGate::Work::Measuring, "compare"},
             [this](const CompareJob& job, TaskTurn& turn, const auto&) {
                 const ModelRequest& first = job.checkpoints.front();
                 const auto model = turn.models().open(first);
                 turn.post([this, metadata = model->metadata] {
                     if (m_task.request().checkpoints.front() == m_workspace.modelRequest())
                         m_workspace.takeModel(metadata);
                 });
                 Observer observer(*this, turn);
                 const auto& opener = turn.engine().workbench();
                 const auto open = [&](const ModelRequest& request) {
                     return turn.models().open(request)->classifier;
                 };
                 const auto networks = opener->networks(job.checkpoints, job.run.attention, open);
                 std::vector<InputSource> sources;
                 for (const InputEntry& input : job.inputs)
                     sources.push_back(
                         observer.watched(int(sources.size()),
                                          inputSource(opener, model, input, first.limits, turn.stop(), job.views),
                                          model->transform));
                 return opener->run(networks, sources, job.run, observer, turn.stop());
             })
{
    follow(m_task);
    connect(&m_task, &TaskBase::ended, this, &CompareSession::end);
    connect(this, &Session::stateChanged, &workspace, [this] { m_workspace.setMeasuring(isRunning()); });
    connectWorkspace();
    m_runs.setColumns(workspace.backends().allColumns());
}

void CompareSession::connectWorkspace()
{
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this,
            [this] { m_runs.setColumns(m_workspace.backends().allColumns()); });
    connect(&m_workspace, &Workspace::contextChanged, this, [this] { m_runs.setContext(m_workspace.context()); });
    connect(&m_workspace, &Workspace::surroundingsChanged, this, [this] {
        m_runs.setContext(m_workspace.context());
        if (std::exchange(m_runWhenKnown, false))
            run();
    });
    connect(&m_workspace, &Workspace::settingsChanged, this, [this] {
        const Settings& settings = m_workspace.settings();
        m_runs.setContext(settings.context);
        m_runs.setEffort({settings.threads, settings.seeds, settings.repetitions, settings.seconds});
    });
    connect(&m_workspace, &Workspace::inputsReplaced, this, [this] {
        stop();
        m_runs.setInputs(m_workspace.inputs());
    });
    connect(&m_workspace, &Workspace::modelChanged, this, &CompareSession::chooseSubject);
    connect(&m_workspace, &Workspace::currentInputChanged, &m_runs, &RunTableModel::setCurrentInput);
    connect(&m_workspace, &Workspace::unreadableChanged, this, [this] {
        for (const UnreadableInput& file : m_workspace.unreadable())
            m_runs.takeUnreadable(toQt(file.path), toQt(file.reason));
    });
}

std::optional<Session::Job> CompareSession::job() const
{
    if (!isRunning())
        return std::nullopt;
    StepCount steps = m_steps;
    const RunTableModel::Work work = m_runs.work();
    steps.done = int(work.done);
    steps.total = m_task.isRunning() ? int(work.total) : 0;
    return steps.job(tr("compare"));
}

bool CompareSession::isHeadless() const
{
    return m_workspace.model() && m_workspace.model()->summary.classes == 0;
}

void CompareSession::setFeatures(bool features)
{
    if (features == m_features)
        return;
    m_features = features;
    chooseSubject();
}

void CompareSession::chooseSubject()
{
    m_runs.setSubject(m_features || isHeadless() ? Subject::Features : Subject::Classes);
    emit subjectChanged();
}

bool CompareSession::canRun() const
{
    return !m_workspace.inputs().empty() && !m_workspace.backends().allColumns().empty();
}

void CompareSession::run()
{
    if (!canRun())
        return;
    m_runWhenKnown = m_workspace.waitsForCatalogue();
    if (m_runWhenKnown)
        return;
    const Settings& settings = m_workspace.settings();
    CompareJob job;
    job.checkpoints = m_workspace.modelRequests();
    job.run.seed = settings.context.seed;
    job.run.seeds = settings.seeds;
    job.run.minimumRepetitions = settings.repetitions;
    job.run.minimumSeconds = settings.seconds;
    if (m_features)
        job.run.features = FeatureKind::Pooled;  // what a network without a head gives anyway
    job.run.patchColours = true;
    job.inputs = m_workspace.inputs();
    job.views = ViewGrid::parse(fromQt(settings.context.views));
    std::vector<int> ids, inputs;
    for (const ColumnSpec& column : m_workspace.backends().allColumns()) {
        job.run.attention.push_back(AttentionSpec::parse(fromQt(column.spec)));
        ids.push_back(column.id);
    }
    for (int input = 0; input < int(job.inputs.size()); ++input)
        inputs.push_back(input);
    m_workspace.forgetUnreadable();
    m_runs.endRun();
    m_runs.beginRun(ids, inputs);
    m_steps = {tr("loading")};
    m_task.start(job, settings.threads);
}

void CompareSession::stop()
{
    if (m_runWhenKnown)
        end();
    m_task.drop();  // what has come stays
}

void CompareSession::end()
{
    m_runWhenKnown = false;
    m_runs.endRun();
    compareFeatures();
    emit stateChanged();
    m_workspace.askSurroundings();
}

/// Over all inputs, which takes the longer the more they are: not on this thread.
void CompareSession::compareFeatures()
{
    if (m_runs.subject() != Subject::Features || m_workspace.inputs().size() < 2)
        return;
    m_engine.post("feature-agreement", [self = QPointer(this), engine = &m_engine,
                                        records = m_runs.featureRecords(), run = m_runs.runNumber()] {
        auto agreement = featureAgreement(records);
        QMetaObject::invokeMethod(engine, [self, run, agreement = std::move(agreement)]() mutable {
            if (self && self->m_runs.runNumber() == run)
                self->m_runs.takeAgreement(std::move(agreement));
        });
    });
}

std::string CompareSession::savedResults() const
{
    const std::vector<SavedInput> saved = m_runs.saved();
    return saved.empty() ? std::string() : archived(saved);
}

void CompareSession::restoreResults(const std::string& saved)
{
    m_runs.restore(unarchived<std::vector<SavedInput>>(saved));
    compareFeatures();
}

std::vector<ComparedModel> CompareSession::otherModels() const
{
    return m_task.report() ? m_task.report()->others : std::vector<ComparedModel>();
}

QString CompareSession::command() const
{
    const Settings& settings = m_workspace.settings();
    auto options = optionsOf<CompareOptions>(settings.context, settings.threads);
    options.attention = fromQt(m_workspace.backends().allSpecs());
    if (!takeNetworks(m_workspace.modelRequests(), options, options.attention))
        return {};
    options.request.seeds = settings.seeds;
    options.request.minimumRepetitions = settings.repetitions;
    options.request.minimumSeconds = settings.seconds;
    if (m_features)
        options.request.features = FeatureKind::Pooled;
    const auto count = int(m_workspace.inputs().size());
    for (int i = 0; i < count; ++i) {
        const InputEntry& input = m_workspace.inputs()[size_t(i)];
        if (input.pasted())
            return {};
        options.inputs.paths.push_back(fromQt(input.path));
        if (m_runs.inputRecord(i).kind == "video")
            options.inputs.video.views = fromQt(settings.context.views);
    }
    return options.inputs.paths.empty() ? QString() : CommandLine("compare", options, {"--seeds"}).text();
}

}

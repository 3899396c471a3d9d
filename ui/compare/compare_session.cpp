#include "ui/compare/compare_session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/command_line.h"

#include "core/run/features/feature_agreement.h"

#include <QPointer>

namespace attnscope::ui {

CompareSession::CompareSession(Workspace& workspace, QObject* parent)
    : Session(workspace, parent)
    , m_engine(workspace.engine())
{
    connectEngine();
    connectWorkspace();
    m_runs.setColumns(workspace.backends().columns());
    connect(this, &CompareSession::busyChanged, this, &Session::activityChanged);
    connect(this, &CompareSession::busyChanged, &workspace, &Workspace::setMeasuring);
}

void CompareSession::connectWorkspace()
{
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this,
            [this] { m_runs.setColumns(m_workspace.backends().columns()); });
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

void CompareSession::connectEngine()
{
    connect(&m_engine, &Engine::modelOpened, this,
            [this](quint64 ticket, const std::shared_ptr<const OpenedModel>& model) {
                if (ticket == m_ticket && m_runModel == m_workspace.modelRequest())
                    m_workspace.takeModel(model);
            });
    connect(&m_engine, &Engine::inputOpened, this,
            [this](quint64 ticket, quint64 input, const std::shared_ptr<const InputRecord>& record) {
                if (ticket == m_ticket)
                    m_runs.takeInput(input, *record);
            });
    connect(&m_engine, &Engine::runAdvanced, this,
            [this](quint64 ticket, RunStep step, const std::shared_ptr<const RunRecord>& record) {
                if (ticket != m_ticket)
                    return;
                m_runs.takeRun(step.input, step.run, step.stage, record);
                emit activityChanged();
            });
    connect(&m_engine, &Engine::viewPredicted, this,
            [this](quint64 ticket, RunStep step, const std::shared_ptr<const RunRecord>& record) {
                if (ticket == m_ticket)
                    m_runs.takeView(step.input, step.run, record);
            });
    connect(&m_engine, &Engine::viewDecoded, this,
            [this](quint64 ticket, quint64 input, int view, const QVector<QImage>& frames) {
                if (ticket == m_ticket)
                    emit viewFramesReady(static_cast<int>(input), view, frames);
            });
    connect(&m_engine, &Engine::progressed, this, &CompareSession::takeProgress);
    connect(&m_engine, &Engine::unreadable, this,
            [this](quint64 ticket, const QString& path, const QString& reason) {
                if (ticket == m_ticket)
                    m_workspace.addUnreadable(path, reason);
            });
    const auto endOf = [this](quint64 ticket) {
        if (ticket == m_ticket)
            end();
    };
    connect(&m_engine, &Engine::finished, this, endOf);
    connect(&m_engine, &Engine::cancelled, this, endOf);
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
    m_steps.what = engineText(progress.what);
    if (!m_steps.clock.isValid())
        m_steps.clock.start();  // loading does not tell how long a pass takes
    emit activityChanged();
}

std::optional<Session::Job> CompareSession::job() const
{
    if (!isRunning())
        return std::nullopt;
    StepCount steps = m_steps;
    const RunTableModel::Work work = m_runs.work();
    steps.done = int(work.done);
    steps.total = m_ticket == 0 ? 0 : int(work.total);
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
    return !m_workspace.inputs().empty() && !m_workspace.backends().columns().empty();
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
    job.model = m_workspace.modelRequest();
    job.threads = settings.threads;
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
    for (const ColumnSpec& column : m_workspace.backends().columns()) {
        job.run.attention.push_back(AttentionSpec::parse(fromQt(column.spec)));
        ids.push_back(column.id);
    }
    for (int input = 0; input < int(job.inputs.size()); ++input)
        inputs.push_back(input);
    m_workspace.forgetUnreadable();
    m_runs.endRun();
    m_runs.beginRun(ids, inputs);
    m_runModel = job.model;
    m_ticket = m_engine.compare(job);
    m_steps = {tr("loading")};
    emit busyChanged(true);
}

void CompareSession::stop()
{
    m_engine.cancel();
    if (isRunning())
        end();  // late results of this ticket are dropped; what has come stays
}

void CompareSession::end()
{
    m_ticket = 0;
    m_runWhenKnown = false;
    m_runs.endRun();
    compareFeatures();
    emit busyChanged(false);
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

QString CompareSession::command() const
{
    const Settings& settings = m_workspace.settings();
    CompareSetup setup{{},
                       m_workspace.backends().checkedSpecs(),
                       settings.context,
                       settings.seeds,
                       settings.threads,
                       settings.repetitions,
                       settings.seconds};
    setup.features = m_features;
    const auto count = int(m_workspace.inputs().size());
    for (int i = 0; i < count; ++i) {
        const InputEntry& input = m_workspace.inputs()[std::size_t(i)];
        if (input.pasted())
            return {};
        setup.paths << input.path;
        setup.videos = setup.videos || m_runs.inputRecord(i).kind == "video";
    }
    return setup.paths.isEmpty() ? QString() : compareCommand(setup);
}

}

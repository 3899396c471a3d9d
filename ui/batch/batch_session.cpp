#include "ui/batch/batch_session.h"

#include "ui/batch/evaluate_command.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace attnscope::ui {

namespace {

constexpr int followAfterMs = 400;
constexpr size_t maxRemoved = 20;  // each keeps the list of its folder's files

/// Of the readouts of features, which are evaluated together, the probe stands for all; those of the command line may have other folders.
bool isOffered(const StoredEvaluation& evaluation)
{
    const EvaluationSettings& settings = evaluation.settings;
    return settings.model.find(" · ") == std::string::npos
           || (settings.model.ends_with("linear probe")
               && settings.command.find("--train-limit " + std::to_string(trainedFeatures)) != std::string::npos);
}

}

QString describeFolder(const decltype(EvaluationBackend::look)& look, const QString& folder)
{
    try {
        const LabelledSet data = look(fromQt(folder));
        return BatchSession::tr("Evaluate on %1: %2, %3 %4")
            .arg(QFileInfo(folder).fileName(),
                 counted(data.classes.size(), [](int n) { return BatchSession::tr("%1 class(es)", nullptr, n); }),
                 countText(int64_t(data.files.size())),
                 data.video ? BatchSession::tr("videos") : BatchSession::tr("images"));
    } catch (const std::exception& error) {
        return toQt(error.what());
    }
}

/// Sends on what the evaluation tells, and rests between batches while something is measured.
class BatchSession::Observer : public EvaluationObserver {
public:
    Observer(BatchSession& session, TaskTurn& turn)
        : m_session(session)
        , m_turn(turn)
    {}
    ~Observer() override
    {
        if (m_unsent)  // however the evaluation ends, its last progress counts
            send(*m_unsent);
    }

    void onStart(int64_t evaluation, const EvaluationProgress& progress) override
    {
        m_turn.post([&session = m_session, evaluation, progress] {
            session.m_queue.change(session.m_running, [&](QueuedEvaluation& each) {
                each.progress = progress;
                each.inStore = evaluation;
            });
            session.askStored(session.m_running);
        });
    }

    void onProgress(const EvaluationProgress& progress) override
    {
        m_unsent = progress;
        if (progress.done == progress.total || m_turn.isDue()) {
            send(progress);
            m_unsent.reset();
        }
        m_turn.rest();
    }

    void onMessage(const std::string& sentence) override
    {
        m_turn.post([&session = m_session, sentence] { emit session.notice(toQt(sentence)); });
    }

    bool retriesWithoutSpace(const std::string& sentence) override
    {
        m_turn.waitForRelease([&session = m_session, sentence] {
            session.setState(session.m_running, QueueState::NoSpace, toQt(sentence));
        });
        return !m_turn.isStopped();
    }

private:
    void send(const EvaluationProgress& progress)
    {
        m_turn.post([&session = m_session, progress] { session.takeProgress(progress); });
    }

    BatchSession& m_session;
    TaskTurn& m_turn;
    std::optional<EvaluationProgress> m_unsent;
};

BatchSession::BatchSession(Workspace& workspace, const EvaluationBackend& backend,
                           const std::function<void()>& storeDelay, const QString& storePath, QObject* parent)
    : Session(workspace, parent)
    , m_backend(backend)
    , m_store(storeDelay, storePath)
    , m_demo(workspace.engine(), {}, backend.writeDemo)
    , m_checker(workspace.engine(), {MeasuringGate::Work::Evaluating},
                [backend](const CheckRequest& request, TaskTurn& turn, const CheckTask::Grew&) {
                    return backend.check(request.plan, turn);
                })
    , m_task(workspace.engine(), {MeasuringGate::Work::Evaluating},
             [this, backend](const EvaluationJob& job, TaskTurn& turn, const EvaluationTask::Grew&) {
                 Observer observer(*this, turn);
                 return backend.run(job, observer, turn);
             })
{
    m_followTimer.setSingleShot(true);
    m_followTimer.setInterval(followAfterMs);
    connect(&m_followTimer, &QTimer::timeout, this, &BatchSession::follow);
    connect(this, &Session::choicesChanged, this, [this] { m_followTimer.start(); });
    connect(this, &BatchSession::queueChanged, this, &Session::activityChanged);
    connect(this, &BatchSession::resultsGrew, &workspace, &Workspace::resultsStored);
    connect(&m_checker, &TaskBase::ended, this, &BatchSession::takeCheck);
    connect(&m_task, &TaskBase::restingChanged, this, [this](bool resting) {
        if (const QueuedEvaluation* each = running(); each != nullptr && each->state != QueueState::Pausing)
            setState(m_running, resting              ? QueueState::Resting
                                : each->inStore != 0 ? QueueState::Running
                                                     : QueueState::Loading);
    });
    connect(&m_task, &TaskBase::ended, this, &BatchSession::end);
    connect(&m_demo, &TaskBase::progressed, this, &BatchSession::demoChanged);
    connect(&m_demo, &TaskBase::failed, this, &Session::problem);
    connect(&m_demo, &TaskBase::ended, this, [this] {
        if (m_demo.report()) {
            m_wanted = true;  // nothing else is asked of who tries the demo
            addFolder(toQt(*m_demo.report() + "/val"));
        }
        emit demoChanged();
    });
    QTimer::singleShot(0, this, &BatchSession::lookForUnfinished);
}

void BatchSession::takeProgress(const EvaluationProgress& progress)
{
    const QueuedEvaluation* now = running();
    const bool begins = now != nullptr && (now->state == QueueState::Loading || now->state == QueueState::NoSpace);
    m_queue.change(m_running, [&](QueuedEvaluation& each) { each.progress = progress; });
    if (begins)
        setState(m_running, QueueState::Running);
    emit progressed();
}

EvaluationSetup BatchSession::planNow(const QString& folder) const
{
    EvaluationSetup plan;
    plan.model = m_workspace.modelRequest();
    plan.further = m_workspace.modelRequests();
    plan.further.erase(plan.further.begin());
    plan.folder = fromQt(folder);
    std::vector<AttentionSpec> columns;
    for (const ColumnSpec& column : m_workspace.backends().allColumns()) {
        // The reference comes first: all differences are against it.
        const AttentionSpec spec = AttentionSpec::parse(fromQt(column.spec));
        columns.insert(column.reference ? columns.begin() : columns.end(), spec);
    }
    while (!columns.empty()) {  // network by network
        const auto others = std::ranges::stable_partition(columns, [first = columns.front()](const auto& spec) {
            return spec.checkpoint() == first.checkpoint() && spec.dtype() == first.dtype();
        });
        plan.attention.insert(plan.attention.end(), columns.begin(), others.begin());
        columns.erase(columns.begin(), others.begin());
    }
    plan.seed = m_workspace.context().seed;
    plan.threads = m_workspace.settings().threads;
    plan.store = fromQt(m_store.file());
    setCache(plan);
    return plan;
}

void BatchSession::setCache(EvaluationSetup& plan) const
{
    const int64_t gibibytes = m_workspace.settings().cropGibibytes;
    plan.cache = gibibytes > 0 && !plan.features ? fromQt(cropFolder()) : std::string();
    plan.cacheBytes = gibibytes << 30;
}

quint64 BatchSession::addFolder(const QString& folder, qint64 limit)
{
    QueuedEvaluation added;
    added.id = m_nextId++;
    added.plan = planNow(folder);
    added.plan.limit = limit;
    if (added.plan.attention.empty()) {
        emit problem(tr("No backend is selected; select one under Backends, then add the folder again."));
        return 0;
    }
    for (const QueuedEvaluation& each : m_queue.evaluations())
        m_queue.change(each.id, [](QueuedEvaluation& other) { other.follows = false; });
    added.follows = true;
    m_queue.add(added);
    check(added.id);
    return added.id;
}

void BatchSession::check(quint64 id)
{
    m_queue.change(id, [this](QueuedEvaluation& each) {
        each.checkNumber = m_nextCheck++;
        each.state = QueueState::Checking;
    });
    checkNext();
    emit queueChanged();
}

void BatchSession::checkNext()
{
    const auto& queue = m_queue.evaluations();
    const auto next = std::ranges::find(queue, QueueState::Checking, &QueuedEvaluation::state);
    if (m_checker.isRunning() || next == queue.end())
        return;
    m_checker.start({next->id, next->checkNumber, next->plan}, next->plan.threads);
}

/// A look that was overtaken by another one, or by the evaluation itself, says nothing any more.
void BatchSession::takeCheck()
{
    const auto [id, number, plan] = m_checker.request();
    const QueuedEvaluation* now = m_queue.find(id);
    if (now != nullptr && now->checkNumber == number && !now->isBegun()) {
        if (const auto check = m_checker.report()) {
            m_queue.change(id, [&](QueuedEvaluation& each) {
                each.check = check;
                each.plan.features = check->features;
                each.plan.attention = check->attention;
                if (!each.keepsCrops())
                    each.plan.cache.clear();
                if (each.state == QueueState::Checking)
                    each.state = m_wanted ? QueueState::Waiting : QueueState::Ready;
            });
            for (const std::string& sentence : check->leftOut)
                emit problem(toQt(sentence));
            emit queueChanged();
        } else
            setState(id, QueueState::Refused, m_checker.failure());
        startNext();
    }
    checkNext();
}

void BatchSession::tryDemo()
{
    if (isWritingDemo() || !isBuilt())
        return;
    m_demo.start(demoFolder(u"demo"_s), 0);
    emit demoChanged();
}

void BatchSession::changePlan(quint64 id, const std::function<bool(EvaluationSetup&)>& change)
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr || each->isBegun())
        return;
    EvaluationSetup plan = each->plan;
    if (!change(plan))
        return;
    m_queue.change(id, [&](QueuedEvaluation& changed) { changed.plan = plan; });
    check(id);
}

/// The one added last takes over what bar and dock say, as long as it has not begun.
void BatchSession::follow()
{
    for (const QueuedEvaluation& each : m_queue.evaluations()) {
        if (!each.follows || each.isBegun() || each.canGoOn() || each.state == QueueState::Finished)
            continue;
        EvaluationSetup plan = planNow(toQt(each.plan.folder));
        plan.layout = each.plan.layout;
        plan.protocol = each.plan.protocol;
        plan.limit = each.plan.limit;
        plan.features = each.plan.features;
        if (!each.keepsCrops())
            plan.cache.clear();
        if (plan.attention.empty() || evaluateCommand(plan) == evaluateCommand(each.plan))
            continue;
        m_queue.change(each.id, [&](QueuedEvaluation& changed) {
            changed.plan = plan;
            changed.check.reset();
        });
        check(each.id);
    }
}

quint64 BatchSession::continueStored(const StoredEvaluation& evaluation)
{
    QueuedEvaluation added;
    try {
        added.plan = planOf(evaluation, fromQt(m_store.file()));
    } catch (const Error& error) {  // an attention that this build does not know
        emit problem(toQt(error.what()));
        return 0;
    }
    added.id = m_nextId++;
    added.plan.model.device = fromQt(m_workspace.context().device);
    added.plan.threads = m_workspace.settings().threads;
    added.plan.model.limits = m_workspace.settings().limits;
    setCache(added.plan);
    added.inStore = evaluation.id;
    added.stored = evaluation;
    added.state = QueueState::Paused;
    m_queue.add(added);
    while (m_queue.move(added.id, -1)) {
    }
    resume(added.id);
    return added.id;
}

void BatchSession::setState(quint64 id, QueueState state, const QString& sentence)
{
    m_queue.change(id, [&](QueuedEvaluation& each) {
        each.state = state;
        each.sentence = sentence;
    });
    emit queueChanged();
}

bool BatchSession::canRun() const
{
    const auto& queue = m_queue.evaluations();
    return !isRunning() && std::ranges::any_of(queue, [](const QueuedEvaluation& each) {
        return each.canGoOn() || each.state == QueueState::Ready || each.state == QueueState::Checking;
    });
}

void BatchSession::run()
{
    m_wanted = true;
    for (const QueuedEvaluation& each : m_queue.evaluations()) {
        m_queue.change(each.id, [](QueuedEvaluation& changed) { changed.follows = false; });
        if (each.state == QueueState::Ready)
            setState(each.id, QueueState::Waiting);
    }
    const auto& queue = m_queue.evaluations();
    const auto paused = std::ranges::find_if(queue, [](const auto& each) { return each.canGoOn(); });
    if (!isRunning() && paused != queue.end())
        resume(paused->id);
    startNext();
}

void BatchSession::startNext()
{
    if (!m_wanted || isRunning())
        return;
    const auto& queue = m_queue.evaluations();
    const auto next = std::ranges::find_if(
        queue, [](const QueuedEvaluation& each) { return each.state == QueueState::Waiting; });
    if (next == queue.end()) {
        // Nothing is left of what was asked for: a folder that is added later waits until it is run, too.
        m_wanted = std::ranges::any_of(
            queue, [](const QueuedEvaluation& each) { return each.state == QueueState::Checking; });
        return;
    }
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): the queue changes below
    const QueuedEvaluation begun = *next;
    m_running = begun.id;
    m_queue.change(begun.id, [](QueuedEvaluation& each) {
        each.state = QueueState::Loading;
        each.follows = false;
    });
    EvaluationSetup requested = begun.plan;
    requested.resume = false;
    QDir().mkpath(QFileInfo(toQt(begun.plan.store)).path());
    m_task.start({begun.plan, fromQt(evaluateCommand(requested)), begun.check ? begun.check->data : nullptr},
                 begun.plan.threads);
    emit queueChanged();
}

void BatchSession::pause(quint64 id)
{
    if (id == m_running) {
        setState(id, QueueState::Pausing);
        m_wanted = false;
        m_task.stop();
        return;
    }
    const QueuedEvaluation* each = m_queue.find(id);
    if (each != nullptr && each->state == QueueState::Waiting)
        setState(id, QueueState::Ready);
}

void BatchSession::resume(quint64 id)
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr)
        return;
    if (each->state == QueueState::NoSpace) {
        m_task.hold(false);
        return;
    }
    if (!each->canGoOn() && each->state != QueueState::Ready)
        return;
    m_queue.change(id, [](QueuedEvaluation& changed) {
        // What has no place in the store yet begins there.
        changed.plan.resume = changed.plan.resume || changed.inStore != 0;
        changed.state = QueueState::Waiting;
        changed.sentence.clear();
    });
    m_wanted = true;
    emit queueChanged();
    startNext();
}

void BatchSession::remove(quint64 id)
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr)
        return;
    if (id != m_running) {
        m_removed.push_back({*each, int(each - m_queue.evaluations().data())});
        if (m_removed.size() > maxRemoved)
            m_removed.erase(m_removed.begin());
        m_queue.remove(id);
        emit queueChanged();
        startNext();
        return;
    }
    m_removing = id;
    setState(id, QueueState::Pausing);
    m_task.stop();
}

void BatchSession::restoreRemoved()
{
    if (m_removed.empty())
        return;
    const auto [evaluation, place] = std::move(m_removed.back());
    m_removed.pop_back();
    const int last = int(m_queue.evaluations().size());
    m_queue.add(evaluation);
    m_queue.move(evaluation.id, std::min(place, last) - last);
    if (evaluation.state == QueueState::Checking)
        check(evaluation.id);
    emit queueChanged();
    startNext();
}

void BatchSession::stop()
{
    m_wanted = false;
    if (isRunning())
        pause(m_running);
}

void BatchSession::end()
{
    const quint64 id = std::exchange(m_running, 0);
    const QString failure = m_task.failure();
    if (m_task.report()) {
        m_queue.change(id, [this](QueuedEvaluation& each) { each.inStore = *m_task.report(); });
        askStored(id);
    }
    if (id == m_removing)
        m_queue.remove(id);
    else
        setState(id,
                 m_task.report()     ? QueueState::Finished
                 : failure.isEmpty() ? QueueState::Paused
                                     : QueueState::Failed,
                 failure);
    m_removing = 0;
    emit queueChanged();
    emit resultsGrew(id);
    emit ended(id);
    if (!failure.isEmpty())
        emit problem(failure);
    startNext();
}

/// With the runs of all networks: they see the same samples, and have the same classes.
void BatchSession::askStored(quint64 id)
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr)
        return;
    m_store.ask(
        {}, this,
        [evaluations = each->evaluations(), attention = each->plan.attention](ResultStore& store) {
            StoredEvaluation all = store.evaluation(evaluations.front());
            for (size_t i = 1; i < evaluations.size(); ++i)
                std::ranges::move(store.evaluation(evaluations[i]).runs, std::back_inserter(all.runs));
            for (size_t run = 0; evaluations.size() > 1 && run < std::min(all.runs.size(), attention.size());
                 ++run)
                all.runs[run].attention = attention[run].canonical();
            return all;
        },
        [this, id](const StoredEvaluation& stored) {
            m_queue.change(id, [&](QueuedEvaluation& each) { each.stored = stored; });
            emit queueChanged();
            emit resultsGrew(id);
        });
}

void BatchSession::lookForUnfinished()
{
    m_store.ask(
        "unfinished", this, [](ResultStore& store) { return store.evaluations(false); },
        [this](std::vector<StoredEvaluation>& all) {
            std::erase_if(all, [this](const StoredEvaluation& each) {
                const auto& queue = m_queue.evaluations();
                return each.state == EvaluationState::Finished || each.done >= each.samples || !isOffered(each)
                       || std::ranges::any_of(queue, [&](const QueuedEvaluation& queued) {
                              return queued.inStore != 0 && std::ranges::count(queued.evaluations(), each.id) > 0;
                          });
            });
            if (all.empty())
                return;
            m_unfinished = std::move(all);
            emit unfinishedFound();
            // One that was not paused but cut off is said wherever one looks.
            const auto cut = std::ranges::find_if(
                m_unfinished, [](const StoredEvaluation& each) { return each.state != EvaluationState::Paused; });
            if (cut != m_unfinished.end())
                emit announcement(
                    tr("The evaluation of %1 was stopped after %2 of %3.")
                        .arg(dataTitle(toQt(cut->dataRoot)), countText(cut->done), countText(cut->samples)));
        });
}

std::optional<Session::Job> BatchSession::job() const
{
    if (!isRunning() && !isWritingDemo())
        return std::nullopt;
    return Job{isRunning() ? tr("evaluate · %1").arg(running()->title()) : tr("write demo images"), progressText(),
               part(), true};
}

std::optional<Session::ClosingQuestion> BatchSession::closingQuestion() const
{
    const QueuedEvaluation* now = running();
    if (now == nullptr)
        return std::nullopt;
    return ClosingQuestion{
        tr("Evaluation in progress"),
        tr("%1 is at %2 of %3. Pausing loses nothing: all predictions so far are in the store.")
            .arg(now->title(), countText(now->done()), countText(now->total())),
        tr("Continue on the Batch screen, or with this command in a terminal:\n\n%1").arg(commandToGoOn()),
        tr("Pause and close")};
}

double BatchSession::part() const
{
    const QueuedEvaluation* now = running();
    return now != nullptr && now->total() > 0 ? double(now->done()) / double(now->total()) : 0;
}

QString BatchSession::progressText() const
{
    if (isWritingDemo())
        return m_demo.step().total > 0
                   ? tr("%1 of %2 files").arg(countText(m_demo.step().done), countText(m_demo.step().total))
                   : tr("starting");
    const QueuedEvaluation* now = running();
    if (now == nullptr)
        return {};
    QStringList parts;
    if (now->total() > 0)
        parts << tr("%1 of %2").arg(countText(now->done()), countText(now->total()));
    if (now->state == QueueState::Resting)
        parts << tr("waiting for measurement");
    else if (now->state == QueueState::NoSpace)
        parts << tr("disk full");
    else if (now->state == QueueState::Pausing)
        parts << tr("pausing after this batch");
    else {
        if (now->progress.load.samplesPerSecond > 0)
            parts << tr("%1/s").arg(now->progress.load.samplesPerSecond, 0, 'f',
                                    now->progress.load.samplesPerSecond < 10 ? 1 : 0);
        if (now->progress.secondsLeft)
            parts << remainingText(*now->progress.secondsLeft);
    }
    return parts.isEmpty() ? tr("Loading…") : parts.join(u" · "_s);
}

/// Rate, queue and what everything waits for, in words.
QString BatchSession::throughputText(const QueuedEvaluation& evaluation) const
{
    const PipelineLoad& load = evaluation.progress.load;
    if (load.samplesPerSecond <= 0)
        return {};
    QStringList parts{tr("%1 %2/s")
                          .arg(load.samplesPerSecond, 0, 'f', load.samplesPerSecond < 10 ? 1 : 0)
                          .arg(evaluation.isVideo() ? tr("videos") : tr("images"))};
    if (load.queueSize > 0)
        parts << tr("%1 of %2 ready").arg(load.queued).arg(load.queueSize);
    if (load.bottleneck == "decoding")
        parts << tr("Bottleneck: decoding");
    else if (load.bottleneck == "network")
        parts << tr("Bottleneck: inference");
    else if (load.bottleneck == "store")
        parts << tr("Bottleneck: disk");
    return parts.join(u" · "_s);
}

QString BatchSession::headline(quint64 id, int attention) const
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr)
        return {};
    const auto& runs = each->progress.runs;
    const auto at = size_t(attention);
    const auto title = [&](size_t run) { return titleOfSpec(toQt(each->plan.attention[run].canonical())); };
    switch (each->state) {
    case QueueState::Checking:
        return tr("Scanning %1").arg(each->title());
    case QueueState::Refused:
        return tr("%1 cannot be evaluated").arg(each->title());
    case QueueState::Failed:
        return each->done() > 0 ? tr("The evaluation of %1 failed after %2 of %3")
                                      .arg(each->title(), countText(each->done()), countText(each->total()))
                                : tr("The evaluation of %1 failed").arg(each->title());
    case QueueState::Ready:
        return tr("%1 is ready").arg(each->title());
    default:
        break;
    }
    if (at >= runs.size() || runs[at].accuracy.samples == 0)
        return each->state == QueueState::Paused && each->stored
                   ? tr("%1 was stopped after %2 of %3")
                         .arg(each->title(), countText(each->done()), countText(each->total()))
                   : tr("Evaluating %1").arg(each->title());
    const QString soFar = each->state == QueueState::Finished ? QString() : tr(" so far");
    const QString first = tr("%1%2: %3 % top-1").arg(title(at), soFar, percentText(runs[at].accuracy));
    if (at == 0)
        return runs.size() < 2 ? first : first + tr(" (reference)");
    const Delta delta = deltaOf(runs[at].accuracy, runs.front().accuracy, title(0));
    const QString reference = percentText(runs.front().accuracy);
    return delta.kind == Delta::Overlap ? tr("%1 ≈ %2 % of %3").arg(first, reference, title(0))
                                        : tr("%1; %2 %3 % on the same samples").arg(first, title(0), reference);
}

QString BatchSession::detail(quint64 id) const
{
    const QueuedEvaluation* each = m_queue.find(id);
    if (each == nullptr)
        return {};
    if (!each->sentence.isEmpty())
        return each->sentence;
    QStringList parts;
    if (each->total() > 0)
        parts << (each->state == QueueState::Finished
                      ? tr("%1 %2").arg(countText(each->total()), each->isVideo() ? tr("videos") : tr("images"))
                      : tr("%1 of %2 %3")
                            .arg(countText(each->done()), countText(each->total()),
                                 each->isVideo() ? tr("videos") : tr("images")));
    if (each->state == QueueState::Running)
        parts << throughputText(*each);
    else if (each->check && !each->isBegun()) {
        const EvaluationEstimate& estimate = each->check->estimate;
        if (estimate.secondsPerSample > 0)
            parts << tr("%1 in total")
                         .arg(remainingText(estimate.secondsPerSample * double(estimate.samples - estimate.done)));
        if (estimate.storeBytes > 0)
            parts << tr("%1 of results, %2 free")
                         .arg(toQt(formatBytes(estimate.storeBytes).text()),
                              toQt(formatBytes(estimate.freeBytes).text()));
    }
    if (each->stored)
        parts << toQt(each->stored->settings.model) << toQt(each->stored->settings.dtype)
              << tr("seed %1").arg(each->stored->settings.seed);
    else if (each->check)
        parts << toQt(each->check->model);
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QString BatchSession::command(quint64 id) const
{
    const QueuedEvaluation* each = m_queue.find(id);
    return each == nullptr ? QString() : evaluateCommand(each->plan);
}

QString BatchSession::commandToGoOn() const
{
    const QueuedEvaluation* now = running();
    if (now == nullptr)
        return {};
    EvaluationSetup plan = now->plan;
    plan.resume = plan.resume || now->inStore != 0;
    return evaluateCommand(plan);
}

}

#include "ui/train/train_session.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/train/train_check.h"
#include "ui/train/train_command.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"
#include "models/training/training_store.h"

#include <QDir>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>

namespace attnscope::ui {

/// Sends on what the training tells, keeps its epochs, and rests between steps while something is measured.
class TrainSession::Observer : public TrainingObserver {
public:
    Observer(TrainSession& session, const TrainRequest& request, TaskTurn& turn)
        : m_session(session)
        , m_request(request)
        , m_turn(turn)
    {}

    void onStart(const TrainingStart& start) override
    {
        const auto keep = [&] {
            TrainRequest repeated = m_request;
            repeated.resume = repeated.overwrite = false;
            m_store.emplace(fromQt(m_session.m_store), m_request.output,
                            fromQt(trainCommand(repeated, m_session.m_threads)));
            m_store->begin(start);
        };
        guarded(keep, [&](const QString& sentence) {  // the training goes on
            m_store.reset();
            onMessage(fromQt(sentence));
        });
        post([start](TrainSession& session) {
            session.m_settings = start;
            for (const std::string& note : start.notes)
                emit session.notice(toQt(note));
            emit session.resultsChanged();
        });
    }

    void onHistory(const std::vector<EpochRecord>& epochs) override
    {
        post([epochs](TrainSession& session) {
            session.m_epochs.setHistory(epochs);
            emit session.resultsChanged();
        });
    }

    void onTeacher(const ValidationResult& teacher) override
    {
        post([teacher](TrainSession& session) {
            session.m_teacher = teacher;
            emit session.resultsChanged();
        });
    }

    void onStep(const TrainingStep& step) override
    {
        // The first of an epoch says that it began, the last that validation comes next.
        if (step.step == 1 || step.step == step.steps || m_turn.isDue())
            post([step](TrainSession& session) {
                session.m_step = step;
                session.m_validation = {};
                session.m_steps.add(step);
                session.take(State::Training, State::Validating);
            });
        m_turn.rest();
    }

    void onValidation(const ValidationStep& step) override
    {
        if (step.done == step.total || m_turn.isDue())
            post([step](TrainSession& session) {
                session.m_validation = step;
                session.take(State::Validating, State::Training);
            });
        m_turn.rest();
    }

    void onEpoch(const EpochRecord& epoch) override
    {
        if (const std::string problem = m_store ? m_store->add(epoch) : std::string(); !problem.empty())
            onMessage(problem);
        post([epoch](TrainSession& session) {
            session.m_epochs.take(epoch);
            emit session.resultsChanged();
            emit session.m_workspace.resultsStored();
        });
    }

    void onDistillation(const DistillationState& before) override
    {
        post([before](TrainSession& session) {
            session.m_before = before;
            emit session.resultsChanged();
        });
    }

    void onMessage(const std::string& sentence) override
    {
        post([sentence](TrainSession& session) { emit session.notice(toQt(sentence)); });
    }

    bool finishesEpochAndStops() override { return m_session.m_finishesEpoch; }

private:
    void post(std::function<void(TrainSession&)> onWindow)
    {
        m_turn.post([session = &m_session, onWindow = std::move(onWindow)] { onWindow(*session); });
    }

    TrainSession& m_session;
    const TrainRequest& m_request;
    TaskTurn& m_turn;
    std::optional<TrainingStore> m_store;
};

TrainSession::TrainSession(Workspace& workspace, const TrainingBackend& backend, const QString& store,
                           QObject* parent)
    : Session(workspace, parent)
    , m_engine(workspace.engine())
    , m_backend(backend)
    , m_store(store)
    , m_demo(m_engine, {}, backend.writeDemo)
    , m_task(
          m_engine, {MeasuringGate::Work::Training},
          [this, train = backend.train](const TrainRequest& request, TaskTurn& turn, const TrainingTask::Grew&) {
              Observer observer(*this, request, turn);
              return train(request, observer, turn.stop());
          })
{
    follow(m_task);
    connect(&m_task, &TaskBase::restingChanged, this, [this](bool resting) {
        if (!isRunning() || isHeld() || m_state == State::Pausing)
            return;
        if (resting)
            m_beforeRest = m_state;
        setState(resting ? State::Resting : m_beforeRest);
    });
    connect(&m_task, &TaskBase::ended, this, &TrainSession::end);
}

/// A step of that kind, after some of the other kind or the first of all.
void TrainSession::take(State now, State before)
{
    if (m_state == State::Loading || m_state == before)
        setState(now);
    emit progressed();
}

void TrainSession::look(const QString& folder, const QString& layout, const QString& validation)
{
    const quint64 number = ++m_looks;
    m_engine.postFiles("train-data", [backend = m_backend, folder, layout, validation, number,
                                      self = QPointer<TrainSession>(this), engine = &m_engine] {
        DataFolder found;
        QString problem;
        try {
            found = backend.look(fromQt(folder), fromQt(layout), fromQt(validation));
        } catch (const std::exception& error) {
            problem = toQt(error.what());
        }
        QMetaObject::invokeMethod(engine, [self, number, found, problem] {
            if (!self || self->m_looks != number)
                return;
            self->m_folder = found;
            if (problem.isEmpty())
                emit self->folderKnown(found);
            else
                emit self->folderRefused(problem);
        });
    });
}

std::string TrainSession::savedResults() const
{
    return isRunning() || canResume() ? m_request.output : std::string();
}

void TrainSession::restoreResults(const std::string& output)
{
    if (const QString sentence = interruptedSentence(toQt(output)); !sentence.isEmpty())
        emit announcement(sentence);
}

QString TrainSession::interruptedSentence(const QString& output)
{
    return QFileInfo::exists(resumeFile(output))
               ? tr("The training of %1 was interrupted; its finished epochs are kept.")
                     .arg(QFileInfo(output).fileName())
               : QString();
}

void TrainSession::askInterrupted(const QString& output)
{
    m_engine.postFiles("train-interrupted", [backend = m_backend, output, self = QPointer<TrainSession>(this),
                                             engine = &m_engine] {
        std::optional<TrainRequest> found;
        QString sentence;
        try {
            found = backend.interrupted(fromQt(output));
            if (!found)
                sentence = tr("%1: there is no training state next to it to resume from.").arg(output);
        } catch (const std::exception& error) {
            sentence = toQt(error.what());
        }
        QMetaObject::invokeMethod(engine, [self, found, sentence] {
            if (!self)
                return;
            if (found)
                emit self->interruptedKnown(*found);
            else
                emit self->problem(sentence);
        });
    });
}

void TrainSession::start(const TrainRequest& request, int threads)
{
    if (isRunning())
        return;
    m_request = request;
    m_threads = threads;
    begin(false);
}

void TrainSession::resume()
{
    if (isHeld()) {
        setState(m_beforeRest);
        return m_task.hold(false);
    }
    if (!canResume())
        return;
    // Before the first epoch is written there is nothing to go on from: the same beginning leads to the same weights.
    m_request.resume = m_request.resume || !m_epochs.history().empty();
    m_request.overwrite = m_request.overwrite && !m_request.resume;
    begin(true);
}

void TrainSession::begin(bool resumed)
{
    if (!resumed) {
        m_epochs.clear();
        m_steps.clear();
        m_before.reset();
        m_teacher.reset();
        m_settings = {};
    }
    m_after.reset();
    m_step = {};
    m_validation = {};
    m_finishesEpoch = false;
    setState(State::Loading);
    emit resultsChanged();
    if (!m_store.isEmpty())
        QDir().mkpath(QFileInfo(m_store).path());
    m_task.start(m_request, m_threads);
}

void TrainSession::hold()
{
    if (!isRunning() || isHeld() || m_state == State::Pausing)
        return;
    if (m_state != State::Resting)
        m_beforeRest = m_state;
    setState(State::Held);
    m_task.hold(true);
}

void TrainSession::pause()
{
    if (!isRunning() || m_state == State::Pausing)
        return;
    setState(State::Pausing);
    m_task.stop();
}

void TrainSession::setFinishesEpoch(bool finishes)
{
    if (!isRunning())
        return;
    m_finishesEpoch = finishes;
    emit stateChanged();
}

/// Steps of an epoch that was not written are not part of what goes on.
void TrainSession::forgetLost()
{
    const auto& history = m_epochs.history();
    m_steps.dropAfter(history.empty() ? 0 : double(history.back().epoch) + 1e-9);
    m_finishesEpoch = false;
}

void TrainSession::end()
{
    if (!m_task.failure().isEmpty()) {
        forgetLost();
        setState(State::Failed);
        emit resultsChanged();
        return;
    }
    const TrainingReport report = m_task.report() ? *m_task.report() : TrainingReport();
    if (!report.history.empty())
        m_epochs.setHistory(report.history);
    forgetLost();
    if (report.teacher)
        m_teacher = report.teacher;
    if (report.before)
        m_before = report.before;
    m_after = report.after;
    setState(report.finished ? State::Finished : State::Paused);
    emit resultsChanged();
}

void TrainSession::setState(State state)
{
    m_state = state;
    emit stateChanged();
}

QString TrainSession::checkpoint() const
{
    return m_epochs.history().empty() ? QString() : toQt(m_request.output);
}

QString TrainSession::sample() const
{
    return toQt(m_folder.sample);
}

QString TrainSession::commandToGoOn() const
{
    if (!isRunning())
        return {};
    TrainRequest request = m_request;
    request.resume = request.resume || !m_epochs.history().empty();
    request.overwrite = request.overwrite && !request.resume;
    return trainCommand(request, m_threads);
}

std::optional<Session::ClosingQuestion> TrainSession::closingQuestion() const
{
    if (!isRunning())
        return std::nullopt;
    return ClosingQuestion{
        tr("Training in progress"),
        m_epochs.history().empty()
            ? tr("Stopping now loses all training progress because the first epoch is not finished.")
            : tr("Stopping now loses progress in the current epoch; earlier epochs are kept in %1.")
                  .arg(QFileInfo(checkpoint()).fileName()),
        tr("Continue on the Train screen with the same file under “Save to”, or with this command in a "
           "terminal:\n\n%1")
            .arg(commandToGoOn()),
        tr("Stop and close")};
}

QString TrainSession::sampleUnit() const
{
    return m_folder.video ? tr("clips/s") : tr("img/s");
}

double TrainSession::part() const
{
    if (m_state == State::Finished)
        return 1;
    if (isRunning() && m_step.total > 0)
        return double(m_step.done) / double(m_step.total);
    const auto& history = m_epochs.history();
    return history.empty() ? 0
                           : double(history.back().epoch) / double(std::max<int64_t>(1, m_request.plan.epochs));
}

QString TrainSession::progressText() const
{
    QStringList parts;
    if (m_step.steps > 0)
        parts << tr("epoch %1/%2").arg(m_step.epoch).arg(m_request.plan.epochs);
    if (m_validation.total > 0)
        parts << tr("validating %1/%2").arg(m_validation.done).arg(m_validation.total);
    else if (m_step.steps > 0)
        parts << tr("%1/%2").arg(m_step.step).arg(m_step.steps);
    if (m_step.samplesPerSecond > 0)
        parts << u"%1 %2"_s.arg(m_step.samplesPerSecond, 0, 'f', m_step.samplesPerSecond < 10 ? 1 : 0)
                     .arg(sampleUnit());
    if (m_step.secondsLeft)
        parts << remainingText(*m_step.secondsLeft);
    if (m_step.waiting > 0.2)
        parts << tr("%1 % waiting for data").arg(100 * m_step.waiting, 0, 'f', 0);
    return parts.join(u" · "_s);
}

QString TrainSession::headline() const
{
    const auto& history = m_epochs.history();
    const qint64 done = history.empty() ? 0 : history.back().epoch, all = m_request.plan.epochs;
    const EpochRecord* best = m_epochs.best();
    const ValidationResult* top = best ? keptValidation(*best) : nullptr;
    const QString accuracy = top ? tr("%1 % top-1").arg(percentText(*top)) : QString();
    switch (m_state) {
    case State::Idle:
        return {};
    case State::Loading:
        return tr("Loading data and weights");
    case State::Resting:
        return tr("Waiting for measurement between two steps");
    case State::Held:
        return tr("Paused in epoch %1 of %2").arg(std::max<qint64>(1, m_step.epoch)).arg(all);
    case State::Pausing:
        return tr("Stopping after this step");
    case State::Training:
    case State::Validating:
        return runningHeadline();
    case State::Paused:
        return done == 0 ? tr("Paused before the end of the first epoch")
                         : tr("Paused after epoch %1 of %2").arg(done).arg(all);
    case State::Failed:
        return done == 0 ? tr("Training stopped before the end of the first epoch")
                         : tr("Stopped by an error after epoch %1 of %2").arg(done).arg(all);
    case State::Finished:
        return accuracy.isEmpty()
                   ? counted(done, [](int n) { return tr("%1 epoch(s) finished", nullptr, n); })
                   : counted(done, [](int n) { return tr("%2 after %1 epoch(s), best at epoch %3", nullptr, n); })
                             .arg(accuracy)
                             .arg(best->epoch)
                         + (m_teacher ? tr("; teacher %1 %").arg(percentText(*m_teacher)) : QString());
    }
    return {};
}

QString TrainSession::runningHeadline() const
{
    QString where = tr("Epoch %1 of %2").arg(std::max<qint64>(1, m_step.epoch)).arg(m_request.plan.epochs);
    const auto& history = m_epochs.history();
    const ValidationResult* last = history.empty() ? nullptr : keptValidation(history.back());
    if (last == nullptr)
        return where;
    const EpochRecord* best = m_epochs.best();
    const QString reached = tr("%1: %2 % top-1").arg(where, percentText(*last));
    QString words =
        best == nullptr || best == &history.back()
            ? tr("%1, best so far").arg(reached)
            : tr("%1, best %2 % at epoch %3").arg(reached, percentText(*keptValidation(*best))).arg(best->epoch);
    return m_teacher ? tr("%1; teacher %2 %").arg(words, percentText(*m_teacher)) : words;
}

QString TrainSession::detail() const
{
    if (m_state == State::Idle)
        return {};
    QStringList parts;
    QString output = QFileInfo(toQt(m_request.output)).fileName();
    if (m_settings.model.empty())
        return output;
    parts << toQt(m_settings.model) << toQt(m_settings.attention);
    if (!m_settings.teacher.empty())
        parts << tr("Teacher: %1").arg(QFileInfo(toQt(m_settings.teacher)).fileName());
    parts << tr("%1 training and %2 validation samples, %3 classes")
                 .arg(toQt(formatCount(m_settings.trainingSamples)),
                      toQt(formatCount(m_settings.validationSamples)))
                 .arg(m_settings.classes);
    parts << tr("%1 of %2 parameters trained")
                 .arg(toQt(formatQuantity(double(m_settings.trained)).text()),
                      toQt(formatQuantity(double(m_settings.parameters)).text()));
    parts << toQt(m_settings.device);
    return parts.join(u" · "_s);
}

}

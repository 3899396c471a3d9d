#include "ui/neighbours/neighbours_session.h"

#include "ui/neighbours/neighbours_command.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace attnscope::ui {

NeighboursSession::NeighboursSession(Workspace& workspace, const NeighboursBackend& backend, QObject* parent)
    : Session(workspace, parent)
    , m_backend(backend)
    , m_demo(backend.writeDemo)
    , m_worker(std::make_unique<NeighboursWorker>(backend, workspace.engine().gate()))
{
    connect(this, &NeighboursSession::stateChanged, this, &Session::activityChanged);
    connect(this, &NeighboursSession::progressed, this, &Session::activityChanged);
    connect(&m_workspace, &Workspace::contextChanged, this, &NeighboursSession::wishesChanged);
    connect(&m_workspace, &Workspace::modelChanged, this, &NeighboursSession::wishesChanged);
    connect(&m_workspace.backends(), &BackendList::selectionChanged, this, &NeighboursSession::wishesChanged);
    connectWorker();
}

void NeighboursSession::connectWorker()
{
    NeighboursWorker* worker = m_worker.get();
    connect(worker, &NeighboursWorker::progressed, this, [this](const Progress& step) {
        if (step.what != m_step.what)
            m_clock.start();
        m_step = step;
        emit progressed();
    });
    connect(worker, &NeighboursWorker::restingChanged, this, [this](bool resting) {
        m_resting = resting;
        emit stateChanged();
    });
    connect(worker, &NeighboursWorker::built, this,
            [this](const std::shared_ptr<const BuiltDatastore>& datastore) {
                emit built(toQt(datastore->file));
                reportUnreadable(datastore->unreadable);
            });
    connect(worker, &NeighboursWorker::evaluating, this,
            [this](const std::shared_ptr<const EvaluatedSamples>& samples) {
                m_samples = samples;
                emit samplesChanged();
            });
    connect(worker, &NeighboursWorker::found, this, &NeighboursSession::take);
    connect(worker, &NeighboursWorker::stopped, this, [this] {
        m_cut = m_question.image.empty();
        end();
    });
    connect(worker, &NeighboursWorker::failed, this, [this](const QString& sentence) {
        emit problem(sentence);
        end();
    });
}

void NeighboursSession::take(const std::shared_ptr<const NeighbourReport>& report)
{
    std::vector<UnreadableInput> unreadable = report->unreadable;
    if (report->accuracy)
        unreadable.insert(unreadable.end(), report->accuracy->unreadable.begin(),
                          report->accuracy->unreadable.end());
    reportUnreadable(unreadable);
    if (m_question.image.empty()) {
        m_report = report;
        m_reported = m_question;
        m_command = neighboursCommand(m_question, m_workspace.settings().threads).text();
        emit resultsChanged();
    } else if (!report->images.empty()) {
        m_image = report;
        m_imageCommand = neighboursCommand(m_question, m_workspace.settings().threads).text();
        emit imageChanged();
    }
    end();
}

void NeighboursSession::reportUnreadable(const std::vector<UnreadableInput>& inputs)
{
    constexpr std::size_t mostNamed = 5;
    for (std::size_t i = 0; i < std::min(mostNamed, inputs.size()); ++i)
        emit problem(tr("%1: %2").arg(toQt(inputs[i].path), toQt(inputs[i].reason)));
    if (inputs.size() > mostNamed)
        emit problem(counted(std::int64_t(inputs.size() - mostNamed), [](int n) {
            return tr("%1 more file(s) could not be read; the exported JSON lists them.", nullptr, n);
        }));
}

NeighbourQuestion NeighboursSession::question(NeighbourQuestion form) const
{
    form.model = m_workspace.modelRequest();
    form.seed = m_workspace.context().seed;
    if (m_workspace.model() && m_workspace.model()->summary.classes == 0)
        form.request.mix.clear();  // there is no head to mix with
    return form;
}

QString NeighboursSession::datastoreFor(const QString& folder, const AttentionSpec& attention) const
{
    const RunContext& context = m_workspace.context();
    const bool trained = !context.weights.startsWith("untrained"_L1);
    QStringList words{dataTitle(folder), trained ? QFileInfo(context.weights).completeBaseName() : context.model};
    if (attention != AttentionSpec::native())
        words << toQt(attention.canonical());
    QString name = words.join(QLatin1Char('-'));
    for (QChar& c : name)
        if (!c.isLetterOrNumber() && c != QLatin1Char('-') && c != QLatin1Char('.') && c != QLatin1Char('_'))
            c = QLatin1Char('-');
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/attnscope/features/"_s + name
           + u".safetensors"_s;
}

void NeighboursSession::start(const NeighbourQuestion& question)
{
    if (!m_running) {
        begin(question);
    } else if (isLooking() || !question.image.empty()) {
        m_next = question;
        if (isLooking())
            m_worker->stop();
    }
}

void NeighboursSession::begin(const NeighbourQuestion& question)
{
    m_question = question;
    m_running = true;
    m_resting = m_stopping = false;
    m_step = {};
    if (question.image.empty()) {
        m_cut = false;
        m_report.reset();
        m_image.reset();
        m_samples.reset();
        emit resultsChanged();
        emit samplesChanged();
        emit imageChanged();
    }
    m_clock.start();
    emit stateChanged();
    m_worker->search(question, m_workspace.settings().threads);
}

void NeighboursSession::end()
{
    m_running = m_resting = m_stopping = false;
    if (const auto next = std::exchange(m_next, std::nullopt))
        begin(*next);
    else
        emit stateChanged();
}

void NeighboursSession::stop()
{
    if (!m_running || m_stopping)
        return;
    m_next.reset();
    m_stopping = true;
    m_worker->stop();
    emit stateChanged();
}

void NeighboursSession::tryDemo()
{
    if (!m_demo.isWriting())
        m_demo.start(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
                     + u"/attnscope/demo-neighbours"_s);
}

std::optional<Session::Job> NeighboursSession::job() const
{
    if (!m_running)
        return std::nullopt;
    const double fraction = m_step.total > 0 ? std::min(1.0, double(m_step.done) / double(m_step.total)) : 0;
    QStringList parts;
    if (m_stopping)
        parts << tr("stopping after this batch");
    else if (m_resting)
        parts << tr("waiting for the current measurement or evaluation");
    else if (m_step.total > 0)
        parts << tr("%1 of %2").arg(countText(m_step.done), countText(m_step.total));
    if (const double seconds = double(m_clock.elapsed()) / 1000; fraction > 0.05 && seconds > 2)
        parts << remainingText(seconds * (1 - fraction) / fraction);
    const QString title = isLooking()    ? tr("neighbours · %1").arg(QFileInfo(toQt(m_question.image)).fileName())
                          : isBuilding() ? tr("neighbours · features of %1").arg(folder())
                                         : tr("neighbours · accuracy on %1").arg(folder());
    return Job{title, parts.isEmpty() ? tr("starting") : parts.join(u" · "_s), fraction};
}

QString NeighboursSession::folder() const
{
    return dataTitle(toQt(isBuilding() ? m_question.build : m_question.evaluate));
}

QString NeighboursSession::status() const
{
    return m_running ? tr("Searching for neighbours") : QString();
}

const ImageNeighbours* NeighboursSession::image() const
{
    return m_image ? &m_image->images.front() : nullptr;
}

std::optional<QString> NeighboursSession::classOf(const QString& path) const
{
    if (m_samples)
        for (const LabelledFile& file : m_samples->files)
            if (toQt(file.path) == path)
                return toQt(m_samples->classes[std::size_t(file.label)]);
    return std::nullopt;
}

QString NeighboursSession::staleText(const NeighbourQuestion& now) const
{
    const auto line = [](NeighbourQuestion question) {
        question.build.clear();  // once it is built, the datastore counts
        return neighboursCommand(question, 0);
    };
    return m_report && !m_running ? line(m_reported).madeWith(line(now)) : QString();
}

QString NeighboursSession::command() const
{
    QStringList lines;
    if (m_report)
        lines << m_command;
    if (m_image)
        lines << m_imageCommand;
    return lines.join(QLatin1Char('\n'));
}

}

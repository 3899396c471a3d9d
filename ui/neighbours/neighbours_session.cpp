#include "ui/neighbours/neighbours_session.h"

#include "ui/neighbours/neighbours_command.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr size_t maxSamplesShown = 240;

std::shared_ptr<const EvaluatedSamples> samplesToLookAt(const LabelledSet& data)
{
    auto samples = std::make_shared<EvaluatedSamples>(EvaluatedSamples{{}, data.classes});
    const size_t count = std::min(maxSamplesShown, data.files.size());
    for (size_t i = 0; i < count; ++i)
        samples->files.push_back(data.files[i * data.files.size() / count]);
    return samples;
}

}

NeighboursSession::NeighboursSession(Workspace& workspace, const NeighboursBackend& backend, QObject* parent)
    : Session(workspace, parent)
    , m_image(backend.image)
    , m_demo(workspace.engine(), {}, backend.writeDemo)
    , m_task(workspace.engine(), {MeasuringGate::Work::Laboratory},
             [this, search = backend.search](const NeighbourQuestion& question, TaskTurn& turn,
                                             const NeighboursTask::Grew&) {
                 NeighbourCalls calls{turn.progress(), {}, {}, turn.stop()};
                 calls.built = [&](const BuiltDatastore& datastore) {
                     turn.post([this, datastore] {
                         emit built(toQt(datastore.file));
                         reportUnreadable(datastore.unreadable);
                     });
                 };
                 calls.evaluating = [&](const LabelledSet& data) {
                     turn.post([this, samples = samplesToLookAt(data)] {
                         m_samples = samples;
                         emit samplesChanged();
                     });
                 };
                 return search(question, turn.models(), calls);
             })
{
    follow(m_task);
    connect(&m_task, &TaskBase::ended, this, &NeighboursSession::end);
}

void NeighboursSession::take(std::shared_ptr<const NeighbourReport> report)
{
    std::vector<UnreadableInput> unreadable = report->unreadable;
    if (report->accuracy)
        unreadable.insert(unreadable.end(), report->accuracy->unreadable.begin(),
                          report->accuracy->unreadable.end());
    reportUnreadable(unreadable);
    const QString command = neighboursCommand(m_task.request(), m_workspace.settings().threads).text();
    if (!isOfImage()) {
        m_report = std::move(report);
        m_reported = m_task.request();
        m_command = command;
        emit resultsChanged();
    } else if (!report->images.empty()) {
        m_found = std::move(report);
        m_imageCommand = command;
        emit imageChanged();
    }
}

void NeighboursSession::reportUnreadable(const std::vector<UnreadableInput>& inputs)
{
    constexpr size_t maxNamed = 5;
    for (size_t i = 0; i < std::min(maxNamed, inputs.size()); ++i)
        emit problem(tr("%1: %2").arg(toQt(inputs[i].path), toQt(inputs[i].reason)));
    if (inputs.size() > maxNamed)
        emit problem(counted(int64_t(inputs.size() - maxNamed), [](int n) {
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
    if (!isRunning()) {
        begin(question);
    } else if (isLooking() || !question.image.empty()) {
        m_next = question;
        if (isLooking())
            m_task.stop();
    }
}

void NeighboursSession::begin(const NeighbourQuestion& question)
{
    if (question.image.empty()) {
        m_cut = false;
        m_report.reset();
        m_found.reset();
        m_samples.reset();
    }
    m_task.start(question, m_workspace.settings().threads);
    if (question.image.empty()) {
        emit resultsChanged();
        emit samplesChanged();
        emit imageChanged();
    }
}

void NeighboursSession::end()
{
    if (m_task.report())
        take(m_task.report());
    else if (m_task.wasCancelled())
        m_cut = !isOfImage();
    if (const auto next = std::exchange(m_next, std::nullopt))
        begin(*next);
}

void NeighboursSession::stop()
{
    m_next.reset();
    Session::stop();
}

void NeighboursSession::tryDemo()
{
    if (!m_demo.isRunning())
        m_demo.start(demoFolder(u"demo-neighbours"_s), 0);
}

std::optional<Session::Job> NeighboursSession::job() const
{
    if (!isRunning())
        return std::nullopt;
    const Progress& step = m_task.step();
    const double fraction = m_task.part(), seconds = m_task.stepSeconds();
    QStringList parts;
    if (isStopping())
        parts << tr("stopping after this batch");
    else if (isResting())
        parts << tr("waiting for the current measurement or evaluation");
    else if (step.total > 0)
        parts << tr("%1 of %2").arg(countText(step.done), countText(step.total));
    if (fraction > 0.05 && seconds > 2)
        parts << remainingText(seconds * (1 - fraction) / fraction);
    const QString title = isLooking()
                              ? tr("neighbours · %1").arg(QFileInfo(toQt(m_task.request().image)).fileName())
                          : isBuilding() ? tr("neighbours · features of %1").arg(folder())
                                         : tr("neighbours · accuracy on %1").arg(folder());
    return Job{title, parts.isEmpty() ? tr("starting") : parts.join(u" · "_s), fraction};
}

QString NeighboursSession::folder() const
{
    return dataTitle(toQt(isBuilding() ? m_task.request().build : m_task.request().evaluate));
}

QString NeighboursSession::status() const
{
    return isRunning() ? tr("Searching for neighbours") : QString();
}

const ImageNeighbours* NeighboursSession::image() const
{
    return m_found ? &m_found->images.front() : nullptr;
}

std::optional<QString> NeighboursSession::classOf(const QString& path) const
{
    if (m_samples)
        for (const LabelledFile& file : m_samples->files)
            if (toQt(file.path) == path)
                return toQt(m_samples->classes[size_t(file.label)]);
    return std::nullopt;
}

QString NeighboursSession::staleText(const NeighbourQuestion& now) const
{
    const auto line = [](NeighbourQuestion question) {
        question.build.clear();  // once it is built, the datastore counts
        return neighboursCommand(question, 0);
    };
    return m_report && !isRunning() ? line(m_reported).madeWith(line(now)) : QString();
}

QString NeighboursSession::command() const
{
    QStringList lines;
    if (m_report)
        lines << m_command;
    if (m_found)
        lines << m_imageCommand;
    return lines.join(QLatin1Char('\n'));
}

}

#include "ui/scale/scale_session.h"

#include "ui/scale/scale_command.h"
#include "ui/scale/scale_words.h"
#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "core/base/archive.h"

#include <algorithm>

namespace attnscope::ui {

CommandLine lineOf(const ScaleQuestion& question, int threads)
{
    return std::visit([&](const auto& request) { return commandOf(request, threads); }, question);
}

ScaleSession::ScaleSession(Workspace& workspace, const ScaleTask::Measure& measure, QObject* parent)
    : Session(workspace, parent)
    , m_task(workspace.engine(), {MeasuringGate::Work::Laboratory}, measure)
{
    follow(m_task);
    connect(&m_task, &TaskBase::grew, this, [this] {
        take();
        emit resultsChanged(m_kind);
        emit progressed();
    });
    connect(&m_task, &TaskBase::ended, this, &ScaleSession::end);
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

void ScaleSession::complete(SubjectRequest& form, const QStringList& inputs) const
{
    const InputSize size = form.model.imageSize;
    form.model = m_workspace.modelRequest();
    if (!size.isOwn())
        form.model.imageSize = size;
    if (form.random)
        form.random->seed = m_workspace.context().seed;
    else if (form.isModel() && form.labelled.empty())
        for (const QString& path : inputs)
            form.inputs.push_back(fromQt(path));
}

std::vector<AttentionSpec> ScaleSession::approximations() const
{
    return approximating(m_workspace.backends().checkedSpecs());
}

std::vector<AttentionSpec> ScaleSession::candidates() const
{
    std::vector<AttentionSpec> plain = approximations();
    for (const QString& text : m_workspace.backends().checkedSpecs())
        if (AttentionSpec spec = AttentionSpec::parse(fromQt(text));
            spec.tokens().merges() && spec.weights() == WeightStorage::Own)
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

int64_t ScaleSession::threads() const
{
    if (chosenThreads() > 0)
        return chosenThreads();
    return m_workspace.surroundings() ? m_workspace.surroundings()->threads : 2;
}

bool ScaleSession::onGpu() const
{
    const QString device = m_workspace.context().device;
    if (device != "auto"_L1)
        return device.startsWith("cuda"_L1);
    const auto known = m_workspace.surroundings();
    return known && std::any_of(known->devices.begin(), known->devices.end(), [](const DeviceInfo& each) {
               return each.available && each.name.starts_with("cuda");
           });
}

const ModelSummary* ScaleSession::model() const
{
    return m_workspace.model() ? &m_workspace.model()->summary : nullptr;
}

void ScaleSession::start(const ScaleQuestion& question)
{
    if (isRunning())
        return;
    m_kind = Kind(question.index());
    m_measured[m_kind] = {question, nullptr, chosenThreads()};
    m_finishedGuess = m_finishedSeconds = 0;
    m_task.start(question, chosenThreads());
    emit resultsChanged(m_kind);
}

QString ScaleSession::command(Kind kind) const
{
    return lineOf(m_measured[kind].question, m_measured[kind].threads).text();
}

QString ScaleSession::staleText(const ScaleQuestion& now) const
{
    const auto kind = static_cast<Kind>(now.index());
    const Measured& was = m_measured[kind];
    if (!was.result || isRunning(kind))
        return {};
    const bool isTimed = kind == Length
                         || kind == Plans;  // streams run on one thread, and errors do not depend on them
    return lineOf(was.question, isTimed ? was.threads : 0).madeWith(lineOf(now, isTimed ? chosenThreads() : 0));
}

std::string ScaleSession::savedResults() const
{
    const bool any = std::ranges::any_of(m_measured, [](const Measured& each) { return each.result != nullptr; });
    return any ? archived(m_measured) : std::string();
}

void ScaleSession::restoreResults(const std::string& saved)
{
    m_measured = unarchived<decltype(m_measured)>(saved);
    for (int kind = 0; kind < kindCount; ++kind)
        emit resultsChanged(kind);
    emit stateChanged();
}

void ScaleSession::end()
{
    if (m_task.report())
        take();
    if (const auto* errors = report<ApproximateReport>(); errors != nullptr && m_kind == Samples) {
        for (const UnreadableInput& input : errors->unreadable)
            emit problem(tr("%1: %2").arg(toQt(input.path), toQt(input.reason)));
        if (errors->inputs == 0)
            m_measured[Samples].result.reset();
    }
    emit resultsChanged(m_kind);
}

int ScaleSession::points() const
{
    return int(scaleRows(lengths()).size() * lengths().lengths.size());
}

int ScaleSession::pointsDone() const
{
    size_t points = 0;
    if (const auto* known = report<ScaleReport>())
        for (const ScaleRow& row : known->rows)
            points += row.points.size();
    return int(points);
}

/// Lengths that all attentions are done with tell how fast this machine is next to the guess.
void ScaleSession::take()
{
    m_measured[m_kind].result = m_task.report();
    if (m_kind != Length)
        return;
    const std::vector<ScaleRow>& rows = report<ScaleReport>()->rows;
    ScaleRequest done = lengths();
    size_t finished = rows.empty() ? 0 : done.lengths.size();
    for (const ScaleRow& row : rows)
        finished = std::min(finished, row.points.size());
    done.lengths.resize(finished);
    if (const double guess = guessedSeconds(done, threads(), onGpu()); guess > m_finishedGuess) {
        m_finishedGuess = guess;
        m_finishedSeconds = m_task.seconds();
    }
}

double ScaleSession::secondsLeft() const
{
    const double now = m_task.seconds();
    if (m_kind == Length && m_finishedGuess > 0)
        return (guessedSeconds(lengths(), threads(), onGpu()) - m_finishedGuess) * m_finishedSeconds
                   / m_finishedGuess
               - (now - m_finishedSeconds);
    return part() > 0.05 ? now * (1 - part()) / part() : 0;
}

std::optional<Session::Job> ScaleSession::job() const
{
    return isRunning() ? std::optional(Job{title(), progressText(), part()}) : std::nullopt;
}

double ScaleSession::part() const
{
    const double step = m_task.part();
    if (m_kind != Length || points() == 0)
        return step;
    // Attentions take turns: those that are not done with this length are about equally far.
    const int rows = points() / int(lengths().lengths.size()), done = pointsDone();
    const int pending = done % rows == 0 && done > 0 && step == 0 ? 0 : rows - done % rows;
    return std::min(1.0, (done + pending * step) / points());
}

QString ScaleSession::progressText() const
{
    const Progress& step = m_task.step();
    if (isStopping())
        return tr("stopping after %1").arg(step.what.empty() ? tr("this step") : engineText(step.what));
    if (isResting())
        return tr("waiting for the current measurement or evaluation");
    QStringList parts;
    if (m_kind == Length)
        parts << tr("%1 of %2 points").arg(pointsDone()).arg(points());
    if (!step.what.empty())
        parts << engineText(step.what)
                     + (step.total > 0 ? tr(", %1 of %2").arg(std::min(step.done, step.total)).arg(step.total)
                                       : QString());
    if (const double left = secondsLeft(); left > 1)
        parts << remainingText(left);
    return parts.isEmpty() ? tr("starting") : parts.join(u" · "_s);
}

QString ScaleSession::title() const
{
    const QString titles[]{tr("scale · time and memory vs. tokens"), tr("decode · cost of a token vs. position"),
                           tr("approximate · error vs. samples"), tr("approximate · random features vs. norm"),
                           tr("plan · backend for each layer")};
    return titles[m_kind];
}

}

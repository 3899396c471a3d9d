#include "ui/batch/queue_model.h"

#include "ui/style/engine_text.h"
#include "ui/style/qt_text.h"

#include "models/compared_networks.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <iterator>

namespace attnscope::ui {

namespace {

/// By QueueState: what stands for the time that is left, and for figures where there are none.
struct StateWords {
    const char* time;
    const char* note = QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "No samples yet");
};
constexpr StateWords stateWords[]{
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Scanning…"),
     QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Scanning the folder…")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Failed"), ""},  // the sentence says why
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Not started"),
     QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Not started")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Queued"),
     QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Queued")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Loading…"),
     QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Loading model and data…")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Estimating…")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Waiting"),
     QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Waiting for measurement")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Disk full")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Pausing…")},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Paused")},
    {"—"},
    {QT_TRANSLATE_NOOP("attnscope::ui::QueueModel", "Failed"), ""}};
static_assert(std::size(stateWords) == size_t(QueueState::Failed) + 1);

const StateWords& wordsOf(QueueState state)
{
    return stateWords[size_t(state)];
}

}

int64_t QueuedEvaluation::total() const
{
    return progress.total > 0 ? progress.total : stored ? stored->samples : check ? check->estimate.samples : 0;
}

int64_t QueuedEvaluation::done() const
{
    return progress.total > 0 ? progress.done : stored ? stored->done : check ? check->estimate.done : 0;
}

QString QueuedEvaluation::title() const
{
    return dataTitle(toQt(plan.folder));
}

QueueModel::QueueModel(QObject* parent)
    : CellModel(
        {{tr("Run"),
          tr("One backend on one folder. All backends of a folder see the same samples, each decoded once.")},
         {tr("Progress"), tr("Samples processed by every backend; unreadable ones count as done.")},
         {tr("Top-1 %, 95 % interval"), measureColumn(measure("top1")).help, true},
         measureColumn(measure("top5")),
         {tr("Unreadable"), tr("Files that could not be read; they count as neither correct nor wrong."), true},
         {tr("Time left"),
          tr("Before the start: the time this backend is estimated to take, measured on 20 of the files."), true}},
        parent)
{}

const RunProgress* QueueModel::Place::run() const
{
    const auto& runs = evaluation->progress.runs;
    return attention < runs.size() ? &runs[attention] : nullptr;
}

int QueueModel::rowCount(const QModelIndex& parent) const
{
    size_t rows = 0;
    for (const QueuedEvaluation& evaluation : m_queue)
        rows += evaluation.plan.attention.size();
    return parent.isValid() ? 0 : int(rows);
}

QueueModel::Place QueueModel::placeOf(int row) const
{
    auto left = size_t(row);
    for (const QueuedEvaluation& evaluation : m_queue) {
        if (left < evaluation.plan.attention.size())
            return {&evaluation, left};
        left -= evaluation.plan.attention.size();
    }
    return {};
}

int QueueModel::rowOf(quint64 id, int attention) const
{
    int row = 0;
    for (const QueuedEvaluation& evaluation : m_queue) {
        if (evaluation.id == id)
            return row + attention;
        row += int(evaluation.plan.attention.size());
    }
    return -1;
}

const QueuedEvaluation* QueueModel::find(quint64 id) const
{
    const auto found = std::ranges::find_if(m_queue, [&](const auto& each) { return each.id == id; });
    return found == m_queue.end() ? nullptr : &*found;
}

void QueueModel::add(const QueuedEvaluation& evaluation)
{
    const int row = rowCount();
    beginInsertRows({}, row, row + int(evaluation.plan.attention.size()) - 1);
    m_queue.push_back(evaluation);
    endInsertRows();
}

void QueueModel::remove(quint64 id)
{
    const int row = rowOf(id);
    if (row < 0)
        return;
    beginRemoveRows({}, row, row + int(find(id)->plan.attention.size()) - 1);
    std::erase_if(m_queue, [&](const QueuedEvaluation& each) { return each.id == id; });
    endRemoveRows();
}

bool QueueModel::move(quint64 id, int steps)
{
    const auto at = std::ranges::find_if(m_queue, [&](const auto& each) { return each.id == id; });
    if (at == m_queue.end()
        || (steps < 0 ? std::distance(m_queue.begin(), at) < -steps : std::distance(at, m_queue.end()) <= steps))
        return false;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::pair<quint64, int>> owners;
    for (const QModelIndex& index : before) {
        const Place place = placeOf(index.row());
        owners.emplace_back(place.evaluation->id, int(place.attention));
    }
    if (steps < 0)
        std::rotate(at + steps, at, at + 1);
    else
        std::rotate(at, at + 1, at + 1 + steps);
    QModelIndexList after;
    for (int i = 0; i < before.size(); ++i) {
        const auto& [owner, attention] = owners[size_t(i)];
        after << index(rowOf(owner, attention), before[i].column());
    }
    changePersistentIndexList(before, after);
    emit layoutChanged();
    return true;
}

void QueueModel::change(quint64 id, const std::function<void(QueuedEvaluation&)>& change)
{
    const auto at = std::ranges::find_if(m_queue, [&](const auto& each) { return each.id == id; });
    if (at == m_queue.end())
        return;
    QueuedEvaluation changed = *at;
    change(changed);
    if (changed.plan.attention.size() != at->plan.attention.size()) {
        beginResetModel();
        *at = std::move(changed);
        endResetModel();
        return;
    }
    *at = std::move(changed);
    const int row = rowOf(id), last = row + int(at->plan.attention.size()) - 1;
    if (last >= row)
        emit dataChanged(index(row, 0), index(last, columnCount() - 1));
}

QString QueueModel::timeText(const Place& place) const
{
    const QueuedEvaluation& evaluation = *place.evaluation;
    if ((evaluation.state == QueueState::Ready || evaluation.state == QueueState::Waiting) && evaluation.check) {
        const std::vector<double>& seconds = evaluation.check->estimate.secondsOfAttention;
        if (place.attention < seconds.size() && seconds[place.attention] > 0)
            return remainingText(seconds[place.attention]);
    }
    if (evaluation.state == QueueState::Running && evaluation.progress.secondsLeft)
        return remainingText(*evaluation.progress.secondsLeft);
    return tr(wordsOf(evaluation.state).time);
}

QString QueueModel::note(const Place& place) const
{
    const RunProgress* run = place.run();
    if (run != nullptr && !run->failure.empty())
        return toQt(run->failure);
    if (run != nullptr && run->accuracy.samples > 0)
        return {};
    const QueueState state = place.evaluation->state;
    const bool failed = state == QueueState::Refused || state == QueueState::Failed;
    if (state == QueueState::Running && place.evaluation->plan.features && run == nullptr)
        return tr("Computing features…");
    return failed ? place.evaluation->sentence : tr(wordsOf(state).note);
}

QVariant QueueModel::interval(const Place& place) const
{
    const auto& runs = place.evaluation->progress.runs;
    if (place.run() == nullptr)
        return {};
    const Accuracy& accuracy = place.run()->accuracy;
    if (!accuracy.known())
        return {};
    double low = 1, high = 0;
    for (const RunProgress& run : runs) {
        const auto other = run.accuracy.interval();
        if (run.accuracy.known())
            low = std::min(low, other.low), high = std::max(high, other.high);
    }
    const double margin = std::max(0.02, (high - low) * 0.08);
    const Accuracy& reference = runs.front().accuracy;
    const auto own = accuracy.interval();
    return QVariant::fromValue(Interval{own.low, accuracy.value(), own.high, std::max(0.0, low - margin),
                                        std::min(1.0, high + margin), reference.value(),
                                        place.attention > 0 && reference.known()});
}

QString QueueModel::intervalOf(const Place& place)
{
    return place.evaluation->state == QueueState::Finished ? intervalText(place.run()->accuracy) : tr("so far");
}

QString QueueModel::text(const Place& place, int column) const
{
    const QueuedEvaluation& evaluation = *place.evaluation;
    const Accuracy accuracy = place.run() != nullptr ? place.run()->accuracy : Accuracy{};
    const bool counted = accuracy.samples > 0;
    switch (column) {
    case RunColumn:
        return titleOfSpec(toQt(evaluation.plan.attention[place.attention].canonical()));
    case ProgressColumn:
        return evaluation.total() > 0
                   ? tr("%1 of %2").arg(countText(evaluation.done()), countText(evaluation.total()))
                   : QString();
    case Top1Column:
        return counted ? percentText(accuracy) + QLatin1Char(' ') + intervalOf(place) : note(place);
    case Top5Column:
        return counted ? percentText(accuracy.top5()) : u"—"_s;
    case UnreadableColumn:
        return evaluation.isBegun() ? countText(evaluation.progress.total > 0 ? evaluation.progress.unreadable
                                                : evaluation.stored           ? evaluation.stored->unreadable
                                                                              : 0)
                                    : u"—"_s;
    case TimeColumn:
        return timeText(place);
    default:
        return {};
    }
}

CellModel::Cell QueueModel::cell(int row, int column) const
{
    const Place place = placeOf(row);
    Cell cell{text(place, column)};
    if (column == Top1Column)
        cell.help = note(place);
    if (column == RunColumn)
        cell.help = tr("%1\n%2").arg(toQt(place.evaluation->plan.attention[place.attention].canonical()),
                                     toQt(place.evaluation->plan.folder));
    return cell;
}

QString QueueModel::rowName(int row) const
{
    const Place place = placeOf(row);
    return tr("%1 on %2").arg(text(place, RunColumn), place.evaluation->title());
}

QVariant QueueModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Place place = placeOf(index.row());
    const QueuedEvaluation& evaluation = *place.evaluation;
    const QString spec = toQt(evaluation.plan.attention[place.attention].canonical());
    const bool counted = place.run() != nullptr && note(place).isEmpty();
    switch (role) {
    case EvaluationRole:
        return evaluation.id;
    case AttentionRole:
        return int(place.attention);
    case StateRole:
        return int(evaluation.state);
    case BackendRole: {
        QStringList specs;
        for (const AttentionSpec& each : evaluation.plan.attention)
            specs << toQt(each.canonical());
        return looksOfSpecs(specs)[static_cast<qsizetype>(place.attention)];
    }
    case NameRole:
        return backendOfSpec(spec);
    case SamplesRole: {  // the second line has the network
        const AttentionSpec own = evaluation.plan.attention[place.attention].withCheckpoint({});
        return titleOfSpec(toQt(own.canonical())).mid(backendOfSpec(spec).size()).trimmed();
    }
    case ReferenceRole:
        return place.attention == 0;
    case SecondLineRole: {
        QStringList parts;
        if (!evaluation.plan.further.empty())
            parts << shortCheckpointName(
                toQt(requestFor(evaluation.plan.attention[place.attention], evaluation.plan.networks()).weights));
        if (evaluation.stored && place.attention < evaluation.stored->runs.size())
            parts << weightsText(evaluation.stored->runs[place.attention].weights);
        return (parts << evaluation.title()).join(u" · "_s);
    }
    case PartRole:
        return evaluation.total() > 0 ? double(evaluation.done()) / double(evaluation.total()) : 0.0;
    case ValueRole:
        return counted ? QVariant(percentText(place.run()->accuracy)) : QVariant();
    case IntervalTextRole:
        return counted ? QVariant(intervalOf(place)) : QVariant();
    case IntervalRole:
        return interval(place);
    case DeltaRole:
        if (place.attention == 0 || !counted)
            return {};
        return QVariant::fromValue(deltaOf(place.run()->accuracy, evaluation.progress.runs.front().accuracy,
                                           backendOfSpec(toQt(evaluation.plan.attention.front().canonical()))));
    case NoteRole:
        return index.column() == Top1Column ? note(place) : QString();
    default:
        return CellModel::data(index, role);
    }
}

}

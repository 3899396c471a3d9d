#include "ui/results/runs_model.h"

#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/report/published_accuracy.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace attnscope::ui {

namespace {

QString stateNote(const StoredEvaluation& evaluation)
{
    if (evaluation.state == EvaluationState::Finished)
        return {};
    return RunsModel::tr("%1 of %2").arg(countText(evaluation.done), countText(evaluation.samples));
}

CellModel::Column comparedColumn(const char* key)
{
    CellModel::Column column = measureColumn(measure(key));
    column.help = RunsModel::tr("%1 ≈: no clear difference from the reference.").arg(column.help);
    return column;
}

}

QString whenText(const std::string& iso, const QDateTime& now)
{
    const QDateTime then = QDateTime::fromString(toQt(iso), Qt::ISODate).toUTC().toLocalTime();
    if (!then.isValid())
        return toQt(iso);
    const qint64 days = then.date().daysTo(now.date());
    if (days == 0)
        return RunsModel::tr("today %1").arg(then.toString(u"HH:mm"_s));
    if (days == 1)
        return RunsModel::tr("yesterday");
    if (days > 1 && days < 14)
        return RunsModel::tr("%1 days ago").arg(days);
    return QLocale().toString(then.date(), QLocale::ShortFormat);
}

RunsModel::RunsModel(QObject* parent)
    : CellModel(
        {{tr("Run"), tr("Number in the store. Selected runs are compared side by side.")},
         {tr("Attention")},
         {tr("Weights"),
          tr("trained: weights trained with this attention; swapped: trained with a different one; untrained: "
             "cost is meaningful, accuracy is not.")},
         {tr("Model")},
         {tr("Data")},
         comparedColumn("top1"),
         measureColumn(measure("top5")),
         comparedColumn("latency"),
         comparedColumn("memory"),
         measureColumn(measure("error")),
         {tr("When")},
         {tr("Note"), tr("Your note on the evaluation; press F2 to edit.")}},
        parent)
{}

void RunsModel::setRows(std::vector<ResultRow> rows)
{
    std::vector<const ResultRow*> oldest;
    for (const ResultRow& row : rows)
        oldest.push_back(&row);
    std::ranges::sort(oldest, [](const ResultRow* a, const ResultRow* b) { return a->id() < b->id(); });
    QStringList attentions;
    for (const ResultRow* row : oldest)
        attentions << toQt(row->stored().attention);
    const QStringList looks = looksOfSpecs(attentions);
    m_looks.clear();
    for (qsizetype i = 0; i < looks.size(); ++i)
        m_looks.insert(attentions[i], looks[i]);
    if (!isMerged(rows)) {
        beginResetModel();
        m_rows = std::move(rows);
        place();
        endResetModel();
    }
    for (const int64_t run : QSet<int64_t>(m_ticked))
        if (!m_places.contains(run))
            m_ticked.remove(run);
    if (!m_places.contains(m_reference))
        m_reference = 0;
    if (!m_rows
             .empty())  // notes are told one by one: each that changes is read into the editor that stands over it
        emit dataChanged(index(0, 0), index(rowCount() - 1, NoteColumn - 1));
    emit tickedChanged();
}

void RunsModel::place()
{
    m_places.clear();
    for (size_t i = 0; i < m_rows.size(); ++i)
        m_places.insert(m_rows[i].id(), i);
}

/// Takes rows out and puts rows in, so that views keep what is chosen and what is being typed. False, and nothing is done, where those
/// that stay come in another order.
bool RunsModel::isMerged(const std::vector<ResultRow>& rows)
{
    QSet<int64_t> wanted;
    std::vector<int64_t> stay, kept;
    for (const ResultRow& row : rows) {
        wanted.insert(row.id());
        if (m_places.contains(row.id()))
            stay.push_back(row.id());
    }
    for (const ResultRow& row : m_rows)
        if (wanted.contains(row.id()))
            kept.push_back(row.id());
    if (kept.empty() || kept != stay)
        return false;
    for (size_t last = m_rows.size(); last > 0;) {
        size_t first = last;
        while (first > 0 && !wanted.contains(m_rows[first - 1].id()))
            --first;
        if (first == last) {
            --last;
            continue;
        }
        beginRemoveRows({}, static_cast<int>(first), static_cast<int>(last) - 1);
        m_rows.erase(m_rows.begin() + ptrdiff_t(first), m_rows.begin() + ptrdiff_t(last));
        place();
        endRemoveRows();
        last = first;
    }
    for (size_t i = 0; i < rows.size();) {
        if (i < m_rows.size() && m_rows[i].id() == rows[i].id()) {
            const QString note = text(m_rows[i], NoteColumn);
            m_rows[i] = rows[i];
            if (const QModelIndex changed = index(int(i), NoteColumn); text(rows[i], NoteColumn) != note)
                emit dataChanged(changed, changed);
            ++i;
            continue;
        }
        size_t end = i;
        while (end < rows.size() && !m_places.contains(rows[end].id()))
            ++end;
        beginInsertRows({}, static_cast<int>(i), static_cast<int>(end) - 1);
        m_rows.insert(m_rows.begin() + ptrdiff_t(i), rows.begin() + ptrdiff_t(i), rows.begin() + ptrdiff_t(end));
        place();
        endInsertRows();
        i = end;
    }
    return true;
}

QString RunsModel::look(const ResultRow& row) const
{
    return m_looks.value(toQt(row.stored().attention), toQt(row.stored().backend));
}

const ResultRow* RunsModel::find(int64_t run) const
{
    const auto found = m_places.constFind(run);
    return found == m_places.constEnd() ? nullptr : &m_rows[*found];
}

void RunsModel::setTicked(int64_t run, bool ticked)
{
    if (m_ticked.contains(run) == ticked)
        return;
    ticked ? void(m_ticked.insert(run)) : void(m_ticked.remove(run));
    if (!m_rows.empty())
        emit dataChanged(index(0, RunColumn), index(rowCount() - 1, RunColumn), {Qt::CheckStateRole});
    emit tickedChanged();
}

std::vector<ResultRow> RunsModel::ticked() const
{
    std::vector<ResultRow> out;
    std::ranges::copy_if(m_rows, std::back_inserter(out),
                         [&](const ResultRow& row) { return m_ticked.contains(row.id()); });
    return out;
}

void RunsModel::setReference(int64_t run)
{
    m_reference = run;
    emitAllChanged();
    emit tickedChanged();
}

const ResultRow* RunsModel::referenceOf(const ResultRow& row) const
{
    if (m_reference != 0) {
        const ResultRow* chosen = find(m_reference);
        if (chosen != nullptr && chosen->evaluation->dataHash == row.evaluation->dataHash)
            return chosen->id() == row.id() ? nullptr : chosen;
    }
    const auto& runs = row.evaluation->runs;
    const auto softmax = std::ranges::find_if(runs, [](const StoredRun& run) {
        return run.backend == referenceBackend && isAttentionAlone(run.attention);
    });
    const StoredRun& reference = softmax == runs.end() ? runs.front() : *softmax;
    return reference.id == row.id() ? nullptr : find(reference.id);
}

const Measure* RunsModel::measureOf(int column)
{
    constexpr std::array keys{"top1", "top5", "latency", "memory", "error"};
    return column < Top1Column || column > ErrorColumn ? nullptr : &measure(keys[size_t(column - Top1Column)]);
}

std::optional<double> published(const Measure& measure, const ResultRow& row)
{
    const bool known = measure.key == "top1" && row.stored().weights == WeightsKind::Trained;
    return known ? publishedPercent(row.evaluation->settings.model, row.stored().backend) : std::nullopt;
}

QString RunsModel::text(const ResultRow& row, int column) const
{
    const StoredRun& run = row.stored();
    if (const Measure* measure = measureOf(column)) {
        const auto cell = cellOf(*measure, row.measurements());
        if (cell.text.empty())
            return u"—"_s;
        return column == Top1Column   ? percentText(row.accuracy) + u' ' + halfWidthText(row.accuracy)
               : column == Top5Column ? percentText(row.accuracy.top5())
                                      : translated(cell.text);
    }
    switch (column) {
    case RunColumn:
        return QString::number(run.id);
    case AttentionColumn:
        return titleOfSpec(toQt(run.attention));
    case WeightsColumn:
        return weightsText(run.weights);
    case ModelColumn:
        return toQt(row.evaluation->settings.model);
    case DataColumn: {
        const QString state = stateNote(*row.evaluation), title = dataTitle(toQt(row.evaluation->dataRoot));
        return state.isEmpty() ? title : tr("%1, %2").arg(title, state);
    }
    case WhenColumn:
        return whenText(row.evaluation->changed, QDateTime::currentDateTime());
    case NoteColumn:
        return run.failure.empty() ? toQt(row.evaluation->note) : toQt(run.failure);
    default:
        return {};
    }
}

QVariant RunsModel::sortKey(const ResultRow& row, int column) const
{
    if (const Measure* measure = measureOf(column)) {
        const auto value = measure->of(row.measurements());
        return value ? value->mid : measure->better() == Better::Lower ? 1e300 : -1;
    }
    switch (column) {
    case RunColumn:
        return static_cast<qlonglong>(row.id());
    case WhenColumn:
        return toQt(row.evaluation->changed);
    default:
        return text(row, column).toLower();
    }
}

Delta RunsModel::delta(const ResultRow& row, int column) const
{
    const ResultRow* reference = referenceOf(row);
    if (reference == nullptr)
        return {};
    const QString name = backendOfSpec(toQt(reference->stored().attention));
    if (hasChips(column))
        return difference(*measureOf(column), row.measurements(), reference->measurements(), name);
    return {};
}

QString RunsModel::help(const ResultRow& row, int column) const
{
    if (column == AttentionColumn)
        return toQt(row.stored().attention);
    if (column == DataColumn)
        return toQt(row.evaluation->dataRoot);
    if (column == Top1Column && row.accuracy.samples > 0)
        return tr("%1 of %2 samples, 95 % interval %3; %4 unreadable")
            .arg(countText(row.accuracy.correct), countText(row.accuracy.samples), intervalText(row.accuracy),
                 countText(row.evaluation->unreadable));
    if (column == LatencyColumn && row.stored().latency)
        return tr("median of %1 repetitions, p5–p95 %2")
            .arg(QString::number(row.stored().latency->repetitions),
                 translated(cellOf(measure("latency"), row.measurements()).small));
    if (column == WhenColumn)
        return toQt(row.evaluation->changed);
    const QString shown = text(row, column);
    return shown.size() > 12 ? shown : QString();
}

CellModel::Cell RunsModel::cell(int number, int column) const
{
    const ResultRow& row = m_rows[size_t(number)];
    const QString compared = delta(row, column).spoken;
    Cell cell{text(row, column), {}, {}, look(row), false, false, help(row, column)};
    cell.spoken = tr("run %1, %2: %3").arg(row.id()).arg(m_columns[column].title, cell.text)
                  + (compared.isEmpty() ? QString() : u", "_s + compared);
    return cell;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ResultRow& row = m_rows[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: {
        const QString chip = delta(row, index.column()).text;
        const QString shown = text(row, index.column());
        const bool starred = index.column() == AttentionColumn && referenceOf(row) == nullptr;
        return starred ? shown + u" ★"_s : chip.isEmpty() ? shown : shown + QLatin1Char(' ') + chip;
    }
    case Qt::EditRole:
        return index.column() == NoteColumn ? QVariant(toQt(row.evaluation->note)) : QVariant();
    case Qt::CheckStateRole:
        return index.column() == RunColumn ? QVariant(isTicked(row.id()) ? Qt::Checked : Qt::Unchecked)
                                           : QVariant();
    case SortRole:
        return sortKey(row, index.column());
    case ReferenceRole:
        return referenceOf(row) == nullptr;
    case ValueRole:
        return text(row, index.column());
    case DeltaRole:
        return QVariant::fromValue(delta(row, index.column()));
    default:
        return CellModel::data(index, role);
    }
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid())
        return false;
    const ResultRow& row = m_rows[size_t(index.row())];
    if (role == Qt::CheckStateRole && index.column() == RunColumn) {
        setTicked(row.id(), value.toInt() == Qt::Checked);
        return true;
    }
    if (role != Qt::EditRole || index.column() != NoteColumn)
        return false;
    emit noteEdited(row.evaluation->id, value.toString());
    return true;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.column() == RunColumn)
        flags |= Qt::ItemIsUserCheckable;
    if (index.column() == NoteColumn)
        flags |= Qt::ItemIsEditable;
    return flags;
}

/// Chips stand behind some figures.
QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && hasChips(section) && role == Qt::TextAlignmentRole)
        return int(Qt::AlignCenter);
    return CellModel::headerData(section, orientation, role);
}

RunProxy::RunProxy(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(RunsModel::SortRole);
}

void RunProxy::setFilter(const RunFilter& filter)
{
    m_filter = filter;
    invalidateFilter();
}

bool RunProxy::filterAcceptsRow(int row, const QModelIndex&) const
{
    return m_filter.matches(static_cast<const RunsModel*>(sourceModel())->rows()[size_t(row)]);
}

const ResultRow& RunProxy::row(int proxyRow) const
{
    const auto* model = static_cast<const RunsModel*>(sourceModel());
    return model->rows()[size_t(mapToSource(index(proxyRow, 0)).row())];
}

}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/run_table_model.h"

#include "ui/data/made_with.h"
#include "ui/data/qt_text.h"

#include "core/base/format.h"

#include <QPoint>

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr std::array<Row, rowCount> allRows{Row::Predictions, Row::WholeModel, Row::AttentionOnly, Row::PeakMemory,
                                            Row::RelativeError};

RunStage stageOf(Row row)
{
    switch (row) {
    case Row::Predictions: return RunStage::Predict;
    case Row::WholeModel:
    case Row::AttentionOnly: return RunStage::Latency;
    case Row::PeakMemory: return RunStage::Memory;
    case Row::RelativeError: return RunStage::Error;
    }
    return RunStage::Predict;
}

std::size_t stageIndex(Row row) { return static_cast<std::size_t>(stageOf(row)); }

QString shownFailure(const QString& sentence)
{
    return sentence.contains(QLatin1String("memory"), Qt::CaseInsensitive) ? RunTableModel::tr("Not enough memory")
                                                                          : RunTableModel::tr("Could not run");
}

}  // namespace

RunTableModel::RunTableModel(QObject* parent) : QAbstractTableModel(parent) {}

int RunTableModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ui::rowCount; }

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

const RunTableModel::Result* RunTableModel::resultAt(int input, int id) const
{
    if (input < 0 || input >= static_cast<int>(m_states.size()))
        return nullptr;
    const auto& results = m_states[static_cast<std::size_t>(input)].results;
    const auto found = results.find(id);
    return found == results.end() ? nullptr : &found->second;
}

std::shared_ptr<const RunRecord> RunTableModel::record(int column) const
{
    const Result* found = result(column);
    return found == nullptr ? nullptr : found->record;
}

int RunTableModel::referenceColumn() const
{
    const auto found = std::find_if(m_columns.begin(), m_columns.end(), [](const ColumnSpec& c) { return c.reference; });
    return found == m_columns.end() ? -1 : static_cast<int>(found - m_columns.begin());
}

bool RunTableModel::isUnreadable(int input) const
{
    return input >= 0 && input < static_cast<int>(m_states.size())
           && !m_states[static_cast<std::size_t>(input)].unreadable.isEmpty();
}

InputRecord RunTableModel::inputRecord(int input) const
{
    return input >= 0 && input < static_cast<int>(m_states.size()) ? m_states[static_cast<std::size_t>(input)].record
                                                                   : InputRecord{};
}

CellState RunTableModel::state(Row row, int column) const
{
    const Result* found = result(column);
    return found == nullptr ? CellState::NotRun : found->stages[stageIndex(row)];
}

QString RunTableModel::columnTitle(int column) const
{
    const ColumnSpec& spec = m_columns[static_cast<std::size_t>(column)];
    return spec.samples.isEmpty() ? spec.backend : spec.backend + QLatin1Char(' ') + spec.samples;
}

QString RunTableModel::staleText(int column) const
{
    const Result* found = result(column);
    if (found == nullptr || !found->record || (m_running && found->context == m_runContext))
        return {};
    const QString made = toQt(found->record->attention);
    if (made != m_columns[static_cast<std::size_t>(column)].spec)
        return tr("made with %1").arg(made);
    const RunContext& was = found->context;
    return madeWith(was, m_context, !inputRecord(m_current).views.empty());
}

bool RunTableModel::needsRun() const
{
    for (int column = 0; column < columnCount(); ++column)
        if (result(column) == nullptr || !staleText(column).isEmpty() || state(Row::RelativeError, column) == CellState::Absent)
            return true;
    return false;
}

QVariant RunTableModel::interval(Row row, int column) const
{
    const auto shown = record(column);
    if (!shown || row == Row::Predictions || row == Row::PeakMemory || !figure(row, *shown))
        return {};
    if (row == Row::RelativeError && isExact(*shown))
        return {};
    Interval out;
    const auto own = *bounds(row, *shown);
    out.low = own.first;
    out.high = own.second;
    out.mid = *figure(row, *shown);
    out.scaleLow = own.first;
    out.scaleHigh = own.second;
    for (int other = 0; other < columnCount(); ++other) {
        const auto theirs = record(other) ? bounds(row, *record(other)) : std::nullopt;
        if (!theirs || !std::isfinite(theirs->first) || !std::isfinite(theirs->second))
            continue;
        out.scaleLow = std::min(out.scaleLow, theirs->first);
        out.scaleHigh = std::max(out.scaleHigh, theirs->second);
    }
    if (row == Row::RelativeError)
        out.scaleLow = std::min(0.0, out.scaleLow);
    const int reference = referenceColumn();
    const auto base = reference >= 0 && record(reference) ? figure(row, *record(reference)) : std::nullopt;
    out.hasReference = base && reference != column && row != Row::RelativeError;
    out.reference = base.value_or(0);
    return QVariant::fromValue(out);
}

Delta RunTableModel::delta(Row row, int column) const
{
    const int reference = referenceColumn();
    if (reference < 0 || reference == column)
        return {};
    const auto ours = record(column), theirs = record(reference);
    return ours && theirs ? difference(row, *ours, *theirs, m_columns[static_cast<std::size_t>(reference)].backend) : Delta{};
}

QString RunTableModel::agreement(int column) const
{
    const int reference = referenceColumn();
    if (reference == column)
        return tr("reference");
    if (reference < 0)
        return {};
    int both = 0, agree = 0;
    for (int input = 0; input < static_cast<int>(m_states.size()); ++input) {
        const Result* ours = resultAt(input, m_columns[static_cast<std::size_t>(column)].id);
        const Result* theirs = resultAt(input, m_columns[static_cast<std::size_t>(reference)].id);
        if (ours == nullptr || theirs == nullptr || !ours->record || !theirs->record || ours->record->top.empty()
            || theirs->record->top.empty())
            continue;
        ++both;
        agree += ours->record->top.front().index == theirs->record->top.front().index;
    }
    const QString name = m_columns[static_cast<std::size_t>(reference)].backend;
    if (both > 1)
        return tr("%1 of %2 as %3").arg(agree).arg(both).arg(name);
    if (both == 1)
        return agree == 1 ? tr("same first as %1").arg(name) : tr("not as %1").arg(name);
    return {};
}

QVariant RunTableModel::predictions(int column) const
{
    const auto shown = record(column);
    if (!shown || shown->top.empty())
        return {};
    const int reference = referenceColumn();
    const auto base = reference >= 0 && reference != column ? record(reference) : nullptr;
    PredictionCell cell;
    cell.shown = m_shown;
    cell.hiddenNames = shown->weights == WeightsKind::Untrained;
    cell.footer = agreement(column);
    for (std::size_t i = 0; i < shown->top.size(); ++i) {
        const Prediction& prediction = shown->top[i];
        PredictionLine line{predictionName(prediction, shown->weights), toQt(formatProbability(prediction.probability)),
                            prediction.probability, false};
        line.differs = base && i < base->top.size() && base->top[i].index != prediction.index;
        cell.lines.push_back(line);
    }
    return QVariant::fromValue(cell);
}

QString RunTableModel::note(Row row, int column) const
{
    const auto shown = record(column);
    switch (state(row, column)) {
    case CellState::NotRun: return isUnreadable(m_current) ? tr("not readable") : tr("not run yet");
    case CellState::Waiting:
        if (row == Row::Predictions)
            return tr("waiting for the model");
        if (row == Row::RelativeError)
            return tr("waiting for memory");
        return row == Row::PeakMemory ? tr("waiting for the times") : tr("waiting for predictions");
    case CellState::Measuring: return tr("measuring");
    case CellState::Failed: return shown ? shownFailure(toQt(shown->failure)) : QString();
    case CellState::Absent: return shown && !shown->failure.empty() ? tr("not measured") : tr("stopped before this");
    case CellState::Done: break;
    }
    if (row == Row::RelativeError && shown && isExact(*shown))
        return tr("exact");
    return shown && !figure(row, *shown) ? QStringLiteral("—") : QString();
}

QString RunTableModel::spokenText(Row row, int column) const
{
    const QString head = columnTitle(column) + QStringLiteral(", ") + rowTitle(row) + QStringLiteral(": ");
    const auto shown = record(column);
    if (state(row, column) != CellState::Done || !shown || !figure(row, *shown))
        return head + note(row, column);
    if (row == Row::Predictions) {
        QStringList lines;
        for (const PredictionLine& line : predictions(column).value<PredictionCell>().lines)
            lines << (line.differs ? tr("%1 %2, differs").arg(line.name, line.probabilityText)
                                   : line.name + QLatin1Char(' ') + line.probabilityText);
        return head + lines.join(QStringLiteral("; "));
    }
    QString text = isExact(*shown) && row == Row::RelativeError ? tr("exact")
                                                               : valueText(row, *shown) + QLatin1Char(' ') + unitText(row, *shown);
    const Delta difference = delta(row, column);
    if (!difference.spoken.isEmpty())
        text += QStringLiteral(", ") + difference.spoken;
    if (row == Row::RelativeError)
        text += largestErrorText(*shown);
    const QString stale = staleText(column);
    return head + text + (stale.isEmpty() ? QString() : QStringLiteral(", ") + stale);
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row row = allRows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    const auto shown = record(column);
    const bool filled = shown && state(row, column) == CellState::Done && figure(row, *shown);
    switch (role) {
    case StateRole: return static_cast<int>(state(row, column));
    case NoteRole: return note(row, column);
    case StaleRole: return staleText(column);
    case Qt::AccessibleTextRole: return spokenText(row, column);
    case DetailRole: return shown ? toQt(shown->failure) : QString();
    case DeltaRole: return QVariant::fromValue(filled ? delta(row, column) : Delta{});
    case IntervalRole: return filled ? interval(row, column) : QVariant();
    case PredictionsRole: return filled && row == Row::Predictions ? predictions(column) : QVariant();
    case ValueRole: return filled ? valueText(row, *shown) : QString();
    case UnitRole: return filled ? unitText(row, *shown) : QString();
    case RawRole: return filled ? QVariant(*figure(row, *shown)) : QVariant();
    case ProgressRole: {
        const Result* found = result(column);
        if (found == nullptr)
            return {};
        const Progress& progress = found->progress[stageIndex(row)];
        return QPoint(static_cast<int>(progress.done), static_cast<int>(progress.total));
    }
    case Qt::DisplayRole:
        if (!filled)
            return note(row, column);
        if (row == Row::Predictions)
            return predictionName(shown->top.front(), shown->weights) + QLatin1Char(' ')
                   + toQt(formatProbability(shown->top.front().probability));
        return isExact(*shown) && row == Row::RelativeError
                   ? tr("exact") : (valueText(row, *shown) + QLatin1Char(' ') + unitText(row, *shown)).trimmed();
    case Qt::ToolTipRole:
        return state(row, column) == CellState::Failed ? toQt(shown->failure) : spokenText(row, column);
    default: return columnData(column, role);
    }
}

QVariant RunTableModel::columnData(int column, int role) const
{
    const ColumnSpec& spec = m_columns[static_cast<std::size_t>(column)];
    const auto shown = record(column);
    switch (role) {
    case NameRole:
    case BackendRole: return spec.backend;
    case SamplesRole: return spec.samples;
    case ReferenceRole: return spec.reference;
    case SpecRole: return spec.spec;
    case IdRole: return spec.id;
    case WeightsRole: return shown ? weightsWord(shown->weights) : QString();
    default: return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole && section >= 0 && section < ui::rowCount
                   ? QVariant(rowTitle(allRows[static_cast<std::size_t>(section)])) : QVariant();
    if (section < 0 || section >= columnCount())
        return {};
    if (role == Qt::DisplayRole)
        return columnTitle(section);
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return columnData(section, SpecRole).toString()
               + (m_columns[static_cast<std::size_t>(section)].reference ? tr(", reference") : QString());
    return columnData(section, role);
}

void RunTableModel::changed(int column)
{
    emit dataChanged(index(0, column), index(ui::rowCount - 1, column));
}

void RunTableModel::reorder(const std::vector<ColumnSpec>& columns)
{
    if (columns == m_columns)
        return;
    beginResetModel();
    m_columns = columns;
    endResetModel();
    emit figuresChanged();
}

void RunTableModel::arrange()
{
    std::vector<ColumnSpec> columns = m_columns;
    if (m_sorted) {
        const auto key = [this](const ColumnSpec& spec) -> std::optional<double> {
            const Result* found = resultAt(m_current, spec.id);
            return found != nullptr && found->record ? figure(*m_sorted, *found->record) : std::nullopt;
        };
        std::stable_sort(columns.begin(), columns.end(), [&](const ColumnSpec& a, const ColumnSpec& b) {
            const auto x = key(a), y = key(b);
            if (!x || !y)
                return x.has_value() > y.has_value();
            return m_sortOrder == Qt::AscendingOrder ? *x < *y : *x > *y;
        });
    }
    if (m_pinned)
        std::stable_partition(columns.begin(), columns.end(), [](const ColumnSpec& spec) { return spec.reference; });
    reorder(columns);
}

void RunTableModel::setColumns(const std::vector<ColumnSpec>& columns)
{
    // Where the user sorted or dragged, columns keep their place and new ones follow in the dock's order.
    const auto place = [this](int id) {
        const auto found = std::find_if(m_columns.begin(), m_columns.end(), [id](const ColumnSpec& c) { return c.id == id; });
        return found - m_columns.begin();
    };
    std::vector<ColumnSpec> next = columns;
    if (m_moved || m_sorted)
        std::stable_sort(next.begin(), next.end(), [&](const ColumnSpec& a, const ColumnSpec& b) { return place(a.id) < place(b.id); });
    if (m_pinned)
        std::stable_partition(next.begin(), next.end(), [](const ColumnSpec& spec) { return spec.reference; });
    const bool sameIds = next.size() == m_columns.size()
                         && std::equal(next.begin(), next.end(), m_columns.begin(),
                                       [](const ColumnSpec& a, const ColumnSpec& b) { return a.id == b.id; });
    if (!sameIds) {
        reorder(next);
        return;
    }
    if (next == m_columns)
        return;
    m_columns = next;
    if (columnCount() > 0) {
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
    emit figuresChanged();
}

void RunTableModel::setContext(const RunContext& context)
{
    if (context == m_context)
        return;
    m_context = context;
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    emit figuresChanged();
}

void RunTableModel::setInputs(const std::vector<InputEntry>& inputs)
{
    beginResetModel();
    m_inputs = inputs;
    m_states.assign(inputs.size(), {});
    m_current = inputs.empty() ? -1 : 0;
    endResetModel();
    emit inputsReplaced();
    emit currentInputChanged(m_current);
    emit figuresChanged();
}

void RunTableModel::appendInputs(const std::vector<InputEntry>& inputs)
{
    m_inputs.insert(m_inputs.end(), inputs.begin(), inputs.end());
    m_states.resize(m_inputs.size());
    if (m_current < 0 && !m_inputs.empty())
        setCurrentInput(0);
    emit figuresChanged();
}

void RunTableModel::setCurrentInput(int input)
{
    if (input < 0 || input >= static_cast<int>(m_inputs.size()) || input == m_current)
        return;
    m_current = input;
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    arrange();
    emit currentInputChanged(m_current);
    emit figuresChanged();
}

void RunTableModel::setShownPredictions(int count)
{
    m_shown = count;
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(0, columnCount() - 1));
}

void RunTableModel::beginRun(const std::vector<int>& columnIds, const std::vector<int>& inputs)
{
    m_running = true;
    m_runContext = m_context;
    m_runColumns = columnIds;
    m_runInputs = inputs;
    for (const int input : inputs) {
        InputState& state = m_states[static_cast<std::size_t>(input)];
        state.unreadable.clear();
        for (const int id : columnIds) {
            Result& result = state.results[id];
            result = {};
            result.context = m_context;
            result.stages.fill(CellState::Waiting);
        }
    }
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    emit figuresChanged();
}

void RunTableModel::takeInput(std::size_t input, const InputRecord& record)
{
    if (input >= m_runInputs.size())
        return;
    m_states[static_cast<std::size_t>(m_runInputs[input])].record = record;
    emit figuresChanged();
}

void RunTableModel::takeRun(std::size_t input, std::size_t run, RunStage stage, std::shared_ptr<const RunRecord> record)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[static_cast<std::size_t>(m_runInputs[input])].results[m_runColumns[run]];
    const bool failed = !record->failure.empty();
    result.record = std::move(record);
    const auto reached = static_cast<std::size_t>(stage);
    result.stages[reached] = failed ? CellState::Failed : CellState::Done;
    for (std::size_t later = reached + 1; failed && later < result.stages.size(); ++later)
        result.stages[later] = CellState::Absent;
    for (int column = 0; column < columnCount(); ++column)
        changed(column);  // scales and agreement counts of all columns depend on it
    if (m_sorted)
        arrange();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    emit figuresChanged();
}

void RunTableModel::takeView(std::size_t input, std::size_t run, std::shared_ptr<const RunRecord> record)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[static_cast<std::size_t>(m_runInputs[input])].results[m_runColumns[run]];
    result.record = std::move(record);
    result.stages[static_cast<std::size_t>(RunStage::Predict)] = CellState::Measuring;
    emit figuresChanged();
}

void RunTableModel::takeProgress(std::size_t input, std::size_t run, RunStage stage, const Progress& progress)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[static_cast<std::size_t>(m_runInputs[input])].results[m_runColumns[run]];
    const auto index = static_cast<std::size_t>(stage);
    if (result.stages[index] == CellState::Waiting)
        result.stages[index] = CellState::Measuring;
    result.progress[index] = progress;
    for (int column = 0; column < columnCount(); ++column)
        if (m_columns[static_cast<std::size_t>(column)].id == m_runColumns[run])
            changed(column);
}

void RunTableModel::takeUnreadable(const QString& path, const QString& reason)
{
    for (std::size_t i = 0; i < m_inputs.size(); ++i)
        if (m_inputs[i].path == path) {
            m_states[i].unreadable = reason;
            m_states[i].results.clear();
        }
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    emit figuresChanged();
}

void RunTableModel::endRun()
{
    m_running = false;
    for (InputState& state : m_states)
        for (auto& [id, result] : state.results)
            for (CellState& stage : result.stages)
                if (stage == CellState::Waiting || stage == CellState::Measuring)
                    stage = CellState::Absent;
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    emit figuresChanged();
}

void RunTableModel::sortByRow(Row row, Qt::SortOrder order)
{
    m_sorted = row;
    m_sortOrder = order;
    arrange();
    emit figuresChanged();
}

void RunTableModel::moveColumn(int from, int to)
{
    if (from == to || from < 0 || to < 0 || from >= columnCount() || to >= columnCount())
        return;
    m_sorted.reset();
    m_moved = true;
    std::vector<ColumnSpec> columns = m_columns;
    const ColumnSpec moved = columns[static_cast<std::size_t>(from)];
    columns.erase(columns.begin() + from);
    columns.insert(columns.begin() + to, moved);
    if (m_pinned)
        std::stable_partition(columns.begin(), columns.end(), [](const ColumnSpec& spec) { return spec.reference; });
    reorder(columns);
}

void RunTableModel::setReferencePinned(bool pinned)
{
    m_pinned = pinned;
    arrange();
}

}  // namespace attnscope::ui

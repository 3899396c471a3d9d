#include "ui/compare/table/run_table_model.h"

#include "ui/style/qt_text.h"

#include <algorithm>
#include <iterator>

namespace attnscope::ui {

RunTableModel::RunTableModel(QObject* parent)
    : QAbstractTableModel(parent)
{}

int RunTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ui::rowCount;
}

int RunTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

const RunTableModel::Result* RunTableModel::resultAt(int input, int id) const
{
    if (input < 0 || input >= int(m_states.size()))
        return nullptr;
    const auto& results = m_states[size_t(input)].results;
    const auto found = results.find(id);
    return found == results.end() ? nullptr : &found->second;
}

std::shared_ptr<const RunRecord> RunTableModel::recordOf(int input, int column) const
{
    const Result* found = resultAt(input, m_columns[size_t(column)].id);
    return found == nullptr ? nullptr : found->record;
}

int RunTableModel::referenceColumn() const
{
    const auto found = std::ranges::find_if(m_columns, [](const ColumnSpec& c) { return c.reference; });
    return found == m_columns.end() ? -1 : int(found - m_columns.begin());
}

bool RunTableModel::anyRecord() const
{
    return std::ranges::any_of(m_columns, [this](const ColumnSpec& column) {
        const Result* found = resultAt(m_current, column.id);
        return found != nullptr && found->record;
    });
}

bool RunTableModel::anyFeatures() const
{
    return std::ranges::any_of(m_columns, [this](const ColumnSpec& column) {
        const Result* found = resultAt(m_current, column.id);
        return found != nullptr && found->record && found->record->featureDrift;
    });
}

bool RunTableModel::isUnreadable(int input) const
{
    return input >= 0 && input < int(m_states.size()) && !m_states[size_t(input)].unreadable.isEmpty();
}

InputRecord RunTableModel::inputRecord(int input) const
{
    return input >= 0 && input < int(m_states.size()) ? m_states[size_t(input)].record : InputRecord{};
}

void RunTableModel::changed(int column)
{
    emit dataChanged(index(0, column), index(ui::rowCount - 1, column));
}

void RunTableModel::reorder(const std::vector<ColumnSpec>& columns)
{
    if (columns == m_columns)
        return;
    const auto idOf = [](const ColumnSpec& spec) { return spec.id; };
    std::vector<int> before, after;
    std::ranges::transform(m_columns, std::back_inserter(before), idOf);
    std::ranges::transform(columns, std::back_inserter(after), idOf);
    if (!std::ranges::is_permutation(before, after)) {
        beginResetModel();
        m_columns = columns;
        endResetModel();
        emit figuresChanged();
        return;
    }
    // The same columns at other places: what views have chosen goes with its column.
    emit layoutAboutToBeChanged({}, QAbstractItemModel::HorizontalSortHint);
    const QModelIndexList held = persistentIndexList();
    QModelIndexList moved;
    m_columns = columns;
    for (const QModelIndex& each : held) {
        const auto place = std::ranges::find(after, before[size_t(each.column())]);
        moved << index(each.row(), int(place - after.begin()));
    }
    changePersistentIndexList(held, moved);
    emit layoutChanged({}, QAbstractItemModel::HorizontalSortHint);
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    emit figuresChanged();
}

void RunTableModel::arrange()
{
    std::vector<ColumnSpec> columns = m_columns;
    if (m_sorted) {
        const auto key = [this](const ColumnSpec& spec) {
            const Result* found = resultAt(m_current, spec.id);
            return found != nullptr && found->record ? figure(*m_sorted, *found->record) : std::nullopt;
        };
        std::ranges::stable_sort(columns, [&](const ColumnSpec& a, const ColumnSpec& b) {
            const auto x = key(a), y = key(b);
            if (!x || !y)
                return x.has_value() > y.has_value();
            return m_sortOrder == Qt::AscendingOrder ? x->mid < y->mid : x->mid > y->mid;
        });
    }
    if (m_pinned)
        std::ranges::stable_partition(columns, [](const ColumnSpec& spec) { return spec.reference; }).begin();
    reorder(columns);
}

void RunTableModel::setColumns(const std::vector<ColumnSpec>& columns)
{
    // Where the user sorted or dragged, columns keep their place and new ones follow in the dock's order.
    const auto place = [this](int id) {
        const auto found = std::ranges::find_if(m_columns, [id](const ColumnSpec& c) { return c.id == id; });
        return found - m_columns.begin();
    };
    std::vector<ColumnSpec> next = columns;
    if (m_moved || m_sorted)
        std::ranges::stable_sort(
            next, [&](const ColumnSpec& a, const ColumnSpec& b) { return place(a.id) < place(b.id); });
    if (m_pinned)
        std::ranges::stable_partition(next, [](const ColumnSpec& spec) { return spec.reference; }).begin();
    const bool sameIds = next.size() == m_columns.size()
                         && std::equal(next.begin(), next.end(), m_columns.begin(),
                                       [](const ColumnSpec& a, const ColumnSpec& b) { return a.id == b.id; });
    if (!sameIds) {
        reorder(next);
        return;
    }
    if (next == m_columns)
        return;
    m_columns = std::move(next);
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
    changedEverywhere();
}

void RunTableModel::setEffort(const RunEffort& effort)
{
    if (effort == m_effort)
        return;
    m_effort = effort;
    changedEverywhere();
}

void RunTableModel::changedEverywhere()
{
    if (columnCount() > 0)
        emit dataChanged(index(0, 0), index(ui::rowCount - 1, columnCount() - 1));
    emit figuresChanged();
}

void RunTableModel::setInputs(const std::vector<InputEntry>& inputs)
{
    beginResetModel();
    m_inputs = inputs;
    m_states.assign(inputs.size(), {});
    m_agreement.clear();
    ++m_runNumber;
    m_current = inputs.empty() ? -1 : 0;
    endResetModel();
    emit currentInputChanged(m_current);
    emit figuresChanged();
}

void RunTableModel::setCurrentInput(int input)
{
    if (input < 0 || input >= int(m_inputs.size()) || input == m_current)
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

void RunTableModel::setSubject(Subject subject)
{
    if (subject == m_subject)
        return;
    m_subject = subject;
    if (m_sorted == Row::Predictions || m_sorted == Row::Features)
        m_sorted.reset();
    emit headerDataChanged(Qt::Vertical, 0, 0);
    changedEverywhere();
}

void RunTableModel::takeAgreement(std::vector<FeatureAgreement> agreement)
{
    m_agreement = std::move(agreement);
    changedEverywhere();
}

std::vector<InputRecord> RunTableModel::featureRecords() const
{
    std::vector<InputRecord> records;
    for (const InputState& state : m_states) {
        InputRecord& record = records.emplace_back();
        for (const ColumnSpec& column : m_columns)
            if (const auto found = state.results.find(column.id);
                found != state.results.end() && found->second.record && found->second.record->featureDrift) {
                RunRecord& run = record.runs.emplace_back();
                run.attention = found->second.record->attention;
                run.featureDrift = found->second.record->featureDrift;
            }
    }
    return records;
}

const FeatureAgreement* RunTableModel::agreementOf(int column) const
{
    const auto shown = record(column);
    if (!shown)
        return nullptr;
    const auto found = std::ranges::find(m_agreement, shown->attention, &FeatureAgreement::attention);
    return found == m_agreement.end() ? nullptr : &*found;
}

void RunTableModel::beginRun(const std::vector<int>& columnIds, const std::vector<int>& inputs)
{
    m_running = true;
    m_runEffort = m_effort;
    m_runColumns = columnIds;
    m_runInputs = inputs;
    m_agreement.clear();
    ++m_runNumber;
    for (const int input : inputs) {
        InputState& state = m_states[size_t(input)];
        state.unreadable.clear();
        for (const int id : columnIds) {
            Result& result = state.results[id];
            result = {};
            const auto column = std::ranges::find(m_columns, id, &ColumnSpec::id);
            result.context = column == m_columns.end() ? m_context : column->context(m_context);
            result.effort = m_effort;
            result.run = m_runNumber;
            result.stages.fill(CellState::Waiting);
        }
    }
    changedEverywhere();
}

void RunTableModel::takeInput(size_t input, const InputRecord& record)
{
    if (input >= m_runInputs.size())
        return;
    m_states[size_t(m_runInputs[input])].record = record;
    emit figuresChanged();
}

void RunTableModel::takeRun(size_t input, size_t run, RunStage stage, std::shared_ptr<const RunRecord> record)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[size_t(m_runInputs[input])].results[m_runColumns[run]];
    const bool failed = !record->failure.empty();
    result.record = std::move(record);
    for (CellState& other : result.stages)
        if (failed && other != CellState::Done)
            other = CellState::Absent;
    result.stages[size_t(stage)] = failed ? CellState::Failed : CellState::Done;
    for (int column = 0; column < columnCount(); ++column)
        changed(column);  // scales and agreement counts of all columns depend on it
    if (m_sorted)
        arrange();
    if (columnCount() > 0)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    emit figuresChanged();
}

void RunTableModel::takeView(size_t input, size_t run, std::shared_ptr<const RunRecord> record)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[size_t(m_runInputs[input])].results[m_runColumns[run]];
    result.record = std::move(record);
    result.stages[size_t(RunStage::Predict)] = CellState::Measuring;
    changedEverywhere();  // agreement counts of all columns depend on it
}

void RunTableModel::takeProgress(size_t input, size_t run, RunStage stage, const Progress& progress)
{
    if (input >= m_runInputs.size() || run >= m_runColumns.size())
        return;
    Result& result = m_states[size_t(m_runInputs[input])].results[m_runColumns[run]];
    const auto index = size_t(stage);
    if (result.stages[index] == CellState::Waiting)
        result.stages[index] = CellState::Measuring;
    result.progress[index] = progress;
    for (int column = 0; column < columnCount(); ++column)
        if (m_columns[size_t(column)].id == m_runColumns[run])
            changed(column);
}

/// In forward passes, as far as they can be foreseen: every round of timing is one.
RunTableModel::Work RunTableModel::work() const
{
    const double error = 3.0 * m_runEffort.seeds;  // with and without the others' errors, and behind each block
    Work work;
    for (const int input : m_runInputs) {
        const InputState& state = m_states[size_t(input)];
        for (const int id : m_runColumns) {
            const auto result = state.results.find(id);
            const double views = result == state.results.end()
                                     ? 1
                                     : std::max<double>(1, double(result->second.progress[0].total));
            const std::array<double, 4> passes{views, double(m_runEffort.repetitions), 1, error};  // by RunStage
            for (size_t stage = 0; stage < passes.size(); ++stage) {
                const bool under = result != state.results.end()
                                   && (result->second.stages[stage] == CellState::Waiting
                                       || result->second.stages[stage] == CellState::Measuring);
                const Progress progress = under ? result->second.progress[stage] : Progress{};
                const double done = !under               ? 1
                                    : progress.total > 0 ? double(progress.done) / double(progress.total)
                                                         : 0;
                work.total += passes[stage];
                work.done += passes[stage] * done;
            }
        }
    }
    return work;
}

void RunTableModel::takeUnreadable(const QString& path, const QString& reason)
{
    for (size_t i = 0; i < m_inputs.size(); ++i)
        if (m_inputs[i].path == path) {
            m_states[i].unreadable = reason;
            m_states[i].results.clear();
            m_states[i].record = {};
        }
    changedEverywhere();
}

void RunTableModel::endRun()
{
    m_running = false;
    for (InputState& state : m_states)
        for (auto& [id, result] : state.results)
            for (CellState& stage : result.stages)
                if (stage == CellState::Waiting || stage == CellState::Measuring)
                    stage = CellState::Absent;
    changedEverywhere();
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
    const ColumnSpec moved = columns[size_t(from)];
    columns.erase(columns.begin() + from);
    columns.insert(columns.begin() + to, moved);
    if (m_pinned)
        std::ranges::stable_partition(columns, [](const ColumnSpec& spec) { return spec.reference; }).begin();
    reorder(columns);
}

void RunTableModel::setReferencePinned(bool pinned)
{
    m_pinned = pinned;
    arrange();
}

}

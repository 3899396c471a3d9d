#include "ui/compare/table/views_model.h"

#include "ui/compare/table/run_table_model.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

/// What the view gives the class that the mean of all views puts first.
std::optional<double> sharedProbability(const RunRecord& record, int view)
{
    if (record.top.empty() || view < 0 || view >= int(record.views.size()))
        return std::nullopt;
    const std::vector<float>& probabilities = record.views[size_t(view)].probabilities;
    const auto index = size_t(record.top.front().index);
    return index < probabilities.size() ? std::optional<double>(probabilities[index]) : std::nullopt;
}

bool differs(const RunRecord& record, int view)
{
    const auto& top = record.views[size_t(view)].top;
    return !top.empty() && top.front().index != record.top.front().index;
}

QString outcome(const Prediction& prediction, WeightsKind weights)
{
    return predictionName(prediction, weights) + QLatin1Char(' ')
           + toQt(formatProbability(prediction.probability));
}

}

ViewsModel::ViewsModel(const RunTableModel& runs, QObject* parent)
    : CellModel({}, parent)
    , m_runs(runs)
{
    connect(&runs, &RunTableModel::figuresChanged, this, &ViewsModel::refresh);
    connect(&runs, &QAbstractItemModel::modelReset, this, &ViewsModel::refresh);
    refresh();
}

void ViewsModel::refresh()
{
    InputRecord input = m_runs.inputRecord(m_runs.currentInput());
    const bool sameShape = input.path == m_input.path && input.views.size() == m_input.views.size();
    input.runs.clear();
    std::vector<int> backends;
    for (int column = 0; column < m_runs.columnCount(); ++column)
        backends.push_back(m_runs.column(column).id);
    if (sameShape && backends == m_backends) {
        take(std::move(input));
        return emitAllChanged();
    }
    if (sameShape && std::ranges::is_permutation(backends, m_backends)) {
        emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        const QModelIndexList held = persistentIndexList();
        QModelIndexList moved;
        for (const QModelIndex& each : held) {
            const auto place = std::ranges::find(backends, m_backends[size_t(each.row())]);
            moved << index(int(place - backends.begin()), each.column());
        }
        take(std::move(input));
        m_backends = std::move(backends);
        changePersistentIndexList(held, moved);
        emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
        return;
    }
    beginResetModel();
    take(std::move(input));
    m_backends = std::move(backends);
    endResetModel();
}

void ViewsModel::take(InputRecord input)
{
    m_input = std::move(input);
    m_columns.clear();
    if (any())
        m_columns = {{tr("Backend")}, {tr("Mean")}};
    for (int view = 0; view < views(); ++view) {
        const ViewPlan& plan = m_input.views[size_t(view)];
        m_columns << CellModel::Column{plan.crop == 0 ? QString::number(plan.clip + 1) : QString(), title(view)};
    }
}

int ViewsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !any() ? 0 : int(m_backends.size());
}

QString ViewsModel::cropName(int view) const
{
    const int64_t crop = m_input.views[size_t(view)].crop;
    if (m_input.grid.crops == 1 || crop == 1)
        return tr("centre crop");
    const bool wide = m_input.width >= m_input.height;
    if (crop == 0)
        return wide ? tr("left crop") : tr("top crop");
    return wide ? tr("right crop") : tr("bottom crop");
}

QString ViewsModel::title(int view) const
{
    if (view < 0 || view >= views())
        return {};
    const ViewPlan& plan = m_input.views[size_t(view)];
    QString text = tr("clip %1 of %2, %3").arg(plan.clip + 1).arg(m_input.grid.clips).arg(cropName(view));
    if (plan.seconds.size() == 1)
        text += tr(", at %1 s").arg(plan.seconds.front(), 0, 'f', 1);
    else if (!plan.seconds.empty())
        text += tr(", %1 s to %2 s").arg(plan.seconds.front(), 0, 'f', 1).arg(plan.seconds.back(), 0, 'f', 1);
    return text;
}

CellModel::Cell ViewsModel::cell(int row, int column) const
{
    Cell cell;
    if (row >= m_runs.columnCount())
        return cell;
    cell.backend = m_runs.column(row).lookKey();
    const auto record = m_runs.record(row);
    const int view = column - FirstView;
    if (column == NameColumn) {
        cell.text = cell.spoken = m_runs.columnTitle(row);
    } else if (column == MeanColumn && (!record || record->top.empty())) {
        cell.text = !record ? tr("not run yet") : record->failure.empty() ? QString() : tr("could not run");
    } else if (column == MeanColumn) {
        cell.text = outcome(record->top.front(), record->weights);
        cell.fraction = record->top.front().probability;
        cell.help = cell.spoken = tr("mean over the views: %1").arg(cell.text);
    } else if (const auto probability = record ? sharedProbability(*record, view) : std::nullopt) {
        cell.text = toQt(formatProbability(*probability));
        cell.fraction = probability;
        cell.differs = differs(*record, view);
        cell.help =
            tr("%1: %2 %3").arg(title(view), predictionName(record->top.front(), record->weights), cell.text);
        if (cell.differs)
            cell.help +=
                tr(", but top-1 is %1").arg(outcome(record->views[size_t(view)].top.front(), record->weights));
        cell.spoken = cell.help;
    } else {
        cell.spoken = tr("%1: not predicted yet").arg(title(view));
    }
    return cell;
}

QVariant ViewsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return CellModel::headerData(section, orientation, role == Qt::AccessibleTextRole ? Qt::ToolTipRole : role);
}

}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/views_model.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/run_table_model.h"

#include "core/base/format.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

/// What the view gives the class that the mean of all views puts first.
std::optional<double> sharedProbability(const RunRecord& record, int view)
{
    if (record.top.empty() || view < 0 || view >= static_cast<int>(record.views.size()))
        return std::nullopt;
    const std::vector<float>& probabilities = record.views[static_cast<std::size_t>(view)].probabilities;
    const auto index = static_cast<std::size_t>(record.top.front().index);
    return index < probabilities.size() ? std::optional<double>(probabilities[index]) : std::nullopt;
}

bool differs(const RunRecord& record, int view)
{
    const auto& top = record.views[static_cast<std::size_t>(view)].top;
    return !top.empty() && top.front().index != record.top.front().index;
}

QString outcome(const Prediction& prediction, WeightsKind weights)
{
    return predictionName(prediction, weights) + QLatin1Char(' ') + toQt(formatProbability(prediction.probability));
}

}  // namespace

ViewsModel::ViewsModel(const RunTableModel& runs, QObject* parent)
    : QAbstractTableModel(parent), m_runs(runs)
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
        m_input = std::move(input);
        if (any() && rowCount() > 0)
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    if (sameShape && std::is_permutation(backends.begin(), backends.end(), m_backends.begin(), m_backends.end())) {
        emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        const QModelIndexList held = persistentIndexList();
        QModelIndexList moved;
        for (const QModelIndex& each : held) {
            const auto place = std::find(backends.begin(), backends.end(), m_backends[static_cast<std::size_t>(each.row())]);
            moved << index(static_cast<int>(place - backends.begin()), each.column());
        }
        m_input = std::move(input);
        m_backends = std::move(backends);
        changePersistentIndexList(held, moved);
        emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
        return;
    }
    beginResetModel();
    m_input = std::move(input);
    m_backends = std::move(backends);
    endResetModel();
}

int ViewsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() || !any() ? 0 : static_cast<int>(m_backends.size()); }

int ViewsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() || !any() ? 0 : FirstView + views(); }

QString ViewsModel::cropName(int view) const
{
    const std::int64_t crop = m_input.views[static_cast<std::size_t>(view)].crop;
    if (m_input.grid.crops == 1)
        return tr("centre crop");
    const bool wide = m_input.width >= m_input.height;
    if (crop == 1)
        return tr("centre crop");
    if (crop == 0)
        return wide ? tr("left crop") : tr("top crop");
    return wide ? tr("right crop") : tr("bottom crop");
}

QString ViewsModel::title(int view) const
{
    if (view < 0 || view >= views())
        return {};
    const ViewPlan& plan = m_input.views[static_cast<std::size_t>(view)];
    QString text = tr("clip %1 of %2, %3").arg(plan.clip + 1).arg(m_input.grid.clips).arg(cropName(view));
    if (plan.seconds.size() == 1)
        text += tr(", at %1 s").arg(plan.seconds.front(), 0, 'f', 1);
    else if (!plan.seconds.empty())
        text += tr(", %1 s to %2 s").arg(plan.seconds.front(), 0, 'f', 1).arg(plan.seconds.back(), 0, 'f', 1);
    return text;
}

QVariant ViewsModel::meanData(const RunRecord& record, int role) const
{
    if (record.top.empty())
        return role == Qt::DisplayRole && !record.failure.empty() ? QVariant(tr("could not run")) : QVariant();
    switch (role) {
    case Qt::DisplayRole: return outcome(record.top.front(), record.weights);
    case ProbabilityRole: return record.top.front().probability;
    case DiffersRole: return false;
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole:
        return tr("mean over the views: %1").arg(outcome(record.top.front(), record.weights));
    default: return {};
    }
}

QVariant ViewsModel::viewData(const RunRecord& record, int view, int role) const
{
    const auto probability = sharedProbability(record, view);
    if (!probability)
        return role == Qt::AccessibleTextRole ? QVariant(tr("%1: not predicted yet").arg(title(view))) : QVariant();
    switch (role) {
    case Qt::DisplayRole: return toQt(formatProbability(*probability));
    case ProbabilityRole: return *probability;
    case DiffersRole: return differs(record, view);
    case Qt::ToolTipRole:
    case Qt::AccessibleTextRole: {
        QString text = tr("%1: %2 %3").arg(title(view), predictionName(record.top.front(), record.weights),
                                          toQt(formatProbability(*probability)));
        if (differs(record, view))
            text += tr(", but top-1 is %1").arg(outcome(record.views[static_cast<std::size_t>(view)].top.front(), record.weights));
        return text;
    }
    default: return {};
    }
}

QVariant ViewsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_runs.columnCount())
        return {};
    if (role == BackendRole)
        return m_runs.column(index.row()).lookKey();
    if (index.column() == NameColumn)
        return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? QVariant(m_runs.columnTitle(index.row())) : QVariant();
    const auto record = m_runs.record(index.row());
    if (!record)
        return role == Qt::DisplayRole && index.column() == MeanColumn ? QVariant(tr("not run yet")) : QVariant();
    return index.column() == MeanColumn ? meanData(*record, role) : viewData(*record, index.column() - FirstView, role);
}

QVariant ViewsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount())
        return {};
    if (section == NameColumn)
        return role == Qt::DisplayRole ? QVariant(tr("Backend")) : QVariant();
    if (section == MeanColumn)
        return role == Qt::DisplayRole ? QVariant(tr("Mean")) : QVariant();
    const int view = section - FirstView;
    if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
        return title(view);
    if (role != Qt::DisplayRole)
        return {};
    const ViewPlan& plan = m_input.views[static_cast<std::size_t>(view)];
    return plan.crop == 0 ? QVariant(QString::number(plan.clip + 1)) : QVariant();
}

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_table.h"

#include <utility>

namespace attnscope::ui {

CellTable::CellTable(QObject* parent)
    : QAbstractTableModel(parent)
{}

int CellTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int CellTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

void CellTable::setTable(QList<Column> columns, QList<Row> rows)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = std::move(rows);
    endResetModel();
}

QVariant CellTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row& row = m_rows[index.row()];
    if (role == KeyRole)
        return row.key;
    if (index.column() >= row.cells.size())
        return {};
    const Cell& cell = row.cells[index.column()];
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case SortRole:
        return cell.sort.isValid() ? cell.sort : QVariant(cell.text.toLower());
    case FractionRole:
        return cell.fraction ? QVariant(*cell.fraction) : QVariant();
    case BackendRole:
        return cell.backend;
    case MarkRole:
        return cell.mark;
    case DimRole:
        return cell.dim;
    case Qt::ToolTipRole:
        return cell.help.isEmpty() ? QVariant() : QVariant(cell.help);
    case Qt::TextAlignmentRole:
        return static_cast<int>((m_columns[index.column()].number ? Qt::AlignRight : Qt::AlignLeft)
                                | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return tr("%1: %2").arg(m_columns[index.column()].title, cell.text.isEmpty() ? tr("none") : cell.text);
    default:
        return {};
    }
}

QVariant CellTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= m_columns.size())
        return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const Column& column = m_columns[section];
    if (role == Qt::ToolTipRole)
        return column.help.isEmpty() ? QVariant() : QVariant(column.help);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
}

}  // namespace attnscope::ui

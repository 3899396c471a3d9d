#include "ui/widgets/cell_table.h"

#include "ui/style/qt_text.h"
#include "ui/widgets/table_text.h"

#include <utility>

namespace attnscope::ui {

CellModel::CellModel(QList<Column> columns, QObject* parent)
    : QAbstractTableModel(parent)
    , m_columns(std::move(columns))
{}

int CellModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_columns.size());
}

QVariant CellModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    if (role == KeyRole)
        return rowKey(index.row());
    const Column& column = m_columns[index.column()];
    if (role == Qt::TextAlignmentRole)
        return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role >= FirstFreeRole
        || (role < SortRole && role != Qt::DisplayRole && role != Qt::ToolTipRole
            && role != Qt::AccessibleTextRole))
        return {};  // fonts and colours are asked for as often as texts
    const Cell cell = this->cell(index.row(), index.column());
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
    case DiffersRole:
        return cell.differs;
    case Qt::ToolTipRole:
        return cell.help.isEmpty() ? QVariant() : QVariant(cell.help);
    case Qt::AccessibleTextRole: {
        if (!cell.spoken.isEmpty())
            return cell.spoken;
        const QString said = cell.text.isEmpty() || cell.text == u"—"_s ? tr("none") : cell.text;
        const QString row = rowName(index.row());
        return row.isEmpty() ? tr("%1: %2").arg(column.title, said)
                             : tr("%1, %2: %3").arg(row, column.title, said);
    }
    default:
        return {};
    }
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= m_columns.size())
        return orientation == Qt::Vertical && role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    const Column& column = m_columns[section];
    if (role == Qt::ToolTipRole)
        return column.help.isEmpty() ? QVariant() : QVariant(column.help);
    if (role == Qt::TextAlignmentRole)
        return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
}

QString CellModel::asTsv() const
{
    return tableAsTsv(*this);
}

QString CellModel::asMarkdown() const
{
    return tableAsMarkdown(*this);
}

void CellModel::emitAllChanged()
{
    if (rowCount() > 0 && columnCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

namespace {

CellModel::Cell shownCell(const Cell& cell)
{
    QString text = translated(cell.title.empty() ? cell.text : cell.title);
    if (!cell.small.empty())
        text += QLatin1Char(' ') + translated(cell.small);
    return {.text = text.isEmpty() ? u"—"_s : text,
            .sort = cell.value ? QVariant(*cell.value) : QVariant(),
            .fraction = cell.fraction,
            .backend = toQt(cell.look),
            .mark = !cell.look.empty() && !cell.fraction,
            .dim = cell.dim || text.isEmpty(),
            .help = translated(cell.help)};
}

}

CellTable::CellTable(QObject* parent)
    : CellModel({}, parent)
{}

int CellTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

void CellTable::show(const Table& table)
{
    const bool reshaped = m_rows.size() != std::ssize(table.rows) || m_columns.size() != std::ssize(table.columns);
    if (reshaped)
        beginResetModel();
    m_columns.clear();
    for (const auto& column : table.columns)
        m_columns << Column{translated(column.title), translated(column.help), column.number};
    m_rows.clear();
    for (const auto& row : table.rows) {
        Row& shown = m_rows.emplaceBack(Row{{}, toQt(row.key), translated(row.name)});
        for (const auto& cell : row.cells)
            shown.cells << shownCell(cell);
    }
    if (reshaped)
        return endResetModel();
    if (columnCount() > 0)
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    emitAllChanged();
}

}

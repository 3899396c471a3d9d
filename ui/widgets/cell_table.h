// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QList>

#include <optional>

namespace attnscope::ui {

/// A table of finished texts, as results are shown: cells carry what they sort by and, where they are a share of something, a bar.
class CellTable : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole + 1,
        FractionRole,    ///< 0 … 1; invalid: no bar
        BackendRole,  ///< whose colour the bar has, or whose mark stands before the text
        MarkRole,     ///< true: the backend's mark stands before the text
        KeyRole,      ///< of a row: what it is about
        DimRole,      ///< true: of less weight than the others
    };

    struct Cell {
        QString text;
        QVariant sort;  ///< empty: the text
        std::optional<double> fraction;
        QString backend;
        bool mark = false, dim = false;
        QString help;
    };
    struct Column {
        QString title, help;
        bool number = false;  ///< stands at the right
    };
    struct Row {
        QList<Cell> cells;
        QVariant key;
    };

    explicit CellTable(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    void setTable(QList<Column> columns, QList<Row> rows);
    void clear() { setTable(m_columns, {}); }
    const QList<Column>& columns() const { return m_columns; }

private:
    QList<Column> m_columns;
    QList<Row> m_rows;
};

/// A table before it is shown.
struct TableContents {
    QList<CellTable::Column> columns;
    QList<CellTable::Row> rows;
};

}  // namespace attnscope::ui

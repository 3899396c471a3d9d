#pragma once

#include "core/figure/table.h"

#include <QAbstractTableModel>
#include <QList>

#include <optional>

namespace attnscope::ui {

/// A table of results: columns with headings, and cells that are finished texts with what they sort by, their explanation and, where they
/// are a fraction of something, a bar. Subclasses tell the cells.
class CellModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        /// 0 … 1; invalid: no bar.
        /// Whose colour the bar has, or whose mark stands before the text.
        /// True: the backend's mark stands before the text.
        /// Of a row: what it is about.
        /// True: of less weight than the others.
        /// True: from what it is compared with.
        SortRole = Qt::UserRole + 1,
        FractionRole,
        BackendRole,
        MarkRole,
        KeyRole,
        DimRole,
        DiffersRole,
        FirstFreeRole,
    };

    struct Cell {
        QString text;
        QVariant sort;  ///< empty: the text
        std::optional<double> fraction;
        QString backend;
        bool mark = false, dim = false;
        QString help;
        QString spoken = {};  ///< all that a screen reader says; empty: row, column and text
        bool differs = false;
    };
    struct Column {
        QString title, help;
        bool number = false;  ///< stands at the right
    };

    explicit CellModel(QList<Column> columns, QObject* parent);

    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    const QList<Column>& columns() const { return m_columns; }
    /// For the clipboard, the headings first.
    QString asTsv() const;
    QString asMarkdown() const;

protected:
    virtual Cell cell(int row, int column) const = 0;
    /// What a screen reader says before a column's name; empty: nothing.
    virtual QString rowName(int) const { return {}; }
    virtual QVariant rowKey(int) const { return {}; }
    /// The contents of all cells are others.
    void emitAllChanged();

    QList<Column> m_columns;
};

/// A table that holds its cells.
class CellTable : public CellModel {
    Q_OBJECT
public:
    explicit CellTable(QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    /// In the language of the window; a dash where there is nothing. Views keep what is chosen while the number of rows and columns stays.
    void show(const Table& table);

protected:
    Cell cell(int row, int column) const override { return m_rows[row].cells.value(column); }
    QString rowName(int row) const override { return m_rows[row].name; }
    QVariant rowKey(int row) const override { return m_rows[row].key.isEmpty() ? QVariant() : m_rows[row].key; }

private:
    struct Row {
        QList<Cell> cells;
        QString key, name;
    };

    QList<Row> m_rows;
};

}

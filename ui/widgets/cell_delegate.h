#pragma once

#include <QStyledItemDelegate>

class QTableView;

namespace attnscope::ui {

/// Paints the cells of a CellTable: a pale bar behind fractions, a backend's mark before its name, hairlines between rows.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// What all tables have in common, before they get headers of their own: no frame, no grid, no row numbers, and Tab leaves them.
void plainTable(QTableView& table, const QString& name);
/// What all tables of results look like: rows of 28 px, no grid, header of 9 pt.
void dressTable(QTableView& table, const QString& name);
/// As wide as their texts, at most `most`; what room is left goes to the columns evenly. False: there is too little room for all.
bool fitTableColumns(QTableView& table, int most = 360);

}

#pragma once

#include <QStyledItemDelegate>

namespace attnscope::ui {

/// Paints the cells of a RunTableModel, upright (a column per backend) or transposed. Predictions: bars on one 0–1 scale behind the names,
/// ≠ where the reference predicts otherwise. Measurements: value and unit, interval on the row's scale, difference to the reference; and
/// the cell's states, all in the same height.
class MeasurementDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    static int rowHeight();
    /// Of a cell in which what does not fit next to a figure stands below it.
    static int twoLines();
    /// Height of a cell that shows `lines` predictions and its footer.
    static int predictionsHeight(int lines);

signals:
    void moreRequested();
    void detailsRequested(const QString& sentence);
};

}

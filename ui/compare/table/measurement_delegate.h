// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace attnscope::ui {

struct Theme;

/// Paints a measurement: value and unit, interval on the row's scale, difference to the reference; and the cell's states, all in
/// the same height. Works on the roles of RunTableModel, upright (a column per backend) or transposed.
class MeasurementDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;
    static int rowHeight();

signals:
    void detailsRequested(const QString& sentence);
};

/// In the place of a figure: why there is none, or what failed, with a link to the whole sentence. Centred in `line`.
void drawCellNote(QPainter& painter, const QRectF& line, const QModelIndex& index, const Theme& theme);

/// Ground, hairlines and keyboard focus that all cells of the comparison share.
void drawCellFrame(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index);

}  // namespace attnscope::ui

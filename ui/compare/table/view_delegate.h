// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace attnscope::ui {

/// Cells of a ViewsModel: a bar as high as the probability, in the backend's colour, so that a row reads as a curve over the views;
/// ≠ where the view's own first class is another.
class ViewDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static int rowHeight();
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace attnscope::ui

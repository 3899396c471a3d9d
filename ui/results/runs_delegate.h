#pragma once

#include <QStyledItemDelegate>

namespace attnscope::ui {

/// Paints the cells of a RunsModel: marks before attentions, the reference's star, differences as chips behind figures.
class RunsDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}

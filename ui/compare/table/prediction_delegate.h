// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/cell_values.h"
#include "ui/style/theme.h"

#include <QStyledItemDelegate>

namespace attnscope::ui {

/// Paints the predictions of one backend: bars on one 0–1 scale behind the names, ≠ where the reference predicts otherwise.
class PredictionDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option, const QModelIndex& index) override;
    /// Height of a cell that shows `lines` predictions and its footer.
    static int cellHeight(int lines);

signals:
    void moreRequested();
    void detailsRequested(const QString& sentence);
};

}  // namespace attnscope::ui

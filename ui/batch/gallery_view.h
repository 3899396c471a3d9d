// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace attnscope::ui {

/// A sample of a SamplesModel: its image, and below it what each attention says.
class GalleryDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    static QSize imageSize() { return {142, 112}; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// Samples side by side in as many columns as fit; Return or a click opens one.
class GalleryView : public QListView {
    Q_OBJECT
public:
    explicit GalleryView(QWidget* parent = nullptr);

signals:
    void opened(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace attnscope::ui

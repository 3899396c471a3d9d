// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>

namespace attnscope::ui {

/// Samples side by side in as many columns as fit; Return or a click opens one.
class GalleryView : public QListView {
    Q_OBJECT
public:
    explicit GalleryView(QWidget* parent = nullptr);
    /// Of a sample's image.
    static QSize imageSize() { return {142, 112}; }

signals:
    void opened(const QModelIndex& index);

protected:
    void keyPressEvent(QKeyEvent* event) override;
};

}  // namespace attnscope::ui

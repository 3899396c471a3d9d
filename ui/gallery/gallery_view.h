#pragma once

#include <QListView>

#include <optional>

namespace attnscope::ui {

/// A line below an image.
struct GalleryLine {
    QString backend;  ///< whose mark stands before it; empty: none
    QString text;
    QString figure = {};  ///< at the right
    /// Whether it is the true class: a wrong one is marked, and where it is said a right one, too.
    std::optional<bool> right = {};
    bool dim = false;
};

/// What a GalleryView shows of a row.
enum GalleryRole {
    GalleryImageRole = Qt::UserRole + 1,  ///< QImage; null while it is read
    GalleryReadRole,                      ///< whether that image is known: then a null one could not be read
    GalleryFirstRole,                     ///< GalleryLine
    GallerySecondRole,                    ///< GalleryLine
    GalleryFreeRole,
};

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

}

Q_DECLARE_METATYPE(attnscope::ui::GalleryLine)

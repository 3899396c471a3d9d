#pragma once

#include "ui/gallery/gallery_view.h"
#include "ui/gallery/thumbnails.h"

#include <QAbstractListModel>

namespace attnscope::ui {

/// Images with two lines each, for a GalleryView.
class GalleryList : public QAbstractListModel {
    Q_OBJECT
public:
    struct Item {
        QString path;
        GalleryLine first, second;
        QString spoken;  ///< all that a screen reader says
        QString help = {};

        bool operator==(const Item&) const;
    };
    enum Role { PathRole = GalleryFreeRole };

    /// `thumbnails` outlives it.
    explicit GalleryList(Thumbnails& thumbnails, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : int(m_items.size());
    }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    /// The view goes back to the first one, unless nothing changes.
    void setItems(QList<Item> items);
    const QList<Item>& items() const { return m_items; }
    /// −1: it is not there.
    int rowOf(const QString& path) const;

private:
    Thumbnails& m_thumbnails;
    QList<Item> m_items;
};

}

#include "ui/gallery/gallery_list.h"

#include <utility>

namespace attnscope::ui {

bool GalleryList::Item::operator==(const Item& other) const
{
    return path == other.path && spoken == other.spoken && first.right == other.first.right
           && first.figure == other.first.figure;
}

GalleryList::GalleryList(Thumbnails& thumbnails, QObject* parent)
    : QAbstractListModel(parent)
    , m_thumbnails(thumbnails)
{
    connect(&thumbnails, &Thumbnails::ready, this, [this](const QString& path) {
        for (int row = 0; row < rowCount(); ++row)
            if (m_items[row].path == path)
                emit dataChanged(index(row), index(row), {GalleryImageRole, GalleryReadRole});
    });
}

QVariant GalleryList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Item& item = m_items[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return item.first.text;
    case Qt::ToolTipRole:
        return item.help.isEmpty() ? item.path : item.help;
    case Qt::AccessibleTextRole:
        return item.spoken;
    case PathRole:
        return item.path;
    case GalleryImageRole:
    case GalleryReadRole: {
        const QImage* known = m_thumbnails.of(item.path);
        return role == GalleryReadRole ? QVariant(known != nullptr)
               : known == nullptr      ? QVariant()
                                       : QVariant(*known);
    }
    case GalleryFirstRole:
        return QVariant::fromValue(item.first);
    case GallerySecondRole:
        return QVariant::fromValue(item.second);
    default:
        return {};
    }
}

void GalleryList::setItems(QList<Item> items)
{
    if (items == m_items)
        return;
    beginResetModel();
    m_items = std::move(items);
    endResetModel();
}

int GalleryList::rowOf(const QString& path) const
{
    for (int row = 0; row < rowCount(); ++row)
        if (m_items[row].path == path)
            return row;
    return -1;
}

}

#pragma once

#include "ui/gallery/gallery_list.h"
#include "ui/neighbours/neighbours_session.h"
#include "ui/widgets/cell_table.h"

#include <QFrame>

class QLabel;
class QTableView;

namespace attnscope::ui {

class CaptionSpin;
class ElidedLabel;
class RealSpin;

/// An image, what is predicted for it, and its neighbours side by side.
class NeighbourView : public QFrame {
    Q_OBJECT
public:
    NeighbourView(NeighboursSession& session, Thumbnails& thumbnails, QWidget* parent = nullptr);

    /// Which image; its neighbours are shown once they are found.
    void setImage(const QString& path);
    QString image() const { return m_path; }
    void refresh();
    /// Why there are no neighbours.
    void explain(const QString& sentence);

    CaptionSpin* count() const { return m_count; }
    RealSpin* mix() const { return m_mix; }
    ElidedLabel* title() const { return m_title; }
    QLabel* hint() const { return m_hint; }
    const CellTable& predictions() const { return m_predictions; }
    GalleryView* gallery() const { return m_gallery; }
    const GalleryList& neighbours() const { return m_neighbours; }

signals:
    /// Another number of neighbours or λ.
    void choicesChanged();
    /// This neighbour is to be looked at itself.
    void opened(const QString& path);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class ImageLabel;
    void fit();

    NeighboursSession& m_session;
    QString m_path;
    ElidedLabel* m_title;
    CaptionSpin* m_count;
    RealSpin* m_mix;
    ImageLabel* m_photo;
    QTableView* m_table;
    CellTable m_predictions;
    QLabel* m_hint;
    GalleryView* m_gallery;
    GalleryList m_neighbours;
};

}

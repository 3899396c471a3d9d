#pragma once

#include "core/figure/outlines.h"

#include <QImage>
#include <QString>
#include <QVector>
#include <QWidget>

#include <vector>

namespace attnscope::ui {

/// An image of an input's patches, with whose it is.
struct PatchImage {
    /// One for each patch, enlarged without smoothing; or with `cells` what the network sees, null if that is
    /// not known.
    QImage pixels;
    QString title;
    QString look;                      ///< of the backend: whose mark stands before the title; empty: none
    QString figure;                    ///< behind it: "0.9812"
    QString spoken;                    ///< in words: "softmax: cosine 0.9812"; empty: the title
    QSize cells;                       ///< how many patches lie side by side
    std::vector<GroupOutline> groups;  ///< of cells
};

/// Such images side by side, all of one size, as large as there is room for.
class PatchImages : public QWidget {
    Q_OBJECT
public:
    explicit PatchImages(const QString& name, QWidget* parent = nullptr);

    /// `empty` is written in the place of images where there are none.
    void show(const QVector<PatchImage>& images, const QString& empty);
    const QVector<PatchImage>& images() const { return m_images; }
    /// Where a image is drawn.
    QRectF imageRect(qsizetype image) const;
    /// As shown, twice the size, in light colours whatever the theme.
    QByteArray png();
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Grid {
        int columns = 1;
        double width = 0, height = 0;  ///< of one image
    };
    Grid grid() const;
    double wordsWidth() const;
    void paintImage(QPainter& painter, const PatchImage& image, const QRectF& place) const;

    QVector<PatchImage> m_images;
    QString m_empty;
};

}

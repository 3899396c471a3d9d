#include "ui/gallery/gallery_view.h"

#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <QKeyEvent>
#include <QStyledItemDelegate>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double galleryGap = 6;

double lineHigh()
{
    return std::max(22.0, QFontMetricsF(fontFor(Type::BodyMedium)).height() + 5);
}

void paintImage(QPainter& painter, const QRectF& area, const QModelIndex& index, const Theme& theme)
{
    QPainterPath path;
    path.addRoundedRect(area, 4, 4);
    painter.save();
    painter.setClipPath(path, Qt::IntersectClip);
    const auto image = index.data(GalleryImageRole).value<QImage>();
    if (!image.isNull())
        painter.drawImage(area, image);
    else {
        painter.fillRect(area, theme.sunken);
        if (index.data(GalleryReadRole).toBool())
            drawLine(painter, area, GalleryView::tr("Cannot be shown"), fontFor(Type::Small), theme.text3,
                     Qt::AlignHCenter);
    }
    painter.restore();
}

/// "● ≠ cup   0.44"
void paintGalleryLine(QPainter& painter, const QRectF& line, const GalleryLine& said, const Theme& theme)
{
    double x = line.left();
    if (!said.backend.isEmpty()) {
        drawMark(painter, said.backend, {line.left() + 6, line.center().y()}, 9, theme);
        x += 18;
    }
    const QFont font = fontFor(said.dim ? Type::Small : Type::BodyMedium),
                figure = fontFor(said.dim ? Type::Small : Type::Body);
    const double wide = said.figure.isEmpty() ? 0 : numberWidth(figure, said.figure) + 6;
    if (said.right && !*said.right) {
        drawLine(painter, QRectF(x, line.top(), 14, line.height()), u"≠"_s, fontFor(Type::BodyStrong), theme.warn);
        x += 14;
    } else if (said.right) {
        drawIcon(painter, u"check"_s, QRectF(x - 2, line.center().y() - 7, 14, 14), theme.ok);
        x += 14;
    }
    drawLine(painter, QRectF(x, line.top(), line.right() - wide - x, line.height()), said.text, font,
             said.dim ? theme.text3 : theme.text);
    if (wide > 0)
        drawNumberTo(painter, line.right(), line.center().y(), said.figure, figure,
                     said.dim ? theme.text3 : theme.text2);
}

/// An image, and below it two lines.
class GalleryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        constexpr int gap = int(galleryGap);
        return GalleryView::imageSize() + QSize(2 * gap, int(2 * lineHigh() + 2 * galleryGap + 4));
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = Theme::of(option.palette);
        const QRectF cell = QRectF(option.rect).adjusted(galleryGap, galleryGap, -galleryGap, -galleryGap);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setRenderHint(QPainter::SmoothPixmapTransform);
        if (option.state & QStyle::State_Selected) {
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.sel);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 6, 6);
        }
        const QRectF area(cell.left(), cell.top(), cell.width(), GalleryView::imageSize().height());
        paintImage(*painter, area, index, theme);
        QRectF line(cell.left(), area.bottom() + 4, cell.width(), lineHigh());
        for (const int role : {GalleryFirstRole, GallerySecondRole}) {
            paintGalleryLine(*painter, line, index.data(role).value<GalleryLine>(), theme);
            line.translate(0, lineHigh());
        }
        painter->restore();
    }
};

}

GalleryView::GalleryView(QWidget* parent)
    : QListView(parent)
{
    setItemDelegate(new GalleryDelegate(this));
    setAccessibleName(tr("Samples"));
    setFrameShape(QFrame::NoFrame);
    setViewMode(QListView::IconMode);
    setResizeMode(QListView::Adjust);
    setMovement(QListView::Static);
    setUniformItemSizes(true);
    setSpacing(0);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    connect(this, &QListView::clicked, this, &GalleryView::opened);
}

void GalleryView::keyPressEvent(QKeyEvent* event)
{
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        emit opened(currentIndex());
    else
        QListView::keyPressEvent(event);
}

}

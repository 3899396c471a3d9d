// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/gallery_view.h"

#include "ui/batch/samples_model.h"
#include "ui/style/painting.h"

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
    const auto image = index.data(SamplesModel::ImageRole).value<QImage>();
    if (!image.isNull())
        painter.drawImage(area, image);
    else {
        painter.fillRect(area, theme.sunken);
        if (index.data(SamplesModel::ReadRole).toBool())
            drawLine(painter, area, GalleryView::tr("Cannot be shown"), fontFor(Type::Small), theme.text3,
                     Qt::AlignHCenter);
    }
    painter.restore();
}

/// "● ≠ cup   0.44"
void paintPrediction(QPainter& painter, const QRectF& line, const QString& backend, const QString& prediction,
                 const QString& probability, bool right, const Theme& theme)
{
    drawMark(painter, backend, {line.left() + 6, line.center().y()}, 9, theme);
    const QFont font = fontFor(Type::BodyMedium), figure = fontFor(Type::Body);
    const double wide = numberWidth(figure, probability);
    double x = line.left() + 18;
    if (!right) {
        drawLine(painter, QRectF(x, line.top(), 14, line.height()), QStringLiteral("≠"), fontFor(Type::BodyStrong),
                 theme.warn);
        x += 14;
    }
    drawLine(painter, QRectF(x, line.top(), line.right() - wide - 6 - x, line.height()), prediction, font, theme.text);
    drawNumberTo(painter, line.right(), line.center().y(), probability, figure, theme.text2);
}

/// A sample of a SamplesModel: its image, and below it what each attention says.
class GalleryDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        constexpr int gap = static_cast<int>(galleryGap);
        return GalleryView::imageSize() + QSize(2 * gap, static_cast<int>(2 * lineHigh() + 2 * galleryGap + 4));
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
        const auto text = [&](int role) { return index.data(role).toString(); };
        if (index.data(SamplesModel::ReferencePredictionRole).isValid()) {
            paintPrediction(*painter, line, text(SamplesModel::ReferenceBackendRole),
                        text(SamplesModel::ReferencePredictionRole), text(SamplesModel::ReferenceProbabilityRole),
                        index.data(SamplesModel::ReferenceRightRole).toBool(), theme);
        } else {
            drawLine(*painter, line.adjusted(18, 0, 0, 0),
                     GalleryView::tr("true class: %1").arg(text(SamplesModel::LabelRole)), fontFor(Type::Body),
                     theme.text2);
        }
        line.translate(0, lineHigh());
        paintPrediction(*painter, line, text(SamplesModel::BackendRole), text(SamplesModel::PredictionRole),
                    text(SamplesModel::ProbabilityRole), index.data(SamplesModel::RightRole).toBool(), theme);
        painter->restore();
    }
};

}  // namespace

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

}  // namespace attnscope::ui

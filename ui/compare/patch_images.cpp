#include "ui/compare/patch_images.h"

#include "ui/style/outline_painting.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"

#include <QBuffer>
#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr double imageGap = 12, captionMark = 10, captionGap = 5;

double captionHeight()
{
    return QFontMetricsF(fontFor(Type::SmallMedium)).height() + 6;
}

double captionWidth(const PatchImage& image)
{
    const double figure = image.figure.isEmpty()
                              ? 0
                              : numberWidth(fontFor(Type::Small), image.figure) + 2 * captionGap;
    return captionMark + captionGap + QFontMetricsF(fontFor(Type::SmallMedium)).horizontalAdvance(image.title)
           + figure + 1;
}

QString spokenOf(const PatchImage& image)
{
    return image.spoken.isEmpty() ? image.title : image.spoken;
}

}

PatchImages::PatchImages(const QString& name, QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(name);
}

QSize PatchImages::sizeHint() const
{
    return {360, 130};
}

void PatchImages::show(const QVector<PatchImage>& images, const QString& empty)
{
    m_images = images;
    m_empty = empty;
    QStringList spoken;
    for (const PatchImage& image : images)
        spoken << spokenOf(image);
    setAccessibleDescription(images.isEmpty() ? empty : spoken.join(u"; "_s));
    update();
}

/// Of the numbers of columns that which makes the images largest.
PatchImages::Grid PatchImages::grid() const
{
    Grid best;
    if (m_images.isEmpty())
        return best;
    const PatchImage& first = m_images.front();
    const QSizeF pixels = first.pixels.isNull() ? first.cells : first.pixels.size();
    const auto count = int(m_images.size());
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const QSizeF room((width() - imageGap * (columns - 1)) / columns,
                          double(height()) / rows - captionHeight());
        if (room.isEmpty())
            continue;
        const QSizeF size = pixels.scaled(room, Qt::KeepAspectRatio);
        if (size.width() > best.width)
            best = {columns, size.width(), size.height()};
    }
    return best;
}

/// Captions may be wider than images, as wide as their part of the row.
double PatchImages::wordsWidth() const
{
    const Grid now = grid();
    double wanted = 0;
    for (const PatchImage& image : m_images)
        wanted = std::max(wanted, captionWidth(image));
    return std::max(now.width, std::min(wanted, (width() - imageGap * (now.columns - 1)) / now.columns));
}

QRectF PatchImages::imageRect(qsizetype image) const
{
    const Grid now = grid();
    const auto place = int(image);
    const int row = place / now.columns, column = place % now.columns;
    return {column * (wordsWidth() + imageGap), row * (now.height + captionHeight()) + captionHeight(), now.width,
            now.height};
}

void PatchImages::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Theme::of(palette());
    if (m_images.isEmpty())
        return drawLine(painter, rect(), m_empty, fontFor(Type::Body), theme.text3, Qt::AlignHCenter);
    const QFont words = fontFor(Type::SmallMedium), small = fontFor(Type::Small);
    for (qsizetype i = 0; i < m_images.size(); ++i) {
        const PatchImage& image = m_images[i];
        const QRectF place = imageRect(i);
        QRectF line(place.left(), place.top() - captionHeight(), wordsWidth(), captionHeight() - 4);
        paintImage(painter, image, place);
        const double figure = image.figure.isEmpty() ? 0 : numberWidth(small, image.figure) + captionGap;
        const bool both = QFontMetricsF(words).horizontalAdvance(image.title) + figure + captionMark + captionGap
                          <= line.width();
        if (both && figure > 0)
            drawNumberTo(painter, line.right(), line.center().y(), image.figure, small, theme.text2);
        if (!image.look.isEmpty()) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            drawMark(painter, image.look, {line.left() + captionMark / 2, line.center().y()}, captionMark, theme);
            painter.restore();
            line.adjust(captionMark + captionGap, 0, 0, 0);
        }
        drawLine(painter, line.adjusted(0, 0, both ? -figure : 0, 0), image.title, words, theme.text);
    }
}

QByteArray PatchImages::png()
{
    const QPalette shown = palette();
    setPalette(Theme::light().palette());
    QImage image(size() * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(Theme::light().surface);
    render(&image);
    setPalette(shown);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

void PatchImages::paintImage(QPainter& painter, const PatchImage& image, const QRectF& place) const
{
    if (image.cells.isEmpty())
        return painter.drawImage(place, image.pixels);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QSize device = (place.size() * devicePixelRatioF()).toSize();
    if (image.pixels.isNull())
        painter.fillRect(place, Theme::of(palette()).sunken);
    else
        painter.drawImage(place, image.pixels.scaled(device, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    painter.setClipRect(place);
    drawOutlines(painter, image.groups, place, image.cells);
    painter.restore();
}

bool PatchImages::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (qsizetype i = 0; i < m_images.size(); ++i)
        if (imageRect(i).adjusted(0, -captionHeight(), 0, 0).contains(help->pos())) {
            QToolTip::showText(help->globalPos(), spokenOf(m_images[i]), this);
            return true;
        }
    QToolTip::hideText();
    return true;
}

}

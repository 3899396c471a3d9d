// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_file.h"

#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/figure/svg.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSaveFile>
#include <QSvgRenderer>

namespace attnscope::ui {

namespace {

QByteArray pngOf(const QByteArray& svg)
{
    QSvgRenderer renderer(svg);
    QImage image(renderer.defaultSize() * 2, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    renderer.render(&painter);
    painter.end();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return bytes;
}

template <typename Figure>
QString write(const QString& path, const Figure& figure)
{
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("csv"))
        bytes = QByteArray::fromStdString(csv(figure));
    else if (suffix == QLatin1String("svg") || suffix == QLatin1String("png"))
        bytes = QByteArray::fromStdString(svg(figure, {.styles = seriesStyle}));
    else
        return tr("%1: unknown file format; use the extension svg, png or csv.").arg(path);
    if (suffix == QLatin1String("png"))
        bytes = pngOf(bytes);
    return writeBytes(path, bytes);
}

}  // namespace

QString writeBytes(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit()
               ? QString()
               : tr("%1: cannot be written; choose a writable folder.").arg(path);
}

QString writeFigure(const QString& path, const Chart& chart) { return write(path, chart); }

QString writeFigure(const QString& path, const HeatMap& map) { return write(path, map); }

}  // namespace attnscope::ui

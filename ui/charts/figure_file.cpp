// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/figure_file.h"

#include "ui/style/qt_text.h"

#include "core/attention/backend_info.h"
#include "core/figure/svg.h"

#include <QBuffer>
#include <QDate>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
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
    if (const QString refused = refusedFormat(path, {QStringLiteral("svg"), QStringLiteral("png"), QStringLiteral("csv")}); !refused.isEmpty())
        return refused;
    const QString suffix = QFileInfo(path).suffix().toLower();
    const auto bytes = QByteArray::fromStdString(suffix == QLatin1String("csv") ? csv(figure) : svg(figure, {.styles = seriesStyle}));
    return writeBytes(path, suffix == QLatin1String("png") ? pngOf(bytes) : bytes);
}

}  // namespace

QString refusedFormat(const QString& path, const QStringList& formats)
{
    if (formats.contains(QFileInfo(path).suffix().toLower()))
        return {};
    const QString named = formats.size() == 1 ? formats.front()
                                              : tr("%1 or %2").arg(formats.mid(0, formats.size() - 1).join(QStringLiteral(", ")), formats.back());
    return tr("%1: unknown file format; use the extension %2.").arg(path, named);
}

QString exportName(QStringList parts, const QString& suffix)
{
    static const QRegularExpression others(QStringLiteral("[^\\w.]+"), QRegularExpression::UseUnicodePropertiesOption);
    parts.prepend(QStringLiteral("attnscope"));
    parts.append(QDate::currentDate().toString(Qt::ISODate));
    parts.removeAll(QString());
    for (QString& part : parts)
        part.replace(others, QStringLiteral("-"));
    return parts.join(QLatin1Char('-')) + QLatin1Char('.') + suffix;
}

QString askExportPath(QWidget* parent, const QString& what, const QString& filter)
{
    return QFileDialog::getSaveFileName(parent, tr("Export"), exportName({what}, QStringLiteral("svg")), filter);
}

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

// draw_icons ICON.svg FOLDER SIZE…: FOLDER/48x48/apps/ICON.png and its like, as a theme of icons has them. Part of the build.
#include <QDir>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc < 4) {
        std::fputs("usage: draw_icons ICON.svg FOLDER SIZE...\n", stderr);
        return 2;
    }
    const QString icon = QString::fromLocal8Bit(argv[1]), folder = QString::fromLocal8Bit(argv[2]);
    QSvgRenderer renderer(icon);
    for (int i = 3; i < argc; ++i) {
        const int size = QByteArray(argv[i]).toInt();
        QImage image(size, size, QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        renderer.render(&painter);
        painter.end();
        const QString place = QStringLiteral("%1/%2x%2/apps").arg(folder).arg(size);
        if (!renderer.isValid() || !QDir().mkpath(place) || !image.save(place + QLatin1Char('/') + QFileInfo(icon).baseName() + QStringLiteral(".png"))) {
            std::fprintf(stderr, "draw_icons: %s cannot be drawn into %s\n", argv[1], qPrintable(place));
            return 1;
        }
    }
    return 0;
}

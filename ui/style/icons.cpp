#include "ui/style/icons.h"

#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include <QApplication>
#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QSvgRenderer>

#include <memory>
#include <utility>

namespace attnscope::ui {

namespace {

QByteArray source(const QString& name)
{
    QFile file(u":/icons/%1.svg"_s.arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Read once: bars are painted often, and reading an icon takes longer than drawing it.
QSvgRenderer& renderer(const QString& name, QRgb colour)
{
    static QHash<std::pair<QString, QRgb>, std::shared_ptr<QSvgRenderer>> renderers;
    std::shared_ptr<QSvgRenderer>& kept = renderers[{name, colour}];
    if (!kept)
        kept = std::make_shared<QSvgRenderer>(
            source(name).replace("currentColor", QColor(colour).name().toLatin1()));
    return *kept;
}

class TintedIconEngine : public QIconEngine {
public:
    explicit TintedIconEngine(QString name)
        : m_name(std::move(name))
    {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const Theme& theme = Theme::of(QApplication::palette());
        const QColor colour = mode == QIcon::Disabled   ? theme.dis
                              : mode == QIcon::Active   ? theme.text
                              : mode == QIcon::Selected ? theme.accText
                                                        : theme.text2;
        drawIcon(*painter, m_name, rect, colour);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }
    QIconEngine* clone() const override { return new TintedIconEngine(m_name); }

private:
    QString m_name;
};

}

QIcon icon(const QString& name)
{
    return QIcon(new TintedIconEngine(name));
}

void drawIcon(QPainter& painter, const QString& name, const QRectF& rect, const QColor& colour)
{
    renderer(name, colour.rgb()).render(&painter, rect);
}

}

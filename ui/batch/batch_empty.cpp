// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/batch_empty.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int across = 5, down = 4, shownTiles = 3;
constexpr double tileGap = 5, rowsWide = 290, betweenTiles = 52;

EmptyScreen::Words batchWords()
{
    return {
        BatchEmpty::tr("Drop a folder of images or videos"),
        BatchEmpty::tr(
            "See how accurate each backend is, which classes it loses on, and whether the difference is significant."),
        BatchEmpty::tr("ImageNet and Kinetics folders, any folder with one subfolder per class, or lists in CSV, TSV or text")};
}

}  // namespace

BatchEmpty::BatchEmpty(QWidget* parent)
    : BatchEmpty(new ActionButton(QStringLiteral("run"), tr("Try the demo"), ActionButton::Look::Primary),
                 new ActionButton(QStringLiteral("folder"), tr("Open…"), ActionButton::Look::Plain), parent)
{}

BatchEmpty::BatchEmpty(ActionButton* demo, ActionButton* open, QWidget* parent)
    : EmptyScreen(batchWords(), demo, open, parent)
    , m_photo(QStringLiteral(":/demo/cat.jpg"))
    , m_demo(demo)
    , m_open(open)
{
    open->setHint(QStringLiteral("Ctrl+O"));
    demo->setToolTip(tr("Writes the demo scenes to a cache folder and evaluates them"));
    connect(demo, &QPushButton::clicked, this, &BatchEmpty::demoRequested);
    connect(open, &QPushButton::clicked, this, &BatchEmpty::openRequested);
}

void BatchEmpty::setBackends(const QStringList& backends)
{
    m_backends = backends.mid(0, shownTiles);
    update();
}

void BatchEmpty::setBusy(const QString& progress)
{
    m_demo->setEnabled(progress.isEmpty());
    Words words = batchWords();
    if (!progress.isEmpty())
        words.small = tr("Writing demo images: %1").arg(progress);
    setWords(words);
}

void BatchEmpty::setMissing(const QString& sentence)
{
    m_demo->setEnabled(false);
    m_open->setEnabled(false);
    Words words = batchWords();
    words.title = tr("This build cannot evaluate folders");
    words.small = sentence;
    setWords(words);
}

double BatchEmpty::imageHeight(double room) const
{
    return std::clamp(room, 120.0, 200.0);
}

double BatchEmpty::imageWidth(double height) const
{
    return height * 1.2 + betweenTiles + rowsWide;
}

void BatchEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    // A folder: pieces of one photograph, as many pictures look from afar.
    const double grid = area.width() - rowsWide - betweenTiles;
    const double wide = (grid - tileGap * (across - 1)) / across, high = (area.height() - tileGap * (down - 1)) / down;
    for (int i = 0; i < across * down; ++i) {
        const QRectF cell(area.left() + (i % across) * (wide + tileGap), area.top() + (i / across) * (high + tileGap),
                          wide, high);
        const double part = 0.22 + 0.07 * ((i * 7) % 5),
                     top = (m_photo.height() - m_photo.height() * part) * (((i * 5) % 7) / 6.0);
        const double sourceHigh = m_photo.height() * part,
                     sourceWide = std::min<double>(m_photo.width(), sourceHigh * wide / high);
        const double left = (m_photo.width() - sourceWide) * (((i * 3) % 11) / 10.0);
        QPainterPath path;
        path.addRoundedRect(cell, 3, 3);
        painter.save();
        painter.setClipPath(path);
        painter.drawPixmap(cell, m_photo, QRectF(left, top, sourceWide, sourceHigh));
        painter.restore();
    }
    // How often each is right, with the interval that the number of pictures leaves.
    const double rows = std::max<double>(1, static_cast<double>(m_backends.size())),
                 each = std::min(56.0, area.height() / rows);
    const double first = area.center().y() - each * rows / 2;
    const double places[shownTiles] = {0.84, 0.5, 0.74};
    const QRectF tracks(area.right() - rowsWide, first, rowsWide, each * rows);
    for (int i = 0; i < m_backends.size(); ++i) {
        const QString& name = m_backends[i];
        const QRectF row(tracks.left(), tracks.top() + i * each, tracks.width(), each);
        drawMark(painter, name, {row.left() + 8, row.center().y()}, 12, theme);
        drawLine(painter, QRectF(row.left() + 24, row.top(), 92, row.height()), name, fontFor(Type::Value),
                 theme.text);
        const QRectF track(row.left() + 118, row.top(), row.width() - 118, row.height());
        drawInterval(painter, track, {places[i] - 0.05, places[i], places[i] + 0.05, 0, 1, places[0], i > 0}, name,
                     theme);
    }
}

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot_widget.h"

#include "ui/style/theme.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QSvgGenerator>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace attnscope::ui {

PlotWidget::PlotWidget(const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_plot(new QCustomPlot(this))
{
    setAccessibleName(name);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setMinimumSize(60, 40);
    m_plot->setAccessibleName(tr("Chart area"));
    m_plot->setMouseTracking(true);
    m_plot->installEventFilter(this);
    m_plot->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
}

void PlotWidget::rebuild()
{
    rebuild(Theme::of(palette()));
}

void PlotWidget::rebuild(const Theme& theme)
{
    setAccessibleDescription(spoken());
    m_plot->clearPlottables();
    m_plot->clearItems();
    if (m_plot->width() >= 60 && m_plot->height() >= 40)
        draw(theme);
}

void PlotWidget::rebuildSoon(int milliseconds)
{
    if (std::exchange(m_pending, true))
        return;
    QTimer::singleShot(milliseconds, this, [this] {
        m_pending = false;
        if (isVisible())
            rebuild();
        else
            setAccessibleDescription(spoken());  // drawn when it is shown
    });
}

void PlotWidget::setNotice(const QString& sentence)
{
    m_notice = sentence;
    rebuildSoon();
}

void PlotWidget::addNotice(const Theme& theme)
{
    auto* text = new QCPItemText(m_plot);
    text->setText(m_notice);
    text->setFont(font());
    text->setColor(theme.text3);
    text->position->setType(QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(0.5, 0.45);
}

void PlotWidget::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        rebuildSoon();
}

void PlotWidget::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    rebuildSoon();
}

/// Labels are placed, and marks are found, by pixels.
void PlotWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    rebuildSoon();
}

bool PlotWidget::savePlot(const QString& path)
{
    rebuild(Theme::light());
    bool saved = false;
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) {
        QSvgGenerator svg;
        svg.setFileName(path);
        svg.setSize(m_plot->size());
        svg.setViewBox(QRect(QPoint(), m_plot->size()));
        svg.setTitle(accessibleName());
        svg.setDescription(spoken());
        QCPPainter painter;
        saved = painter.begin(&svg);
        if (saved) {
            painter.setMode(QCPPainter::pmVectorized);
            m_plot->toPainter(&painter, m_plot->width(), m_plot->height());
            saved = painter.end();
        }
    } else if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) {
        saved = m_plot->savePdf(path);
    } else {
        saved = m_plot->savePng(path, 0, 0, 2);
    }
    rebuild();
    return saved;
}

}  // namespace attnscope::ui

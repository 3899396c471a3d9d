// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/train_empty.h"

#include "ui/style/painting.h"
#include "ui/style/sketch.h"
#include "ui/widgets/controls.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

constexpr double trainWide = 520;

EmptyScreen::Words trainWords()
{
    return {TrainEmpty::tr("Drop a folder of images or videos"),
            TrainEmpty::tr("Softmax weights lose accuracy with another attention: see how much training recovers."),
            TrainEmpty::tr(
                "A folder with train and val, each with one subfolder per class; or class folders only; or lists of files")};
}

}  // namespace

TrainEmpty::TrainEmpty(QWidget* parent)
    : TrainEmpty(new ActionButton(QStringLiteral("run"), tr("Try the demo"), ActionButton::Look::Primary),
                 new ActionButton(QStringLiteral("folder"), tr("Open…"), ActionButton::Look::Plain), parent)
{}

TrainEmpty::TrainEmpty(ActionButton* demo, ActionButton* open, QWidget* parent)
    : EmptyScreen(trainWords(), demo, open, parent)
    , m_demo(demo)
    , m_open(open)
    , m_form(new LinkButton(tr("Show settings"), this))
{
    open->setHint(QStringLiteral("Ctrl+O"));
    demo->setToolTip(tr("Writes the demo scenes to a cache folder and fills in the form for a training run of a minute or two"));
    m_form->setToolTip(tr("Model, attention, teacher and schedule; the folder can be chosen there, too"));
    connect(demo, &QPushButton::clicked, this, &TrainEmpty::demoRequested);
    connect(open, &QPushButton::clicked, this, &TrainEmpty::openRequested);
    connect(m_form, &QPushButton::clicked, this, &TrainEmpty::formRequested);
}

void TrainEmpty::setBusy(const QString& progress)
{
    m_demo->setEnabled(progress.isEmpty());
    Words words = trainWords();
    if (!progress.isEmpty())
        words.small = tr("Writing demo images: %1").arg(progress);
    setWords(words);
}

void TrainEmpty::resizeEvent(QResizeEvent* event)
{
    EmptyScreen::resizeEvent(event);
    const QSize size = m_form->sizeHint();
    m_form->setGeometry((width() - size.width()) / 2, height() - size.height() - 12, size.width(), size.height());
}

double TrainEmpty::imageHeight(double room) const
{
    return std::clamp(room, 110.0, 210.0);
}

double TrainEmpty::imageWidth(double) const
{
    return trainWide;
}

/// Accuracy over epochs: the teacher's level, and two attentions that come up to it. A drawing, without figures.
void TrainEmpty::paintImage(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Theme::of(palette());
    const double nameRoom = 96;
    const QRectF plot(area.left(), area.top() + 6, area.width() - nameRoom, area.height() - 12);
    drawSketchGrid(painter, plot, theme);
    const auto place = [&](double along, double fraction) {
        return QPointF(plot.left() + along * plot.width(), plot.bottom() - fraction * plot.height());
    };
    const auto name = [&](const QString& backend, const QString& text, double fraction) {
        drawMark(painter, backend, {plot.right() + 16, place(1, fraction).y()}, 11, theme);
        drawLine(painter, QRectF(plot.right() + 28, place(1, fraction).y() - 12, nameRoom - 28, 24), text,
                 fontFor(Type::BodyStrong), theme.text);
    };
    QPen level(theme.backend(QStringLiteral("softmax")), 1.75);
    level.setDashPattern({8, 4});
    painter.setPen(level);
    painter.drawLine(place(0, 0.9), place(1, 0.9));
    name(QStringLiteral("softmax"), tr("Teacher"), 0.9);
    const struct {
        QString backend;
        double begin, end, throughput;
    } students[]{{QStringLiteral("lara"), 0.42, 0.73, 4.6}, {QStringLiteral("performer"), 0.12, 0.54, 3.4}};
    for (const auto& student : students) {
        painter.setPen(QPen(theme.backend(student.backend), 1.75));
        QPolygonF line;
        const auto fraction = [&](double along) {
            return student.begin + (student.end - student.begin) * (1 - std::exp(-student.throughput * along));
        };
        for (int i = 0; i <= 60; ++i)
            line << place(i / 60.0, fraction(i / 60.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
        for (int i = 0; i <= 8; ++i)
            drawMark(painter, student.backend, place(i / 8.0, fraction(i / 8.0)), 9, theme);
        name(student.backend, student.backend, fraction(1));
    }
}

}  // namespace attnscope::ui

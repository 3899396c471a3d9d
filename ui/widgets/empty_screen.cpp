// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_screen.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int belowImage = 40, belowTitle = 10, aboveButtons = 22, belowButtons = 18, buttonHeight = 36;

int lineHeight(Type type)
{
    return QFontMetrics(fontFor(type)).height();
}

}  // namespace

EmptyScreen::EmptyScreen(const Words& words, ActionButton* first, ActionButton* second, QWidget* parent)
    : QWidget(parent)
    , m_words(words)
    , m_first(first)
    , m_second(second)
{
    for (ActionButton* button : {first, second}) {
        button->setParent(this);
        button->setHeight(buttonHeight);
    }
    setMinimumHeight(300);
}

void EmptyScreen::setWords(const Words& words)
{
    m_words = words;
    update();
}

double EmptyScreen::drawn() const
{
    return imageHeight(height() - 330.0);
}

double EmptyScreen::top() const
{
    const double words = belowImage + lineHeight(Type::Display) + belowTitle + lineHeight(Type::ValueLight)
                         + aboveButtons + buttonHeight + belowButtons + lineHeight(Type::Small);
    return std::max(14.0, (height() - drawn() - words) * 0.44);
}

double EmptyScreen::wordsTop() const
{
    return top() + drawn() + belowImage;
}

void EmptyScreen::resizeEvent(QResizeEvent*)
{
    const double y = wordsTop() + lineHeight(Type::Display) + belowTitle + lineHeight(Type::ValueLight)
                     + aboveButtons;
    const int wide = std::max({160, m_first->sizeHint().width(), m_second->sizeHint().width()});
    m_first->setGeometry(width() / 2 - wide - 6, static_cast<int>(y), wide, m_first->sizeHint().height());
    m_second->setGeometry(width() / 2 + 6, static_cast<int>(y), wide, m_second->sizeHint().height());
}

void EmptyScreen::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::of(palette());
    QPen dashes(theme.edge, 1.5);
    dashes.setDashPattern({5, 4});
    painter.setPen(dashes);
    painter.setBrush(theme.surface);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    const double across = std::min(imageWidth(drawn()), width() - 48.0);
    painter.save();
    paintImage(painter, QRectF((width() - across) / 2, top(), across, drawn()));
    painter.restore();
    double y = wordsTop();
    const auto line = [&](const QString& text, Type type, const QColor& colour) {
        drawLine(painter, QRectF(16, y, width() - 32, lineHeight(type)), text, fontFor(type), colour,
                 Qt::AlignHCenter);
        y += lineHeight(type);
    };
    line(m_words.title, Type::Display, theme.text);
    y += belowTitle;
    line(m_words.line, Type::ValueLight, theme.text2);
    y += aboveButtons + m_first->sizeHint().height() + belowButtons;
    line(m_words.small, Type::Small, theme.text3);
}

}  // namespace attnscope::ui

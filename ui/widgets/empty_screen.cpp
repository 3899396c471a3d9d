#include "ui/widgets/empty_screen.h"

#include "ui/style/painting.h"
#include "ui/widgets/controls.h"

#include <algorithm>
#include <utility>

namespace attnscope::ui {

namespace {

constexpr int belowImage = 40, belowTitle = 10, aboveButtons = 22, belowButtons = 18, buttonHeight = 36;

int lineHeight(Type type)
{
    return QFontMetrics(fontFor(type)).height();
}

}

EmptyScreen::EmptyScreen(Description description, QWidget* parent)
    : QWidget(parent)
    , m_description(std::move(description))
    , m_words(m_description.words)
{
    const auto button = [this](const Action& action, ActionButton::Look look) {
        auto* made = new ActionButton(action.icon, action.text, look, this);
        made->setHint(action.hint);
        made->setToolTip(action.help);
        made->setHeight(buttonHeight);
        return made;
    };
    m_first = button(m_description.first, ActionButton::Look::Primary);
    m_second = button(m_description.second, ActionButton::Look::Plain);
    if (!m_description.link.isEmpty()) {
        m_link = new LinkButton(m_description.link, this);
        m_link->setToolTip(m_description.linkHelp);
    }
    setMinimumHeight(300);
    setWords(m_description.words);
}

void EmptyScreen::setWords(const Words& words)
{
    m_words = words;
    setAccessibleName(words.title);
    setAccessibleDescription(words.line);
    update();
}

void EmptyScreen::setFirst(const QString& text, const QString& hint)
{
    m_first->setText(text);
    m_first->setHint(hint);
    place();
}

void EmptyScreen::setBackends(const QStringList& backends)
{
    m_backends = backends.mid(0, m_description.drawing.backends);
    update();
}

void EmptyScreen::setBusy(const QString& progress)
{
    m_first->setEnabled(progress.isEmpty());
    Words words = m_description.words;
    if (!progress.isEmpty())
        words.small = tr("Writing the demo images: %1").arg(progress);
    setWords(words);
}

double EmptyScreen::drawn() const
{
    const Drawing& drawing = m_description.drawing;
    return std::clamp(height() - 330.0 + drawing.extraHeight, drawing.minHeight, drawing.maxHeight);
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
    place();
}

void EmptyScreen::place()
{
    const double y = wordsTop() + lineHeight(Type::Display) + belowTitle + lineHeight(Type::ValueLight)
                     + aboveButtons;
    const int wide = std::max({160, m_first->sizeHint().width(), m_second->sizeHint().width()});
    m_first->setGeometry(width() / 2 - wide - 6, int(y), wide, m_first->sizeHint().height());
    m_second->setGeometry(width() / 2 + 6, int(y), wide, m_second->sizeHint().height());
    if (m_link == nullptr)
        return;
    const QSize size = m_link->sizeHint();
    m_link->setGeometry((width() - size.width()) / 2, height() - size.height() - 12, size.width(), size.height());
}

void EmptyScreen::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const Theme& theme = Theme::of(palette());
    QPen dashes(theme.edge, 1.5);
    dashes.setDashPattern({5, 4});
    drawRounded(painter, QRectF(rect()).adjusted(1, 1, -1, -1), 8, theme.surface, dashes);
    const Drawing& drawing = m_description.drawing;
    const double across = std::min(drawing.width + drawing.widthPerHeight * drawn(), width() - 48.0);
    painter.save();
    drawing.paint(painter, QRectF((width() - across) / 2, top(), across, drawn()), theme, m_backends);
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

}

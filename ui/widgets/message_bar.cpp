#include "ui/widgets/message_bar.h"

#include "ui/style/accessible_role.h"
#include "ui/style/icons.h"
#include "ui/style/painting.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"

#include <QHBoxLayout>
#include <QLabel>

namespace attnscope::ui {

MessageBar::MessageBar(Kind kind, const QString& sentence, QWidget* parent)
    : QFrame(parent)
    , m_kind(kind)
    , m_label(new QLabel(sentence, this))
    , m_row(new QHBoxLayout(this))
{
    setAccessibleRole(*this, QAccessible::AlertMessage);
    m_label->setWordWrap(true);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setFocusPolicy(Qt::NoFocus);
    m_row->setContentsMargins(42, 7, 10, 7);
    m_row->setSpacing(8);
    m_row->addWidget(m_label, 1);
    auto* close = new IconButton(u"close"_s, tr("Close message"), this);
    m_row->addWidget(close);
    setMinimumHeight(40);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    setAccessibleName(sentence);
    connect(close, &IconButton::clicked, this, [this] {
        emit closed();
        deleteLater();
    });
}

void MessageBar::addAction(const QString& text, std::function<void()> act)
{
    auto* link = new LinkButton(text, this);
    m_row->insertWidget(m_row->count() - (m_fold != nullptr ? 2 : 1), link);
    connect(link, &LinkButton::clicked, this, [act = std::move(act)] { act(); });
}

void MessageBar::setFold(const QString& text)
{
    if (m_fold == nullptr && text.isEmpty())
        return;
    if (m_fold == nullptr) {
        m_fold = new LinkButton(text, this);
        m_row->insertWidget(m_row->count() - 1, m_fold);
        connect(m_fold, &LinkButton::clicked, this, &MessageBar::foldRequested);
    }
    m_fold->setText(text);
    m_fold->setAccessibleName(text);
    m_fold->setVisible(!text.isEmpty());
    m_fold->updateGeometry();
}

void MessageBar::setSentence(const QString& sentence)
{
    m_label->setText(sentence);
    setAccessibleName(sentence);
    announce();
}

void MessageBar::announce()
{
    QAccessibleEvent event(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&event);
}

void MessageBar::showEvent(QShowEvent* event)
{
    QFrame::showEvent(event);
    announce();
}

QString MessageBar::sentence() const
{
    return m_label->text();
}

void MessageBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(palette());
    const QColor edge = m_kind == Kind::Error     ? theme.err
                        : m_kind == Kind::Warning ? theme.warn
                        : theme.dark              ? theme.focus
                                                  : theme.accent;
    QPainterPath path;
    path.addRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.fillPath(path, m_kind == Kind::Error ? theme.errbg : theme.surface);
    painter.setPen(QPen(theme.line, 1));
    painter.drawPath(path);
    painter.setClipPath(path);
    painter.fillRect(QRectF(0, 0, 4, height()), edge);
    drawIcon(painter, m_kind == Kind::Info ? u"info"_s : u"warn"_s, QRectF(16, height() / 2.0 - 8, 16, 16), edge);
}

}

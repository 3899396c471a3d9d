#include "ui/window/command_palette.h"

#include "ui/style/language.h"
#include "ui/style/qt_text.h"
#include "ui/style/theme.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPointer>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

namespace attnscope::ui {

bool lettersMatch(const QString& needle, const QString& hay)
{
    qsizetype at = 0;
    for (const QChar c : needle) {
        if (c.isSpace())
            continue;
        at = hay.indexOf(c, at, Qt::CaseInsensitive);
        if (at < 0)
            return false;
        ++at;
    }
    return true;
}

namespace {

/// The first line as usual, those below it small and muted.
class LinesDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        item.text.clear();
        const QStringList lines = index.data().toString().split(QLatin1Char('\n'));
        item.widget->style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
        const bool chosen = item.state.testFlag(QStyle::State_Selected),
                   enabled = item.state.testFlag(QStyle::State_Enabled);
        painter->save();
        for (qsizetype i = 0; i < lines.size(); ++i) {
            painter->setFont(i == 0 ? item.font : fontFor(Type::Small));
            painter->setPen(item.palette.color(chosen              ? QPalette::HighlightedText
                                               : i == 0 && enabled ? QPalette::Text
                                                                   : QPalette::PlaceholderText));
            const QRect line(item.rect.x() + 8, item.rect.y() + int(item.rect.height() * i / lines.size()),
                             item.rect.width() - 16, item.rect.height() / int(lines.size()));
            painter->drawText(line, Qt::AlignVCenter,
                              painter->fontMetrics().elidedText(lines[i], Qt::ElideRight, line.width()));
        }
        painter->restore();
    }
};

}

CommandPalette::CommandPalette(const QList<QAction*>& actions, const QString& title, QWidget* parent)
    : QDialog(parent, Qt::Popup)
    , m_actions(actions)
    , m_field(new QLineEdit(this))
    , m_list(new QListWidget(this))
{
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    m_field->setPlaceholderText(title);
    m_field->setAccessibleName(title);
    m_list->setAccessibleName(title);
    m_list->setItemDelegate(new LinesDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    column->addWidget(m_field);
    column->addWidget(m_list);
    resize(440, 360);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    filter({});
    m_field->setFocus();
}

void CommandPalette::filter(const QString& text)
{
    m_list->clear();
    for (qsizetype i = 0; i < m_actions.size(); ++i) {
        const QString name = withoutMnemonic(m_actions[i]->text()), about = m_actions[i]->whatsThis();
        if (!lettersMatch(text, name) && !about.contains(text.trimmed(), Qt::CaseInsensitive))
            continue;
        const QString key = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem((key.isEmpty() ? name : name + u"    "_s + key)
                                             + (about.isEmpty() ? about : QLatin1Char('\n') + about),
                                         m_list);
        item->setData(Qt::UserRole, int(i));
        if (!m_actions[i]->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
    if (m_list->count() == 0)
        (new QListWidgetItem(tr("Nothing fits “%1”; try another word.").arg(text), m_list))
            ->setFlags(Qt::NoItemFlags);
    m_list->setCurrentRow(0);
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (item == nullptr || !(item->flags() & Qt::ItemIsEnabled))
        return;
    const QPointer<QAction> action = m_actions[item->data(Qt::UserRole).toInt()];
    accept();
    QTimer::singleShot(0, action, &QAction::trigger);  // after this popup has given its grab back
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const int rows = m_list->count();
    if ((key == Qt::Key_Down || key == Qt::Key_Up) && rows > 0) {
        m_list->setCurrentRow((m_list->currentRow() + (key == Qt::Key_Down ? 1 : rows - 1)) % rows);
        return true;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter) {
        runCurrent();
        return true;
    }
    return false;
}

}

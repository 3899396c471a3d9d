// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_palette.h"

#include "ui/style/language.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
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

CommandPalette::CommandPalette(const QList<QAction*>& actions, QWidget* parent)
    : QDialog(parent, Qt::Popup), m_actions(actions), m_field(new QLineEdit(this)), m_list(new QListWidget(this))
{
    setAccessibleName(tr("Find a command"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    m_field->setPlaceholderText(tr("Find a command"));
    m_field->setAccessibleName(tr("Find a command"));
    m_list->setAccessibleName(tr("Commands"));
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
        QString name = withoutMnemonic(m_actions[i]->text());
        if (!lettersMatch(text, name))
            continue;
        const QString key = m_actions[i]->shortcut().toString(QKeySequence::NativeText);
        auto* item = new QListWidgetItem(key.isEmpty() ? name : name + QStringLiteral("    ") + key, m_list);
        item->setData(Qt::UserRole, static_cast<int>(i));
        if (!m_actions[i]->isEnabled())
            item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
    }
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

}  // namespace attnscope::ui

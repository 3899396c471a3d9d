#include "ui/help/help_window.h"

#include "ui/help/help_browser.h"
#include "ui/style/icons.h"
#include "ui/style/qt_text.h"

#include <QAction>
#include <QDesktopServices>
#include <QLabel>
#include <QLineEdit>
#include <QToolBar>
#include <QVBoxLayout>

namespace attnscope::ui {

HelpWindow::HelpWindow(const QString& folder, QWidget* parent)
    : QDialog(parent, Qt::Window)
    , m_browser(new HelpBrowser(folder, this))
    , m_find(new QLineEdit(this))
    , m_status(new QLabel(this))
{
    setWindowTitle(tr("Manual"));
    resize(860, 760);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    buildBar();
    column->addWidget(m_browser);
    setTabOrder(m_browser, m_find);
    connect(m_browser, &HelpBrowser::pageShown, this, [this] {
        m_status->clear();
        setWindowTitle(tr("%1 – Manual").arg(m_browser->documentTitle()));
    });
    connect(m_browser, &HelpBrowser::pageMissing, this,
            [this](const QString& path) { m_status->setText(tr("%1 is only in the source code").arg(path)); });
    connect(m_browser, &HelpBrowser::webRequested, this, [this](const QUrl& url) {
        if (!QDesktopServices::openUrl(url))
            m_status->setText(tr("No browser opens %1").arg(url.toDisplayString()));
    });
}

QAction* HelpWindow::addTool(QToolBar& bar, const QString& iconName, const QString& text, const QKeySequence& key)
{
    QAction* action = bar.addAction(icon(iconName), text);
    action->setShortcut(key);
    action->setToolTip(key.isEmpty() ? text : tr("%1 (%2)").arg(text, key.toString(QKeySequence::NativeText)));
    return action;
}

void HelpWindow::buildBar()
{
    auto* bar = new QToolBar(tr("Manual"), this);
    layout()->setMenuBar(bar);
    QAction* back = addTool(*bar, u"chevron-left"_s, tr("Back"), QKeySequence::Back);
    QAction* forward = addTool(*bar, u"chevron-right"_s, tr("Forward"), QKeySequence::Forward);
    QAction* contents = addTool(*bar, u"info"_s, tr("Contents"), QKeySequence(Qt::ALT | Qt::Key_Home));
    for (QAction* action : {back, forward})
        action->setEnabled(false);
    connect(back, &QAction::triggered, m_browser, &QTextBrowser::backward);
    connect(forward, &QAction::triggered, m_browser, &QTextBrowser::forward);
    connect(m_browser, &QTextBrowser::backwardAvailable, back, &QAction::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, forward, &QAction::setEnabled);
    connect(contents, &QAction::triggered, this, [this] { showPage(u"manual/index.md"_s); });
    bar->addSeparator();
    m_find->setPlaceholderText(tr("Find in this page"));
    m_find->setAccessibleName(tr("Find in this page"));
    m_find->setClearButtonEnabled(true);
    m_find->setMaximumWidth(260);
    bar->addWidget(m_find);
    m_status->setContentsMargins(8, 0, 8, 0);
    bar->addWidget(m_status);
    connect(m_find, &QLineEdit::textChanged, this, [this] {
        QTextCursor start = m_browser->textCursor();
        start.setPosition(start.selectionStart());
        m_browser->setTextCursor(start);
        findInPage(Direction::Next);
    });
    connect(m_find, &QLineEdit::returnPressed, this, [this] { findInPage(Direction::Next); });
    const auto shortcut = [this](const QKeySequence& key, auto act) {
        auto* action = new QAction(this);
        action->setShortcut(key);
        addAction(action);
        connect(action, &QAction::triggered, this, act);
    };
    shortcut(QKeySequence::Find, [this] {
        m_find->setFocus();
        m_find->selectAll();
    });
    shortcut(QKeySequence::FindNext, [this] { findInPage(Direction::Next); });
    shortcut(QKeySequence::FindPrevious, [this] { findInPage(Direction::Previous); });
    shortcut(QKeySequence::ZoomIn, [this] { m_browser->zoomIn(); });
    shortcut(QKeySequence::ZoomOut, [this] { m_browser->zoomOut(); });
}

void HelpWindow::showPage(const QString& page)
{
    if (!m_browser->showPage(page))
        m_status->setText(tr("%1 is missing; install Attnscope again").arg(page));
    show();
    raise();
    activateWindow();
    m_browser->setFocus();
}

void HelpWindow::findInPage(Direction direction)
{
    const QString text = m_find->text();
    if (!text.isEmpty()) {
        const QTextDocument::FindFlags flags = direction == Direction::Previous ? QTextDocument::FindBackward
                                                                                : QTextDocument::FindFlags();
        if (!m_browser->find(text, flags)) {  // goes round at the end
            QTextCursor from = m_browser->textCursor();
            from.movePosition(direction == Direction::Previous ? QTextCursor::End : QTextCursor::Start);
            m_browser->setTextCursor(from);
            m_browser->find(text, flags);
        }
    }
    highlight();
}

/// Marks every occurrence, and says which of them is the current one.
void HelpWindow::highlight()
{
    QList<QTextEdit::ExtraSelection> marks;
    int current = 0;
    const QString text = m_find->text();
    for (QTextCursor at = text.isEmpty() ? QTextCursor() : m_browser->document()->find(text); !at.isNull();
         at = m_browser->document()->find(text, at)) {
        QTextCharFormat format;
        format.setBackground(palette().alternateBase());
        format.setFontUnderline(true);
        marks << QTextEdit::ExtraSelection{at, format};
        if (at.selectionStart() == m_browser->textCursor().selectionStart())
            current = int(marks.size());
    }
    m_browser->setExtraSelections(marks);
    m_status->setText(text.isEmpty()    ? QString()
                      : marks.isEmpty() ? tr("Not found")
                                        : tr("%1 of %2").arg(current).arg(marks.size()));
}

}

#pragma once

#include <QDialog>

class QLabel;
class QLineEdit;
class QToolBar;

namespace attnscope::ui {

class HelpBrowser;

/// The manual in a window of its own, which stays open next to the program: back, forward, contents, and a search in the page.
class HelpWindow : public QDialog {
    Q_OBJECT
public:
    /// `folder` has the pages (docs in the source); the contents are `manual/index.md`.
    explicit HelpWindow(const QString& folder, QWidget* parent = nullptr);

    /// Shows a page and raises the window. Where there is no such page, it says so.
    void showPage(const QString& page);
    HelpBrowser* browser() const { return m_browser; }
    QLineEdit* findField() const { return m_find; }
    /// "2 of 5", "Not found", or what became of a link.
    QLabel* status() const { return m_status; }

private:
    enum class Direction { Next, Previous };
    void buildBar();
    QAction* addTool(QToolBar& bar, const QString& icon, const QString& text, const QKeySequence& key);
    void findInPage(Direction direction);
    void highlight();

    HelpBrowser* m_browser;
    QLineEdit* m_find;
    QLabel* m_status;
};

}

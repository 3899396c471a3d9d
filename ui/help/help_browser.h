#pragma once

#include <QTextBrowser>

namespace attnscope::ui {

/// The name under which GitHub links to a heading: lower case, blanks as hyphens, no punctuation ("What `--cache` keeps": "what---cache-keeps").
QString headingAnchor(const QString& heading);

/// Shows the Markdown pages of a folder. Links between them are followed, also to headings; others are reported.
class HelpBrowser : public QTextBrowser {
    Q_OBJECT
public:
    explicit HelpBrowser(const QString& folder, QWidget* parent = nullptr);

    /// A page of the folder, optionally with a heading: "manual/index.md", "batch-screen.md#results". False: there is no such page.
    bool showPage(const QString& page);
    /// The page that is shown, relative to the folder.
    QString page() const;
    /// Images are scaled down to the width of the text.
    QVariant loadResource(int type, const QUrl& name) override;

signals:
    /// Another page is there, with its heading as the title.
    void pageShown();
    /// A link to a file that is not part of the folder.
    void pageMissing(const QString& path);
    /// A link to the web.
    void webRequested(const QUrl& url);

protected:
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;

private:
    void follow(const QUrl& link);
    void styleTables();
    void scrollToHeading(const QString& anchor);

    QString m_folder;
};

}

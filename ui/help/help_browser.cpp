#include "ui/help/help_browser.h"

#include "ui/style/qt_text.h"

#include <QDir>
#include <QImageReader>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextTable>

#include <algorithm>

namespace attnscope::ui {

namespace {

constexpr int pageMargin = 20;

bool isWeb(const QUrl& url)
{
    return url.scheme() == "https"_L1 || url.scheme() == "http"_L1;
}

}

QString headingAnchor(const QString& heading)
{
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_'))
            anchor += c;
        else if (c.isSpace())
            anchor += QLatin1Char('-');
    return anchor;
}

HelpBrowser::HelpBrowser(const QString& folder, QWidget* parent)
    : QTextBrowser(parent)
    , m_folder(QFileInfo(folder).canonicalFilePath())
{
    setOpenLinks(false);
    setFrameShape(QFrame::NoFrame);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // images are scaled to the room that is left next to it
    setAccessibleName(tr("Manual"));
    document()->setDocumentMargin(pageMargin);
    connect(this, &QTextBrowser::anchorClicked, this, &HelpBrowser::follow);
    connect(this, &QTextBrowser::historyChanged, this,
            [this] {  // forth or back; `sourceChanged` comes before the page
                styleTables();
                setDocumentTitle(document()->begin().text());
                emit pageShown();
            });
}

bool HelpBrowser::showPage(const QString& page)
{
    const QString path = m_folder + QLatin1Char('/') + page.section(QLatin1Char('#'), 0, 0);
    if (m_folder.isEmpty() || !QFileInfo(path).isFile())
        return false;
    QUrl url = QUrl::fromLocalFile(QFileInfo(path).canonicalFilePath());
    url.setFragment(page.section(QLatin1Char('#'), 1));
    setSource(url, QTextDocument::MarkdownResource);
    return true;
}

QString HelpBrowser::page() const
{
    return source().isEmpty() ? QString() : QDir(m_folder).relativeFilePath(source().toLocalFile());
}

QVariant HelpBrowser::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource)
        return QTextBrowser::loadResource(type, name);
    QImageReader reader(source().resolved(name).toLocalFile());
    const int room = std::max(200, viewport()->width() - 2 * pageMargin);
    const QSize size = reader.size();
    if (size.width() > room)
        reader.setScaledSize(size.scaled(room, size.height(), Qt::KeepAspectRatio));
    return reader.read();
}

void HelpBrowser::doSetSource(const QUrl& url, QTextDocument::ResourceType type)
{
    QTextBrowser::doSetSource(url, type);
    if (url.hasFragment())
        scrollToHeading(url.fragment());
}

void HelpBrowser::follow(const QUrl& link)
{
    if (isWeb(link)) {
        emit webRequested(link);
        return;
    }
    const QUrl target = source().resolved(link);
    const QString path = target.toLocalFile(), inside = QFileInfo(path).canonicalFilePath();
    if (!inside.startsWith(m_folder + QLatin1Char('/')) || !inside.endsWith(".md"_L1)) {
        emit pageMissing(QDir(m_folder).relativeFilePath(path));
        return;
    }
    setSource(target, QTextDocument::MarkdownResource);
}

/// Hairlines and room in place of the double frame of Qt's tables.
void HelpBrowser::styleTables()
{
    for (QTextFrame* frame : document()->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame); table != nullptr) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderCollapse(true);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(palette().mid());
            format.setCellPadding(5);
            table->setFormat(format);
        }
}

void HelpBrowser::scrollToHeading(const QString& anchor)
{
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || headingAnchor(block.text()) != anchor)
            continue;
        setTextCursor(QTextCursor(block));
        verticalScrollBar()->setValue(cursorRect().top() + verticalScrollBar()->value() - pageMargin / 2);
        return;
    }
}

}

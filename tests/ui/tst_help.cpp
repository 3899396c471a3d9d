// The manual: its pages, its window, and F1.
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/help/help_browser.h"
#include "ui/help/help_window.h"

#include <QDirIterator>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>

#include <algorithm>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using namespace attnscope::ui::test;

namespace {

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// Of a page of the documents: what its first line says.
QString headingOf(const QString& page)
{
    return textOf(QStringLiteral(DOCS_DIR "/") + page).section(QLatin1Char('\n'), 0, 0).mid(2);
}

/// The anchors of the headings of a page, outside code.
QStringList anchorsOf(const QString& text)
{
    QStringList anchors;
    for (const QString& line : text.split(QLatin1Char('\n')))
        if (line.startsWith(QLatin1Char('#')))
            anchors << headingAnchor(line.section(QLatin1Char(' '), 1));
    return anchors;
}

}

class TestHelp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { prepareApplication(); }

    void anchorsAreThoseOfGitHub()
    {
        QCOMPARE(headingAnchor(u"What `--cache` keeps"_s), u"what---cache-keeps"_s);
        QCOMPARE(headingAnchor(u"Latency (`latency_ms`)"_s), u"latency-latency_ms"_s);
    }

    /// Every link of every page leads to a file that exists, and every anchor to a heading.
    void linksLeadSomewhere()
    {
        int links = 0;
        static const QRegularExpression link(u"\\]\\(([^)\\s]+)\\)"_s);
        QDirIterator pages(QStringLiteral(DOCS_DIR), {u"*.md"_s}, QDir::Files, QDirIterator::Subdirectories);
        while (pages.hasNext()) {
            const QString page = pages.next(), text = textOf(page);
            for (auto found = link.globalMatch(text); found.hasNext(); ++links) {
                const QString target = found.next().captured(1);
                if (target.contains(u"://"_s))
                    continue;
                const QString file = target.section(QLatin1Char('#'), 0, 0),
                              anchor = target.section(QLatin1Char('#'), 1);
                const QString path = file.isEmpty() ? page : QFileInfo(page).dir().filePath(file);
                QVERIFY2(QFileInfo::exists(path), qPrintable(page + u": "_s + target));
                if (!anchor.isEmpty())
                    QVERIFY2(anchorsOf(textOf(path)).contains(anchor), qPrintable(page + u": "_s + target));
            }
        }
        QVERIFY(links > 100);
    }

    void everyScreenHasAPage()
    {
        ScreenBackends backends;
        backends.training = coreTraining({});
        backends.scale = coreScale();
        backends.neighbours = coreNeighbours({});
        const std::vector<Screen> all = screens(backends);
        QCOMPARE(all.size(), size_t(8));
        HelpBrowser browser(QStringLiteral(DOCS_DIR));
        for (const Screen& screen : all) {
            QVERIFY2(browser.showPage(screen.help), qPrintable(screen.name));
            QVERIFY2(browser.toPlainText().size() > 500, qPrintable(screen.name));
        }
    }

    void f1OpensThePageOfTheScreen()
    {
        WindowOptions options;
        options.manual = QStringLiteral(DOCS_DIR);
        WindowFixture fixture(u"light"_s, {1280, 800}, options);
        QVERIFY(fixture.window->help() == nullptr);
        fixture.window->showScreen(u"layers"_s);
        QCOMPARE(fixture.window->action(u"help"_s)->shortcut(), QKeySequence(Qt::Key_F1));
        fixture.window->action(u"help"_s)->trigger();
        HelpWindow* help = fixture.window->help();
        QVERIFY(help != nullptr && help->isVisible());
        QCOMPARE(help->browser()->page(), u"layers-screen.md"_s);
        QCOMPARE(help->windowTitle(), headingOf(u"layers-screen.md"_s) + u" – Manual"_s);
        fixture.window->showScreen(u"results"_s);
        fixture.window->action(u"help"_s)->trigger();
        QCOMPARE(fixture.window->help(), help);
        QCOMPARE(help->browser()->page(), u"batch-screen.md"_s);
        QVERIFY(help->browser()->verticalScrollBar()->value() > 0);  // at its heading Results
        fixture.window->action(u"manual"_s)->trigger();
        QCOMPARE(help->browser()->page(), u"manual/index.md"_s);
        QCOMPARE(help->windowTitle(), headingOf(u"manual/index.md"_s) + u" – Manual"_s);
        help->browser()->backward();
        QCOMPARE(help->windowTitle(), headingOf(help->browser()->page()) + u" – Manual"_s);
        help->browser()->forward();
        attnscope::ui::test::shotOf(*help, u"help"_s);
    }

    void linksAreFollowedBackAndForth()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(u"manual/index.md"_s);
        emit help.browser()->anchorClicked(QUrl(u"your-folder.md"_s));
        emit help.browser()->anchorClicked(QUrl(u"../evaluate.md#data-sets"_s));
        QCOMPARE(help.browser()->page(), u"evaluate.md"_s);
        const auto action = [&help](const QString& text) {
            const QList<QAction*> all = help.findChildren<QAction*>();
            return *std::find_if(all.begin(), all.end(),
                                 [&text](const QAction* each) { return each->text() == text; });
        };
        QAction* back = action(u"Back"_s);
        QAction* forward = action(u"Forward"_s);
        QVERIFY(back->isEnabled() && !forward->isEnabled());
        back->trigger();
        QCOMPARE(help.browser()->page(), u"manual/your-folder.md"_s);
        forward->trigger();
        QCOMPARE(help.browser()->page(), u"evaluate.md"_s);
    }

    void whatIsNotInTheManualIsSaid()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(u"architecture.md"_s);
        emit help.browser()->anchorClicked(QUrl(u"../tests/layering/rooms.txt"_s));
        QCOMPARE(help.browser()->page(), u"architecture.md"_s);
        QVERIFY2(help.status()->text().contains(u"rooms.txt"_s), qPrintable(help.status()->text()));
        HelpWindow missing(u"/nowhere/docs"_s);
        missing.showPage(u"manual/index.md"_s);
        QVERIFY2(missing.status()->text().contains(u"manual/index.md"_s), qPrintable(missing.status()->text()));
    }

    void findGoesRoundThePage()
    {
        QTemporaryDir folder;
        QFile page(folder.filePath(u"page.md"_s));
        QVERIFY(page.open(QIODevice::WriteOnly));
        page.write("# Title\n\nfirst softmax\n\nsecond softmax\n");
        page.close();
        HelpWindow help(folder.path());
        help.showPage(u"page.md"_s);
        help.findField()->setText(u"softmax"_s);
        QCOMPARE(help.status()->text(), u"1 of 2"_s);
        emit help.findField()->returnPressed();
        QCOMPARE(help.status()->text(), u"2 of 2"_s);
        emit help.findField()->returnPressed();
        QCOMPARE(help.status()->text(), u"1 of 2"_s);
        help.findField()->setText(u"performer"_s);
        QCOMPARE(help.status()->text(), u"Not found"_s);
    }

    void imagesFitTheText()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(u"manual/first-comparison.md"_s);
        const QImage image = help.browser()
                                 ->loadResource(QTextDocument::ImageResource,
                                                QUrl(u"../images/compare-light.png"_s))
                                 .value<QImage>();
        QVERIFY(!image.isNull());
        QVERIFY(image.width() <= help.browser()->viewport()->width());
        QCOMPARE(help.browser()->horizontalScrollBar()->maximum(), 0);
    }
};

ATTNSCOPE_WINDOW_TEST(TestHelp)
#include "tst_help.moc"

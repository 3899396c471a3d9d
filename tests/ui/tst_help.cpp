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
        QCOMPARE(headingAnchor(QStringLiteral("What `--cache` keeps")), QStringLiteral("what---cache-keeps"));
        QCOMPARE(headingAnchor(QStringLiteral("Latency (`latency_ms`)")), QStringLiteral("latency-latency_ms"));
    }

    /// Every link of every page leads to a file that exists, and every anchor to a heading.
    void linksLeadSomewhere()
    {
        int links = 0;
        static const QRegularExpression link(QStringLiteral("\\]\\(([^)\\s]+)\\)"));
        QDirIterator pages(QStringLiteral(DOCS_DIR), {QStringLiteral("*.md")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (pages.hasNext()) {
            const QString page = pages.next(), text = textOf(page);
            for (auto found = link.globalMatch(text); found.hasNext(); ++links) {
                const QString target = found.next().captured(1);
                if (target.contains(QStringLiteral("://")))
                    continue;
                const QString file = target.section(QLatin1Char('#'), 0, 0),
                              anchor = target.section(QLatin1Char('#'), 1);
                const QString path = file.isEmpty() ? page : QFileInfo(page).dir().filePath(file);
                QVERIFY2(QFileInfo::exists(path), qPrintable(page + QStringLiteral(": ") + target));
                if (!anchor.isEmpty())
                    QVERIFY2(anchorsOf(textOf(path)).contains(anchor),
                             qPrintable(page + QStringLiteral(": ") + target));
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
        QCOMPARE(all.size(), std::size_t(8));
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
        WindowFixture fixture(QStringLiteral("light"), {1280, 800}, options);
        QVERIFY(fixture.window->help() == nullptr);
        fixture.window->showScreen(QStringLiteral("layers"));
        QCOMPARE(fixture.window->action(QStringLiteral("help"))->shortcut(), QKeySequence(Qt::Key_F1));
        fixture.window->action(QStringLiteral("help"))->trigger();
        HelpWindow* help = fixture.window->help();
        QVERIFY(help != nullptr && help->isVisible());
        QCOMPARE(help->browser()->page(), QStringLiteral("layers-screen.md"));
        QCOMPARE(help->windowTitle(), headingOf(QStringLiteral("layers-screen.md")) + QStringLiteral(" – Manual"));
        fixture.window->showScreen(QStringLiteral("results"));
        fixture.window->action(QStringLiteral("help"))->trigger();
        QCOMPARE(fixture.window->help(), help);
        QCOMPARE(help->browser()->page(), QStringLiteral("batch-screen.md"));
        QVERIFY(help->browser()->verticalScrollBar()->value() > 0);  // at its heading Results
        fixture.window->action(QStringLiteral("manual"))->trigger();
        QCOMPARE(help->browser()->page(), QStringLiteral("manual/index.md"));
        QCOMPARE(help->windowTitle(), headingOf(QStringLiteral("manual/index.md")) + QStringLiteral(" – Manual"));
        help->browser()->backward();
        QCOMPARE(help->windowTitle(), headingOf(help->browser()->page()) + QStringLiteral(" – Manual"));
        help->browser()->forward();
        attnscope::ui::test::shotOf(*help, QStringLiteral("help"));
    }

    void linksAreFollowedBackAndForth()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(QStringLiteral("manual/index.md"));
        emit help.browser()->anchorClicked(QUrl(QStringLiteral("your-folder.md")));
        emit help.browser()->anchorClicked(QUrl(QStringLiteral("../evaluate.md#data-sets")));
        QCOMPARE(help.browser()->page(), QStringLiteral("evaluate.md"));
        const auto action = [&help](const QString& text) {
            const QList<QAction*> all = help.findChildren<QAction*>();
            return *std::find_if(all.begin(), all.end(),
                                 [&text](const QAction* each) { return each->text() == text; });
        };
        QAction* back = action(QStringLiteral("Back"));
        QAction* forward = action(QStringLiteral("Forward"));
        QVERIFY(back->isEnabled() && !forward->isEnabled());
        back->trigger();
        QCOMPARE(help.browser()->page(), QStringLiteral("manual/your-folder.md"));
        forward->trigger();
        QCOMPARE(help.browser()->page(), QStringLiteral("evaluate.md"));
    }

    void whatIsNotInTheManualIsSaid()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(QStringLiteral("architecture.md"));
        emit help.browser()->anchorClicked(QUrl(QStringLiteral("../tests/layering/rooms.txt")));
        QCOMPARE(help.browser()->page(), QStringLiteral("architecture.md"));
        QVERIFY2(help.status()->text().contains(QStringLiteral("rooms.txt")), qPrintable(help.status()->text()));
        HelpWindow missing(QStringLiteral("/nowhere/docs"));
        missing.showPage(QStringLiteral("manual/index.md"));
        QVERIFY2(missing.status()->text().contains(QStringLiteral("manual/index.md")),
                 qPrintable(missing.status()->text()));
    }

    void findGoesRoundThePage()
    {
        QTemporaryDir folder;
        QFile page(folder.filePath(QStringLiteral("page.md")));
        QVERIFY(page.open(QIODevice::WriteOnly));
        page.write("# Title\n\nfirst softmax\n\nsecond softmax\n");
        page.close();
        HelpWindow help(folder.path());
        help.showPage(QStringLiteral("page.md"));
        help.findField()->setText(QStringLiteral("softmax"));
        QCOMPARE(help.status()->text(), QStringLiteral("1 of 2"));
        emit help.findField()->returnPressed();
        QCOMPARE(help.status()->text(), QStringLiteral("2 of 2"));
        emit help.findField()->returnPressed();
        QCOMPARE(help.status()->text(), QStringLiteral("1 of 2"));
        help.findField()->setText(QStringLiteral("performer"));
        QCOMPARE(help.status()->text(), QStringLiteral("Not found"));
    }

    void imagesFitTheText()
    {
        HelpWindow help(QStringLiteral(DOCS_DIR));
        help.showPage(QStringLiteral("manual/first-comparison.md"));
        const QImage image = help.browser()
                                 ->loadResource(QTextDocument::ImageResource,
                                                QUrl(QStringLiteral("../images/compare-light.png")))
                                 .value<QImage>();
        QVERIFY(!image.isNull());
        QVERIFY(image.width() <= help.browser()->viewport()->width());
        QCOMPARE(help.browser()->horizontalScrollBar()->maximum(), 0);
    }
};

ATTNSCOPE_WINDOW_TEST(TestHelp)
#include "tst_help.moc"

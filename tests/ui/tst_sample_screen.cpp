// A screen is added by a folder and a line in the table: rail, menu, palette, keys, files and messages follow from it.
#include "tests/samples/screen/input_list_page.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_page.h"
#include "ui/window/command_palette.h"
#include "ui/window/context_bar.h"
#include "ui/window/jobs_bar.h"
#include "ui/window/rail.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>

using namespace attnscope::ui;
using attnscope::ui::test::WindowFixture;

namespace {

/// A window with the sample behind the program's own screens.
struct SampleFixture {
    SampleFixture()
    {
        std::vector<Screen> all = screens({});
        all.push_back(inputListScreen());
        own.window = std::make_unique<MainWindow>(own.engine, MainWindow::Options{}, all);
        own.window->show();
    }
    InputListPage& page() { return *own.window->page<InputListPage>(); }
    InputListSession& session() { return *own.window->session<InputListSession>(); }

    WindowFixture own;
};

}

class TestSampleScreen : public QObject {
    Q_OBJECT
private slots:
    void railMenuKeyAndPaletteHaveIt()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        QStringList rail;
        for (const QAbstractButton* button : window.findChild<Rail*>()->findChildren<QAbstractButton*>())
            rail << button->text();
        QCOMPARE(rail.back(), QStringLiteral("List"));
        QVERIFY(window.action(QStringLiteral("list")) != nullptr);
        QCOMPARE(window.action(QStringLiteral("list"))->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_8));
        window.action(QStringLiteral("list"))->trigger();
        QCOMPARE(window.screen(), QStringLiteral("list"));
        QVERIFY(window.showScreen(QStringLiteral("compare")));
        window.openPalette();
        auto* palette = window.findChild<CommandPalette*>();
        palette->field()->setText(QStringLiteral("List"));
        QCOMPARE(palette->list()->count(), 1);
        QVERIFY(!window.showScreen(QStringLiteral("nothing")));
    }

    void itTakesFilesWhileItIsShown()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.takePaths(fixture.own.images(2));
        QCOMPARE(window.screen(), QStringLiteral("compare"));  // the first of the table that takes images
        QVERIFY(window.showScreen(QStringLiteral("list")));
        QVERIFY(fixture.page().showsContents());  // the inputs are the workspace's, whoever opened them
        window.takePaths(fixture.own.images(3, QStringLiteral("other")));
        QCOMPARE(window.screen(), QStringLiteral("list"));
        QCOMPARE(fixture.session().table().rowCount(), 3);
    }

    void whatCanBeDoneFollowsIt()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.showScreen(QStringLiteral("list"));
        for (const char* name : {"run", "copy", "copyMarkdown", "export", "copyCommand"})
            QVERIFY2(!window.action(QString::fromLatin1(name))->isEnabled(), name);
        const QStringList paths = fixture.own.images(1);
        window.takePaths(paths);
        for (const char* name : {"run", "copy", "copyMarkdown", "export", "copyCommand"})
            QVERIFY2(window.action(QString::fromLatin1(name))->isEnabled(), name);
        window.action(QStringLiteral("copyCommand"))->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("attnscope-cli inspect ") + paths.front());
        window.action(QStringLiteral("copy"))->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QLatin1String("Name\tPath\n")));
    }

    void itsJobIsShownAndItsEndIsSaidElsewhere()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.showScreen(QStringLiteral("list"));
        window.takePaths(fixture.own.images(2));
        window.action(QStringLiteral("run"))->trigger();
        const auto* jobs = window.findChild<JobsBar*>();
        QVERIFY(jobs->isVisible());
        QCOMPARE(jobs->what(), QStringLiteral("count inputs"));
        QCOMPARE(window.statusText()->text(), QStringLiteral("Counting"));
        window.showScreen(QStringLiteral("results"));
        window.action(QStringLiteral("stop"))->trigger();
        QVERIFY(!jobs->isVisible());
        QStringList said;
        for (const MessageBar* bar : window.page()->findChildren<MessageBar*>())
            said << bar->sentence();
        QCOMPARE(said, QStringList{QStringLiteral("There are 2 inputs.")});
    }
};

ATTNSCOPE_WINDOW_TEST(TestSampleScreen)
#include "tst_sample_screen.moc"

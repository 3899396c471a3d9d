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
using namespace Qt::StringLiterals;
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
        QCOMPARE(rail.back(), u"List"_s);
        QVERIFY(window.action(u"list"_s) != nullptr);
        QCOMPARE(window.action(u"list"_s)->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_8));
        window.action(u"list"_s)->trigger();
        QCOMPARE(window.screen(), u"list"_s);
        QVERIFY(window.showScreen(u"compare"_s));
        window.openPalette();
        auto* palette = window.findChild<CommandPalette*>();
        palette->field()->setText(u"List"_s);
        QCOMPARE(palette->list()->count(), 1);
        QVERIFY(!window.showScreen(u"nothing"_s));
    }

    void itTakesFilesWhileItIsShown()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.takePaths(fixture.own.images(2));
        QCOMPARE(window.screen(), u"compare"_s);  // the first of the table that takes images
        QVERIFY(window.showScreen(u"list"_s));
        QVERIFY(fixture.page().showsContents());  // the inputs are the workspace's, whoever opened them
        window.takePaths(fixture.own.images(3, u"other"_s));
        QCOMPARE(window.screen(), u"list"_s);
        QCOMPARE(fixture.session().table().rowCount(), 3);
    }

    void whatCanBeDoneFollowsIt()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.showScreen(u"list"_s);
        for (const char* name : {"run", "copy", "copyMarkdown", "export", "copyCommand"})
            QVERIFY2(!window.action(QString::fromLatin1(name))->isEnabled(), name);
        const QStringList paths = fixture.own.images(1);
        window.takePaths(paths);
        for (const char* name : {"run", "copy", "copyMarkdown", "export", "copyCommand"})
            QVERIFY2(window.action(QString::fromLatin1(name))->isEnabled(), name);
        window.action(u"copyCommand"_s)->trigger();
        QCOMPARE(QGuiApplication::clipboard()->text(), u"attnscope-cli inspect "_s + paths.front());
        window.action(u"copy"_s)->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().startsWith("Name\tPath\n"_L1));
    }

    void itsJobIsShownAndItsEndIsSaidElsewhere()
    {
        SampleFixture fixture;
        MainWindow& window = *fixture.own.window;
        window.showScreen(u"list"_s);
        window.takePaths(fixture.own.images(2));
        window.action(u"run"_s)->trigger();
        const auto* jobs = window.findChild<JobsBar*>();
        QVERIFY(jobs->isVisible());
        QCOMPARE(jobs->what(), u"count inputs"_s);
        QCOMPARE(window.statusText()->text(), u"Counting"_s);
        window.showScreen(u"results"_s);
        window.action(u"stop"_s)->trigger();
        QVERIFY(!jobs->isVisible());
        QStringList said;
        for (const MessageBar* bar : window.page()->findChildren<MessageBar*>())
            said << bar->sentence();
        QCOMPARE(said, QStringList{u"There are 2 inputs."_s});
    }
};

ATTNSCOPE_WINDOW_TEST(TestSampleScreen)
#include "tst_sample_screen.moc"

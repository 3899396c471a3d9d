// Two checkpoints on Compare: one is dropped after the other, and columns of both are measured in one run.
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_card.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/table/column_header.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/context_bar.h"
#include "ui/workspace/backends_panel.h"

#include "core/base/json.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

const QString demo = QStringLiteral(RESOURCE_DIR "/demo/");
const QString first = demo + u"models/deit.safetensors"_s, second = demo + u"models/deit_lara.safetensors"_s,
              clips = demo + u"models/motionformer.safetensors"_s;

WindowOptions quickOptions(const QString& theme = u"light"_s)
{
    WindowOptions options;
    options.loaded.settings.theme = theme;
    options.loaded.settings.seconds = 0;
    options.loaded.settings.repetitions = 2;
    options.loaded.settings.seeds = 1;
    options.loaded.settings.specs = {u"softmax"_s, u"lara:samples=16"_s};
    return options;
}

/// A window with the first checkpoint, as if it had been dropped.
struct NetworksFixture {
    explicit NetworksFixture(const WindowOptions& options = quickOptions(), QSize size = {1280, 800})
        : window(engine, options, screens({}))
    {
        window.resize(size);
        window.show();
        drop(first);
    }
    Workspace& workspace() { return window.workspace(); }
    BackendList& backends() { return workspace().backends(); }
    RunTableModel& runs() { return window.session<CompareSession>()->runs(); }
    void drop(const QString& path)
    {
        QSignalSpy taken(&workspace(), &Workspace::checkpointTaken),
            added(&workspace(), &Workspace::checkpointAdded), refused(&workspace(), &Workspace::problem);
        window.takePaths({path});
        if (!QTest::qWaitFor([&] { return !taken.empty() || !added.empty() || !refused.empty(); }, 20'000))
            qFatal("nothing became of the checkpoint");
        if (!refused.empty())
            problem = refused.front().front().toString();
    }
    void run()
    {
        window.openPaths({demo + u"photos/cat.jpg"_s});
        if (!QTest::qWaitFor([&] { return !window.session<CompareSession>()->isRunning(); }, 120'000 * slowdown))
            qFatal("the comparison did not end");
        QTest::qWait(60);
    }
    int column(const QString& spec)
    {
        for (int column = 0; column < runs().columnCount(); ++column)
            if (runs().column(column).spec == spec)
                return column;
        return -1;
    }
    /// The visible link of that name; null: there is none.
    QPushButton* link(const QString& text)
    {
        for (QPushButton* button : window.page()->findChildren<QPushButton*>())
            if (button->text() == text && button->isVisible())
                return button;
        return nullptr;
    }

    QString problem;
    Engine engine{coreWorkbench()};
    MainWindow window;
};

}

class TestCompareNetworks : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void twoDropsAreComparedInOneRun()
    {
        NetworksFixture fixture;
        QVERIFY(fixture.workspace().furtherCheckpoints().empty());
        fixture.drop(second);
        QCOMPARE(fixture.workspace().context().weights, first);
        QCOMPARE(fixture.workspace().furtherCheckpoints().size(), size_t{1});
        fixture.run();
        RunTableModel& runs = fixture.runs();
        QCOMPARE(runs.columnCount(), 3);
        const int trained = fixture.column(u"softmax"_s), swapped = fixture.column(u"lara:samples=16"_s);
        const int own = 3 - trained - swapped;
        QVERIFY2(runs.column(own).spec.endsWith(";checkpoint=2"_L1), qPrintable(runs.column(own).spec));
        for (int column = 0; column < 3; ++column) {
            QVERIFY2(runs.record(column)->failure.empty(), runs.record(column)->failure.c_str());
            QCOMPARE(runs.record(column)->backend, std::string(column == trained ? "softmax" : "lara"));
            QVERIFY(runs.madeWithOf(0, column).isEmpty());
        }
        QCOMPARE(runs.record(trained)->weights, WeightsKind::Trained);
        QCOMPARE(runs.record(swapped)->weights, WeightsKind::Swapped);
        QCOMPARE(runs.record(own)->weights, WeightsKind::Trained);
        QCOMPARE(runs.record(swapped)->checkpoint.path, first.toStdString());
        QCOMPARE(runs.record(own)->checkpoint.path, second.toStdString());
        QVERIFY(runs.column(own).title().endsWith(u"· deit_lara"_s));
        const auto header = [&](int column, int role) {
            return runs.headerData(column, Qt::Horizontal, role).toString();
        };
        QCOMPARE(header(swapped, RunTableModel::NetworkRole), u"deit"_s);
        QCOMPARE(header(own, RunTableModel::NetworkRole), u"deit_lara"_s);
        QVERIFY(header(own, Qt::ToolTipRole).contains(second));
        // The same in both, and of one run.
        QCOMPARE(runs.record(own)->latency->repetitions, runs.record(trained)->latency->repetitions);

        const QString command = fixture.window.page()->command();
        QVERIFY2(command.contains(u"--weights %1 --weights %2"_s.arg(first, second)), qPrintable(command));
        QVERIFY2(command.contains("'softmax;checkpoint=1'"_L1), qPrintable(command));
        QVERIFY2(command.contains(runs.column(own).spec), qPrintable(command));

        QTemporaryDir folder;
        const QString json = folder.filePath(u"all.json"_s);
        QCOMPARE(fixture.window.page<ComparePage>()->exportTo(json), QString());
        QFile file(json);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Json report = Json::parse(file.readAll().toStdString());
        QCOMPARE(report.at("other_models").size(), size_t{1});
        QCOMPARE(
            report.at("inputs").at(0).at("runs").at(size_t(own)).at("checkpoint").at("path").get<std::string>(),
            second.toStdString());
    }

    void figuresOfAReplacedNetworkAreStaleAndNoOthers()
    {
        NetworksFixture fixture;
        fixture.drop(second);
        fixture.run();
        std::vector<FurtherCheckpoint> other = fixture.workspace().furtherCheckpoints();
        other.front().weights = demo + u"models/deit_performer.safetensors"_s;
        fixture.backends().setFurtherCheckpoints(other);
        for (int column = 0; column < 3; ++column)
            QCOMPARE(fixture.runs().madeWithOf(0, column).isEmpty(),
                     !fixture.runs().column(column).spec.contains("checkpoint"_L1));
    }

    void whatIsThereIsNotAddedTwiceAndWhatTakesClipsIsRefused()
    {
        NetworksFixture fixture;
        QTRY_VERIFY(fixture.workspace().model());
        fixture.drop(second);
        fixture.drop(second);
        fixture.drop(first);
        QCOMPARE(fixture.workspace().furtherCheckpoints().size(), size_t{1});
        fixture.drop(clips);
        QCOMPARE(fixture.workspace().furtherCheckpoints().size(), size_t{1});
        QVERIFY2(
            fixture.problem.startsWith("motionformer.safetensors cannot be compared with deit.safetensors"_L1),
            qPrintable(fixture.problem));
    }

    void itReplacesInsteadOrGoesAgain()
    {
        NetworksFixture fixture;
        const QStringList before = fixture.backends().allSpecs();
        fixture.drop(second);
        QTRY_VERIFY(fixture.link(u"Replace instead"_s) != nullptr);
        QTest::qWait(800);  // steps in quick succession are undone as one
        fixture.link(u"Replace instead"_s)->click();
        QCOMPARE(fixture.workspace().context().weights, second);
        QVERIFY(fixture.workspace().furtherCheckpoints().empty());
        QCOMPARE(fixture.backends().allSpecs(), before);
        fixture.window.action(u"undo"_s)->trigger();  // does not bring back the one that is the first by now
        QVERIFY(fixture.workspace().furtherCheckpoints().empty());
        fixture.drop(first);
        QCOMPARE(fixture.backends().allSpecs().size(), before.size() + 1);
        QTest::qWait(800);
        fixture.backends().removeCheckpoint(2);
        QCOMPARE(fixture.backends().allSpecs(), before);
        fixture.window.action(u"undo"_s)->trigger();
        QCOMPARE(fixture.workspace().furtherCheckpoints().size(), size_t{1});
        QCOMPARE(fixture.backends().allSpecs().size(), before.size() + 1);
    }

    void laterNetworksMoveUp()
    {
        BackendList list;
        list.setFirstNetwork(u"/a/model.safetensors"_s);
        list.addCheckpoint({u"/b/model.safetensors"_s}, AttentionSpec::parse("performer"));
        list.addCheckpoint({u"/c/lara.pth"_s, u"deit_tiny_patch16_224"_s}, AttentionSpec::parse("lara"));
        QCOMPARE(list.networks(), QStringList({u"a/model"_s, u"b/model"_s, u"lara"_s}));
        QVERIFY(list.allSpecs().contains(u"lara;checkpoint=3"_s));
        const int id = list.allColumns().back().id;
        QVERIFY(list.setSpec(id, u"lara;checkpoint=9"_s).contains("only 3"_L1));
        list.removeCheckpoint(2);
        QVERIFY(list.allSpecs().contains(u"lara;checkpoint=2"_s));
        QVERIFY(!list.allSpecs().join(u' ').contains("performer;"_L1));
        QVERIFY(!list.checkedSpecs().join(u' ').contains("checkpoint"_L1));
        QCOMPARE(list.setSpec(id, u"nystrom;checkpoint=/c/lara.pth"_s), QString());
        QVERIFY(list.allSpecs().contains(u"nystrom;checkpoint=2"_s));
        list.setNetwork(id, 1);
        list.setDtype(id, u"bfloat16"_s);
        QVERIFY(list.allSpecs().contains(u"nystrom;dtype=bfloat16"_s));
        QVERIFY(!list.checkedSpecs().contains(u"nystrom;dtype=bfloat16"_s));
    }

    void theNextStartHasThemAgain()
    {
        QTemporaryDir folder;
        WindowOptions options = quickOptions();
        options.settingsPath = folder.filePath(u"attnscope.ini"_s);
        QStringList specs;
        {
            NetworksFixture fixture(options);
            fixture.drop(second);
            fixture.run();
            specs = fixture.backends().allSpecs();
            fixture.window.end();
        }
        options.loaded = loadSettings(options.settingsPath);
        QCOMPARE(options.loaded.problem, QString());
        Engine engine(coreWorkbench());
        MainWindow window(engine, options, screens({}));
        window.restoreSession();
        window.restoreResults();
        QCOMPARE(window.workspace().backends().allSpecs(), specs);
        QCOMPARE(window.workspace().furtherCheckpoints().front().weights, second);
        const RunTableModel& runs = window.session<CompareSession>()->runs();
        for (int column = 0; column < runs.columnCount(); ++column) {
            QVERIFY(runs.record(column));
            QCOMPARE(runs.madeWithOf(0, column), QString());
        }
    }

    void aNetworkThatIsGoneFailsAtItsColumns()
    {
        QTemporaryDir folder;
        const QString copy = folder.filePath(u"copy.safetensors"_s);
        NetworksFixture fixture;
        QVERIFY(QFile::copy(second, copy));
        fixture.drop(copy);
        QVERIFY(QFile::remove(copy));
        fixture.run();
        for (int column = 0; column < fixture.runs().columnCount(); ++column)
            QCOMPARE(fixture.runs().record(column)->failure.empty(),
                     !fixture.runs().column(column).spec.contains("checkpoint"_L1));
    }

    void theDockAndOtherScreensSayWhatRunsWhere()
    {
        NetworksFixture fixture;
        fixture.drop(second);
        const int id = fixture.backends().allColumns().back().id;
        const BackendRow* row = nullptr;
        QTRY_VERIFY((row = fixture.window.backendsPanel()->row(id)) != nullptr);
        QCOMPARE(row->networkChoice()->currentText(), u"deit_lara"_s);
        QStringList words;
        for (const QLabel* label : row->findChildren<QLabel*>())
            words << label->text();
        QVERIFY(words.contains(u"deit_lara"_s));
        QVERIFY(fixture.window.showScreen(u"layers"_s));
        const auto texts = [&] {
            QString all;
            for (const QLabel* label : fixture.window.page()->findChildren<QLabel*>())
                all += label->text();
            return all;
        };
        if (!fixture.window.page()->uses().networks)
            QVERIFY(texts().contains("This screen runs deit alone"_L1));
    }

    void looks_data() { test::addLooks(); }
    void looks()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        NetworksFixture fixture(quickOptions(theme), size);
        fixture.window.setTheme(theme);
        fixture.drop(second);
        fixture.run();
        QTest::qWait(100);
        test::shotOf(fixture.window, u"compare-networks-%1-%2"_s.arg(theme).arg(size.width()));
        const auto* header = fixture.window.page<ComparePage>()->card()->findChild<BackendHeader*>();
        for (int section = 0; section < header->count(); ++section)
            QVERIFY(header->nameWidth(section) <= header->nameRoom(section));
    }
};

ATTNSCOPE_WINDOW_TEST(TestCompareNetworks)
#include "tst_compare_networks.moc"

// Two networks on the Layers screen, over the real engine: checkpoints of the demo.
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/layers/layers_page.h"
#include "ui/layers/maps/map_view.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/message_stack.h"
#include "ui/widgets/page_head.h"
#include "ui/workspace/instrument_tab.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTableView>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;
using namespace attnscope::ui::test;

namespace {

QString demoFile(const QString& name)
{
    return QStringLiteral(RESOURCE_DIR "/demo/") + name;
}

QStringList photos(qsizetype count)
{
    const QDir folder(demoFile(u"photos"_s));
    QStringList paths;
    for (const QString& name : folder.entryList({u"*.jpg"_s}).mid(0, count))
        paths << folder.filePath(name);
    return paths;
}

/// A window on the tab, with the demo's DeiT and some photographs.
struct NetworksFixture {
    explicit NetworksFixture(qsizetype inputs = 6, const QString& theme = u"light"_s, QSize size = {1280, 800})
    {
        WindowOptions options;
        options.loaded.settings.theme = theme;
        window = std::make_unique<MainWindow>(engine, options, screens({}));
        window->resize(size);
        window->setTheme(theme);
        window->show();
        window->workspace().useCheckpoint(demoFile(u"models/deit.safetensors"_s), {}, 0);
        window->workspace().takeInputs(photos(inputs));
        window->showScreen(u"layers"_s);
        page().showTab(LayersPage::Tab::Networks);
    }
    LayersPage& page() { return *window->page<LayersPage>(); }
    InstrumentTab& tab() { return *page().networks(); }
    NetworksSession& session() { return window->session<LayersSession>()->networks(); }
    PathField& field() { return *tab().findChild<PathField*>(); }
    MapView& map(int place) { return *tab().findChildren<MapView*>()[place]; }
    bool ran()
    {
        page().run();
        return session().isRunning()
               && QTest::qWaitFor([this] { return !session().isRunning(); }, 120'000 * slowdown);
    }
    bool hasMaps()
    {
        return QTest::qWaitFor([this] { return map(1).map() && map(2).map(); }, 60'000 * slowdown);
    }

    Engine engine{coreWorkbench()};
    std::unique_ptr<MainWindow> window;
};

}

class TestNetworksTab : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { prepareApplication(); }

    void aDroppedCheckpointIsComparedWithTheOpenOne()
    {
        NetworksFixture fixture;
        QVERIFY(!fixture.page().canRun());
        fixture.window->takePaths({demoFile(u"models/deit_lara.safetensors"_s)});
        QTRY_COMPARE(fixture.field().path(), demoFile(u"models/deit_lara.safetensors"_s));
        QCOMPARE(fixture.window->workspace().context().weights, demoFile(u"models/deit.safetensors"_s));
        QVERIFY(fixture.ran());
        const NetworkComparison& report = *fixture.session().report();
        QCOMPARE(report.inputs.size(), size_t(6));
        QVERIFY(report.cka.size() == 6 && report.drift.size() == 6 && report.drift.back() > 0.01);
        QVERIFY(!report.weights.empty() && report.description.size() == 1);
        QCOMPARE(fixture.tab().chartViews().front().view->chart().series.front().points.size(), size_t(6));
        QCOMPARE(fixture.tab().table()->model()->rowCount(), 6);
        QVERIFY(fixture.tab().head()->headline()->text().contains(u"block."_s));
        QVERIFY(fixture.page().command().contains(u"--against"_s)
                && fixture.page().command().startsWith(u"attnscope-cli layers"_s));
        QVERIFY(fixture.tab().staleText().isEmpty());

        QVERIFY(fixture.hasMaps());
        QCOMPARE(fixture.map(0).rows(), 6);
        const auto mapOfFirst = fixture.map(1).map()->values, mapOfSecond = fixture.map(2).map()->values;
        emit fixture.map(0).patchChosen(5, 2);  // the last block of the first, the third of the second
        QVERIFY(fixture.map(1).map()->values != mapOfFirst && fixture.map(2).map()->values != mapOfSecond);
        const auto ofClassToken = fixture.map(1).map()->values;
        emit fixture.map(2).patchChosen(3, 4);
        QTRY_VERIFY_WITH_TIMEOUT(fixture.map(1).map()->values != ofClassToken, 60'000 * slowdown);

        auto* tables = fixture.tab().findChild<Segments*>();
        for (const int table : {1, 2}) {
            tables->setCurrent(table);
            emit tables->chosen(table);
            QVERIFY(fixture.tab().table()->model()->rowCount() > 0);
        }
        QTemporaryDir folder;
        QCOMPARE(fixture.tab().exportTo(folder.filePath(u"all.json"_s)), QString());
        QFile json(folder.filePath(u"all.json"_s));
        QVERIFY(json.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(json.readAll()).object()["cka"_L1].toArray().size(), 6);
        QCOMPARE(fixture.tab().exportTo(folder.filePath(u"drift.svg"_s)), QString());
        for (const QSize& size : {QSize(1280, 800), QSize(1024, 640)}) {
            fixture.window->resize(size);
            QTest::qWait(200);
            QCOMPARE(cutText(fixture.tab()), QString());
        }

        // A network of other blocks in its place: nothing of the one before is left.
        fixture.field().setPath(demoFile(u"models/vit.safetensors"_s));
        QVERIFY(!fixture.tab().staleText().isEmpty());
        fixture.page().run();
        QVERIFY(!fixture.map(0).map() && !fixture.map(1).map() && !fixture.map(2).map());
        QTRY_VERIFY_WITH_TIMEOUT(fixture.session().report() != nullptr, 120'000 * slowdown);
        QVERIFY(fixture.session().report()->drift.empty() && fixture.hasMaps());
        QVERIFY(fixture.map(2).rows() != fixture.map(1).rows());
    }

    void anotherTypeOfTheSameNetworkWithTooFewInputsForCka()
    {
        NetworksFixture fixture(2);
        auto* dtype = fixture.tab().findChild<CaptionCombo*>();
        dtype->setCurrentText(u"bfloat16"_s);
        QVERIFY(fixture.ran());
        const NetworkComparison& report = *fixture.session().report();
        QCOMPARE(report.secondDtype, std::string("bfloat16"));
        QVERIFY(report.cka.empty() && report.drift.back() > 0 && report.drift.back() < 0.1);
        QVERIFY(fixture.map(0).notice().contains(u"4 inputs"_s));
        QVERIFY(fixture.page().command().contains(u"dtype=bfloat16"_s));
        dtype->setCurrentIndex(0);
        QVERIFY(!fixture.tab().staleText().isEmpty());
        QVERIFY(!fixture.page().canRun());
    }

    void whatCannotBeComparedIsOneSentence()
    {
        NetworksFixture fixture(1);
        for (const auto& [file, word] : {std::pair(u"models/motionformer.safetensors"_s, u"clips"_s),
                                         std::pair(u"models/nowhere.safetensors"_s, u"nowhere"_s)}) {
            fixture.field().setPath(demoFile(file));
            QSignalSpy problems(&fixture.session(), &Session::problem);
            QVERIFY(fixture.ran());
            QCOMPARE(problems.size(), 1);
            QVERIFY2(problems.front().front().toString().contains(word),
                     qPrintable(problems.front().front().toString()));
            QVERIFY(fixture.session().report() == nullptr);
        }
    }

    void itLooksAsItShould_data() { addLooks(); }
    void itLooksAsItShould()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        NetworksFixture fixture(6, theme, size);
        const QString name = u"networks-%1-%2"_s.arg(theme).arg(size.width());
        QTest::qWait(100);
        shotOf(*fixture.window, name + u"-empty"_s);
        fixture.field().setPath(demoFile(u"models/deit_lara.safetensors"_s));
        QTRY_VERIFY(!fixture.window->session<LayersSession>()->seenImage().isNull());
        QVERIFY(fixture.ran() && fixture.hasMaps());
        emit fixture.map(0).patchChosen(4, 4);
        emit fixture.map(1).patchChosen(6, 7);
        QTRY_VERIFY_WITH_TIMEOUT(!fixture.session().isAskingMaps(), 60'000 * slowdown);
        QTest::qWait(200);
        shotOf(*fixture.window, name);
        QCOMPARE(cutText(fixture.tab()), QString());
    }
};

ATTNSCOPE_WINDOW_TEST(TestNetworksTab)
#include "tst_networks_tab.moc"

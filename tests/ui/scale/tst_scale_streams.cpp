// What the Scale screen measures of causal streams (Decode) and of random features (Kernel), over a scripted laboratory and over the
// real one.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/scale_fixture.h"
#include "tests/ui/support/watchdog.h"
#include "ui/charts/legend_row.h"
#include "ui/charts/mark_check_box.h"
#include "ui/scale/decode/decode_tables.h"
#include "ui/scale/decode/decode_words.h"
#include "ui/scale/decode/mechanisms_panel.h"
#include "ui/scale/tensors/kernel_tables.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/number_fields.h"
#include "ui/window/context_bar.h"
#include "ui/workspace/option_form.h"

#include "core/lab/lab_charts.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QSpinBox>
#include <QTableView>

#include <set>

using namespace attnscope::ui;
using namespace attnscope;
using test::contents;
using test::ScaleFixture;
using test::Watchdog;

namespace {

/// The id of the entry with this specification; 0: there is none.
int idOf(const MechanismList& list, const char* mechanism)
{
    for (const MechanismList::Entry& each : list.entries())
        if (each.spec.canonical() == mechanism)
            return each.id;
    return 0;
}

/// Only these are measured.
void checkOnly(MechanismList& list, const std::set<std::string>& mechanisms)
{
    for (const MechanismList::Entry& each : std::vector<MechanismList::Entry>(list.entries()))
        list.setChecked(each.id, mechanisms.contains(each.spec.canonical()));
}

}

class TestScaleStreams : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void emptyTabSaysWhatWillBeMeasured()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        const QString line = tab.empty()->words().line;
        QVERIFY2(line.contains(QStringLiteral("10 mechanisms"))
                     && line.contains(QStringLiteral("up to 65\u202f536 tokens"))
                     && line.contains(QStringLiteral("about ")),
                 qPrintable(line));
        fixture.fixture.shot(QStringLiteral("decode-empty"));
        // Every mechanism of the registry but the cache, which is measured in any case.
        std::set<std::string> names;
        for (const MechanismList::Entry& each : tab.mechanisms().entries())
            names.insert(each.spec.info().name);
        for (const StreamInfo& info : streamInfos())
            QCOMPARE(names.contains(info.name), info.kind != StreamKind::Cache);
        tab.positions()->setText(QStringLiteral("64, 32"));
        QVERIFY(tab.empty()->words().line.contains(QStringLiteral("in ascending order")));
        QVERIFY(!fixture.page->canRun());
        tab.positions()->setText(QStringLiteral("32, 64"));
        checkOnly(tab.mechanisms(), {});
        QVERIFY(tab.empty()->words().line.startsWith(QStringLiteral("Select a mechanism")));
        QVERIFY(!fixture.page->canRun());
        checkOnly(tab.mechanisms(), {"rfa", "elu"});
        QVERIFY2(tab.empty()->words().line.contains(QStringLiteral("rfa and elu")),
                 qPrintable(tab.empty()->words().line));
    }

    void mechanismsStandWhereTheBackendsAre()
    {
        ScaleFixture fixture;
        const auto* dock = fixture.window->findChild<QDockWidget*>();
        QVERIFY(dock != nullptr && dock->isVisible());
        DecodeTab& tab = *show(fixture);
        QVERIFY(!dock->isVisible() && tab.panel()->isVisible());
        fixture.page->showTab(ScaleSession::Samples);
        QVERIFY(dock->isVisible() && !tab.panel()->isVisible());
    }

    void optionsComeFromTheRegistry()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        MechanismList& list = tab.mechanisms();
        const int id = idOf(list, "rfa");
        QVERIFY(id != 0);
        MechanismRow* row = tab.panel()->row(id);
        QVERIFY(!row->mainOptions()->isVisible());
        QTest::mouseClick(row->opener(), Qt::LeftButton);
        QVERIFY(row->mainOptions()->isVisible() && row->specField()->isVisible());
        auto* samples = qobject_cast<QSpinBox*>(row->mainOptions()->control(QStringLiteral("samples")));
        auto* norm = qobject_cast<QComboBox*>(row->mainOptions()->control(QStringLiteral("norm")));
        QVERIFY(samples != nullptr && norm != nullptr);
        samples->setValue(128);
        norm->setCurrentText(QStringLiteral("exact"));
        QCOMPARE(row->specField()->text(), QStringLiteral("rfa:samples=128,norm=exact"));
        QCOMPARE(row->tick()->name(), QString::fromUtf8("rfa · samples=128, norm=exact"));
        // As text, too; what is wrong is a sentence that names the alternatives.
        row->specField()->setText(QStringLiteral("rfa:norm=l7"));
        emit row->specField()->editingFinished();
        QVERIFY2(row->problem()->isVisible() && row->problem()->text().contains(QStringLiteral("unit")),
                 qPrintable(row->problem()->text()));
        row->specField()->setText(QStringLiteral("cache"));
        emit row->specField()->editingFinished();
        QVERIFY(row->problem()->text().contains(QStringLiteral("in any case")));
        QCOMPARE(list.entry(id)->spec.canonical(), std::string("rfa:samples=128,norm=exact"));
        // A second one, of another kind in the end.
        const std::size_t before = list.entries().size();
        QTest::mouseClick(row->duplicateLink(), Qt::LeftButton);
        QCOMPARE(list.entries().size(), before + 1);
        QTest::qWait(20);
        const int second = list.entries()[3].id;  // behind the last one of its name
        QCOMPARE(list.setSpec(second, QStringLiteral("window:window=7")), QString());
        QTest::qWait(20);
        row = tab.panel()->row(second);
        QVERIFY(row->mainOptions()->control(QStringLiteral("window")) != nullptr
                && row->mainOptions()->isVisible());
        row->removeLink()->click();
        QCOMPARE(list.entries().size(), before);
    }

    void marksAreThoseOfTheCharts()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        checkOnly(tab.mechanisms(), {"rfa:gate=0.99", "rfa:gate=0.99,gate_form=sum", "elu"});
        measure(fixture);
        std::set<std::string> looks;
        for (const ChartSeries& series : tab.cost()->chart().series) {
            looks.insert(series.backend);
            if (const int id = idOf(tab.mechanisms(), series.name.c_str()); id != 0)
                QCOMPARE(tab.mechanisms().look(id), toQt(series.backend));
        }
        QCOMPARE(looks.size(), std::size_t{4});
    }

    void pointsAppearAsPositionsAreReachedAndStoppingKeepsThem()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        fixture.script->hold = true;
        Watchdog watchdog;
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return session(fixture).decoded() != nullptr; }));
        QTest::qWait(100);
        QVERIFY2(tab.cost()->spoken().contains(QString::fromUtf8("1\u202f024")), qPrintable(tab.cost()->spoken()));
        QVERIFY(session(fixture).progressText().contains(QStringLiteral("1024 of 65536")));
        QVERIFY(session(fixture).part() > 0 && session(fixture).part() < 0.1);
        fixture.fixture.shot(QStringLiteral("decode-running"));
        watchdog.leaveOut();
        fixture.window->action(QStringLiteral("stop"))->trigger();
        QVERIFY(fixture.waitDone(1000));
        QCOMPARE(session(fixture).decoded()->rows.back().points.size(), std::size_t{1});
        QVERIFY2(fixture.page->headline()->text().contains(QStringLiteral("stopped early")),
                 qPrintable(fixture.page->headline()->text()));
        fixture.script->hold = false;
        measure(fixture);
        QCOMPARE(session(fixture).decoded()->rows.back().points.size(), std::size_t{4});
        QVERIFY2(watchdog.longest < 100, qPrintable(QString::number(watchdog.longest)));
    }

    void verdictNamesTheClosestOfTheFasterOnes()
    {
        ScaleFixture fixture;
        show(fixture);
        measure(fixture);
        const QString verdict = fixture.page->headline()->text();
        QVERIFY2(verdict.contains(QString::fromUtf8("mechanisms are faster than the cache at 65\u202f536 tokens; "
                                                    "rfa is closest to it: relative error 0.1")),
                 qPrintable(verdict));
        QVERIFY(decodeDetail(*session(fixture).decoded()).contains(QStringLiteral("3 heads, 64 channels")));
        DecodeReport report = *session(fixture).decoded();
        for (DecodeRow& row : report.rows)
            row.points.back().latency.roundsMs.resize(5);  // too few for a verdict
        QVERIFY2(decodeVerdict(report).startsWith(QStringLiteral("Nothing is clearly faster")),
                 qPrintable(decodeVerdict(report)));
    }

    void chartsAndTablesShowAllThatWasMeasured()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        measure(fixture);
        QCOMPARE(tab.cells().rowCount(), 11);
        QCOMPARE(tab.cells().index(0, 3).data().toString(), QString::fromUtf8("—"));
        QCOMPARE(tab.cells().index(1, 3).data().toString(), QString::fromUtf8("from 1\u202f170"));
        QCOMPARE(tab.cells().index(2, 6).data().toString(), QStringLiteral("69.0 tokens"));
        QVERIFY(tab.cells()
                    .index(2, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("a trained one depends")));
        QCOMPARE(tab.cells().index(1, 1).data().toString(), QStringLiteral("0.00"));
        tab.tables()->setCurrent(1);
        QCOMPARE(tab.cells().rowCount(), 44);
        tab.tables()->setCurrent(2);
        QCOMPARE(tab.cells().rowCount(), 13);  // two gates with a state
        QCOMPARE(tab.cells().columnCount(), 13);
        for (const auto& [quantity, title] : {std::pair(1, AxisNumbers::Bytes), std::pair(2, AxisNumbers::Plain),
                                              std::pair(0, AxisNumbers::Milliseconds)}) {
            tab.quantity()->setCurrent(quantity);
            QCOMPARE(tab.cost()->chart().y.numbers, title);
        }
        tab.legend()->setShown(QStringLiteral("elu"), false);
        QTest::qWait(60);
        QVERIFY(!tab.cost()->spoken().contains(QStringLiteral("elu"))
                && !tab.impulse()->spoken().contains(QStringLiteral("elu")));
        const QString base = fixture.fixture.folder.filePath(QStringLiteral("decode"));
        QCOMPARE(fixture.page->exportTo(base + QStringLiteral(".svg")), QString());
        QVERIFY(contents(base + QStringLiteral("-impulse.svg")).contains("<svg"));
        QCOMPARE(fixture.page->exportTo(base + QStringLiteral(".csv")), QString());
        QVERIFY(contents(base + QStringLiteral(".csv")).contains("Mechanism"));
        QCOMPARE(fixture.page->exportTo(base + QStringLiteral(".json")), QString());
        QVERIFY(contents(base + QStringLiteral(".json")).contains("\"break_even\""));
    }

    void commandRepeatsTheStream()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        checkOnly(tab.mechanisms(), {"rfa:gate=0.99", "window"});
        tab.source()->setCurrentIndex(2);
        emit tab.source()->activated(2);
        tab.positions()->setText(QStringLiteral("256, 1024"));
        tab.factor()->setValue(2);
        measure(fixture);
        QCOMPARE(fixture.script->decode.tokens, TokenKind::Recall);
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 QStringLiteral("attnscope-cli decode --mechanism rfa:gate=0.99 --mechanism window --positions "
                                "256,1024 --tokens recall "
                                "--heads 3 --head-size 64 --tau 2 --device cpu --dtype float32 --seed 0"));
        const auto stale = [&] {
            return fixture.page->stale()->isVisible() ? fixture.page->stale()->text() : QString();
        };
        QCOMPARE(stale(), QString());
        tab.mechanisms().setChecked(idOf(tab.mechanisms(), "elu"), true);
        QCOMPARE(stale(), QStringLiteral("made with --mechanism rfa:gate=0.99 window"));
        tab.mechanisms().setChecked(idOf(tab.mechanisms(), "elu"), false);
        tab.heads()->setValue(1);
        QCOMPARE(stale(), QStringLiteral("made with --heads 3"));
        tab.heads()->setValue(3);
        RunContext context = fixture.window->workspace().context();
        context.seed = 3;
        fixture.window->workspace().setContext(context);
        QCOMPARE(stale(), QStringLiteral("made with --seed 0"));
    }

    void aDumpedLayerIsAStream()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        fixture.page->take(Content::Tensors, {QStringLiteral("/data/q k v.safetensors")});
        QVERIFY(tab.isVisible() && tab.layer()->isVisible() && !tab.heads()->isVisible());
        QVERIFY2(tab.empty()->words().line.endsWith(QStringLiteral("over all tokens of q k v.safetensors.")),
                 qPrintable(tab.empty()->words().line));
        tab.layer()->setValue(5);
        measure(fixture);
        QCOMPARE(fixture.script->decode.file, std::filesystem::path("/data/q k v.safetensors"));
        QVERIFY(fixture.script->decode.positions.empty() && fixture.script->decode.layer == 5);
        fixture.page->copyCommand();
        QVERIFY2(fixture.clipboard().startsWith(
                     QStringLiteral("attnscope-cli decode '/data/q k v.safetensors' --mechanism rfa "))
                     && fixture.clipboard().contains(QStringLiteral("--layer 5")),
                 qPrintable(fixture.clipboard()));
        // Made tokens have positions of their own.
        tab.takeTensors({});
        QVERIFY(tab.positions()->text().startsWith(QStringLiteral("1024")) && tab.heads()->isVisible());
    }

    void numbersThatStreamsDoNotHaveAreRefused()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        RunContext context = fixture.window->workspace().context();
        context.dtype = QStringLiteral("bfloat16");
        fixture.window->workspace().setContext(context);
        QVERIFY2(tab.empty()->words().line.contains(QStringLiteral("choose float32 or float64")),
                 qPrintable(tab.empty()->words().line));
        QVERIFY(!fixture.page->canRun());
        context.dtype = QStringLiteral("float32");
        fixture.window->workspace().setContext(context);
        QVERIFY(fixture.page->canRun());
        fixture.script->failure = "the states need 90 GiB";
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.messages().contains(QStringLiteral("the states need 90 GiB")),
                 qPrintable(fixture.messages()));
        QVERIFY(tab.empty()->isVisible());
    }

    void featuresAreTriedOnTheModelAFileOrRandomNumbers()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Kernel);
        KernelTab& tab = *fixture.page->kernel();
        QVERIFY2(tab.empty()->words().line.contains(QStringLiteral("64 features"))
                     && tab.empty()->words().line.contains(QStringLiteral("cat.jpg")),
                 qPrintable(tab.empty()->words().line));
        fixture.fixture.shot(QStringLiteral("kernel-empty"));
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->kernel.subject.inputs, std::vector<std::string>{"/photos/cat.jpg"});
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 QStringLiteral(
                     "attnscope-cli approximate /photos/cat.jpg --weights untrained --model fake_tiny_patch16_224 "
                     "--kernel --samples 64 --device auto --dtype float32 --seed 0"));
        tab.source()->setKind(TensorSource::Kind::Random);
        tab.source()->tokens()->setValue(49);
        tab.features()->setValue(16);
        QCOMPARE(fixture.page->stale()->text(), QStringLiteral("made with cat.jpg"));
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.script->kernel.subject.random && fixture.script->kernel.subject.random->tokens == 49
                && fixture.script->kernel.request.samples == 16);
        QVERIFY2(tab.command().startsWith(
                     QStringLiteral("attnscope-cli approximate --random 49 --head-size 64 --kernel --samples 16")),
                 qPrintable(tab.command()));
        fixture.page->take(Content::Tensors, {QStringLiteral("/data/qkv.safetensors")});
        QVERIFY(tab.isVisible());
        QCOMPARE(tab.job().subject.file, std::string("/data/qkv.safetensors"));
    }

    void estimatesStandNextToTheKernel()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Kernel);
        KernelTab& tab = *fixture.page->kernel();
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.page->headline()->text().startsWith(QStringLiteral("Best with 64 features: hyperbolic")),
                 qPrintable(fixture.page->headline()->text()));
        QVERIFY2(tab.values()->spoken().contains(QStringLiteral("exact"))
                     && tab.values()->spoken().contains(QStringLiteral("positive, y = x")),
                 qPrintable(tab.values()->spoken()));
        QVERIFY(!tab.spread()->spoken().contains(QStringLiteral("y = −x")));
        tab.angles()->setCurrent(2);
        QTest::qWait(60);
        QVERIFY(tab.spread()->spoken().contains(QStringLiteral("y = −x"))
                && !tab.spread()->spoken().contains(QStringLiteral("y = x")));
        tab.legend()->setShown(QStringLiteral("positive"), false);
        QTest::qWait(60);
        QVERIFY(!tab.spread()->spoken().contains(QStringLiteral("positive"))
                && !tab.values()->spoken().contains(QStringLiteral("positive")));
        QCOMPARE(tab.cells().rowCount(), 6);
        tab.tables()->setCurrent(1);
        QCOMPARE(tab.cells().rowCount(), 25);
        QVERIFY(tab.cells().index(3, 2).data().toString().contains(QChar(0xb1)));
        const QString base = fixture.fixture.folder.filePath(QStringLiteral("kernel"));
        QCOMPARE(fixture.page->exportTo(base + QStringLiteral(".svg")), QString());
        QVERIFY(contents(base + QStringLiteral("-estimates.svg")).contains("<svg"));
    }

    void looksRight_data() { test::addLooks(); }
    void looksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        ScaleFixture fixture(theme, size);
        DecodeTab& tab = *show(fixture);
        QTest::qWait(60);
        fixture.fixture.shot(QStringLiteral("decode-empty-") + tag);
        measure(fixture);
        QTest::mouseClick(tab.panel()->row(tab.mechanisms().entries().front().id)->opener(), Qt::LeftButton);
        QTest::qWait(80);
        fixture.fixture.shot(QStringLiteral("decode-") + tag);
        QVERIFY2(tab.cost()->height() >= 110 && tab.impulse()->width() >= 260,
                 qPrintable(QString::number(tab.cost()->height())));
        QVERIFY2(tab.table()->height() >= 80, qPrintable(QString::number(tab.table()->height())));
        QCOMPARE(test::cutText(tab), QString());
        fixture.page->showTab(ScaleSession::Kernel);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        fixture.fixture.shot(QStringLiteral("kernel-") + tag);
        QVERIFY(fixture.page->kernel()->values()->height() >= 110);
        QCOMPARE(test::cutText(*fixture.page->kernel()), QString());
    }

    void theKeyboardReachesEverything()
    {
        ScaleFixture fixture;
        DecodeTab& tab = *show(fixture);
        fixture.window->activateWindow();
        const QStringList visited = test::tabbedThrough(tab, *tab.source());
        QVERIFY(!visited.isEmpty() && !visited.contains(QString()));
        for (const MechanismList::Entry& each : tab.mechanisms().entries())
            QVERIFY2(visited.contains(mechanismTitle(each.spec.canonical())), each.spec.canonical().c_str());
        QVERIFY(visited.contains(QStringLiteral("Positions in tokens"))
                && visited.contains(QStringLiteral("Options of rfa")));
    }

    void theRealLaboratoryDecodesAFewTokens()
    {
        ScaleWorker worker(coreScale(), std::make_shared<MeasuringGate>());
        DecodeRequest request;
        request.mechanisms = {StreamSpec::parse("elu"), StreamSpec::parse("window:window=8")};
        request.positions = {32, 64};
        request.heads = 1, request.width = 8, request.minimumRepetitions = 8;
        std::shared_ptr<const DecodeReport> report;
        std::size_t grew = 0;
        connect(&worker, &ScaleWorker::grew, this, [&](const ScaleResult& result) {
            const auto now = std::get<std::shared_ptr<const DecodeReport>>(result);
            QCOMPARE(now->rows.back().points.size(), ++grew);
        });
        connect(&worker, &ScaleWorker::measured, this,
                [&](const ScaleResult& now) { report = std::get<std::shared_ptr<const DecodeReport>>(now); });
        connect(&worker, &ScaleWorker::failed, this,
                [&](const QString& sentence) { QFAIL(qPrintable(sentence)); });
        worker.measure(request, 1);
        QVERIFY(QTest::qWaitFor([&] { return report != nullptr; }, 30'000));
        QCOMPARE(grew, std::size_t{2});
        QCOMPARE(decodePoints(*report).rows.size(), 6);
        QCOMPARE(decodeSummary(*report).rows.size(), 3);
        QVERIFY(decodeImpulses(*report).columns.size() > 3);
    }

    void theRealLaboratoryPlotsARandomKernel()
    {
        ScaleWorker worker(coreScale(), std::make_shared<MeasuringGate>());
        KernelJob job;
        job.subject.model.device = "cpu";
        job.subject.random = RandomTensors{.tokens = 16, .width = 16, .heads = 2};
        std::shared_ptr<const KernelReport> report;
        connect(&worker, &ScaleWorker::measured, this,
                [&](const ScaleResult& now) { report = std::get<std::shared_ptr<const KernelReport>>(now); });
        connect(&worker, &ScaleWorker::failed, this,
                [&](const QString& sentence) { QFAIL(qPrintable(sentence)); });
        worker.measure(job, 1);
        QVERIFY(QTest::qWaitFor([&] { return report != nullptr; }, 30'000));
        QCOMPARE(kernelHeads(*report).rows.size(), 2);
        const Chart chart = kernelEstimateChart(*report, KernelAngle::Same);
        QCOMPARE(chart.series.front().name, std::string("exact"));
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points)
                QVERIFY(point.y >= *chart.y.low && point.y <= *chart.y.high
                        && point.low.value_or(point.y) <= point.y);
    }

private:
    static ScaleSession& session(const ScaleFixture& fixture) { return *fixture.window->session<ScaleSession>(); }
    static DecodeTab* show(ScaleFixture& fixture)
    {
        fixture.page->showTab(ScaleSession::Decode);
        return fixture.page->decoding();
    }
    static void measure(ScaleFixture& fixture)
    {
        fixture.page->run();
        QVERIFY(fixture.waitDone());
    }
};

ATTNSCOPE_WINDOW_TEST(TestScaleStreams)
#include "tst_scale_streams.moc"

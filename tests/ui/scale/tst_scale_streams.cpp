// What the Scale screen measures of causal streams (Decode) and of random features (Kernel), over a scripted laboratory and over the
// real one.
#include "tests/support/test_class.h"
#include "tests/ui/support/cut_text.h"
#include "tests/ui/support/looks.h"
#include "tests/ui/support/scale_fixture.h"
#include "tests/ui/support/watchdog.h"
#include "ui/charts/legend_row.h"
#include "ui/charts/mark_check_box.h"
#include "ui/scale/decode/decode_words.h"
#include "ui/scale/decode/mechanisms_panel.h"
#include "ui/style/qt_text.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/number_fields.h"
#include "ui/window/context_bar.h"
#include "ui/workspace/option_form.h"

#include "core/lab/decode/decode_output.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_tables.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QSpinBox>
#include <QTableView>

#include <set>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
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
        const test::DecodeFields tab = show(fixture);
        const QString line = tab.empty()->words().line;
        QVERIFY2(line.contains(u"10 mechanisms"_s) && line.contains(u"up to 65\u202f536 tokens"_s)
                     && line.contains(u"about "_s),
                 qPrintable(line));
        fixture.fixture.shot(u"decode-empty"_s);
        // Every mechanism of the registry but the cache, which is measured in any case.
        std::set<std::string> names;
        for (const MechanismList::Entry& each : tab.mechanisms().entries())
            names.insert(each.spec.info().name);
        for (const StreamInfo& info : streamInfos())
            QCOMPARE(names.contains(info.name), info.kind != StreamKind::Cache);
        tab.positions()->setText(u"64, 32"_s);
        QVERIFY(tab.empty()->words().line.contains(u"in ascending order"_s));
        QVERIFY(!fixture.page->canRun());
        tab.positions()->setText(u"32, 64"_s);
        checkOnly(tab.mechanisms(), {});
        QVERIFY(tab.empty()->words().line.startsWith(u"Select a mechanism"_s));
        QVERIFY(!fixture.page->canRun());
        checkOnly(tab.mechanisms(), {"rfa", "elu"});
        QVERIFY2(tab.empty()->words().line.contains(u"rfa and elu"_s), qPrintable(tab.empty()->words().line));
    }

    void mechanismsStandWhereTheBackendsAre()
    {
        ScaleFixture fixture;
        const auto* dock = fixture.window->findChild<QDockWidget*>();
        QVERIFY(dock != nullptr && dock->isVisible());
        const test::DecodeFields tab = show(fixture);
        QVERIFY(!dock->isVisible() && tab.panel()->isVisible());
        fixture.page->showTab(ScaleSession::Samples);
        QVERIFY(dock->isVisible() && !tab.panel()->isVisible());
    }

    void optionsComeFromTheRegistry()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        MechanismList& list = tab.mechanisms();
        const int id = idOf(list, "rfa");
        QVERIFY(id != 0);
        MechanismRow* row = tab.panel()->row(id);
        QVERIFY(!row->mainOptions()->isVisible());
        QTest::mouseClick(row->opener(), Qt::LeftButton);
        QVERIFY(row->mainOptions()->isVisible() && row->specField()->isVisible());
        auto* samples = qobject_cast<QSpinBox*>(row->mainOptions()->control(u"samples"_s));
        auto* norm = qobject_cast<QComboBox*>(row->mainOptions()->control(u"norm"_s));
        QVERIFY(samples != nullptr && norm != nullptr);
        samples->setValue(128);
        norm->setCurrentText(u"exact"_s);
        QCOMPARE(row->specField()->text(), u"rfa:samples=128,norm=exact"_s);
        QCOMPARE(row->tick()->name(), QString::fromUtf8("rfa · samples=128, norm=exact"));
        // As text, too; what is wrong is a sentence that names the alternatives.
        row->specField()->setText(u"rfa:norm=l7"_s);
        emit row->specField()->editingFinished();
        QVERIFY2(row->problem()->isVisible() && row->problem()->text().contains(u"unit"_s),
                 qPrintable(row->problem()->text()));
        row->specField()->setText(u"cache"_s);
        emit row->specField()->editingFinished();
        QVERIFY(row->problem()->text().contains(u"in any case"_s));
        QCOMPARE(list.entry(id)->spec.canonical(), std::string("rfa:samples=128,norm=exact"));
        // A second one, of another kind in the end.
        const size_t before = list.entries().size();
        QTest::mouseClick(row->duplicateLink(), Qt::LeftButton);
        QCOMPARE(list.entries().size(), before + 1);
        QTest::qWait(20);
        const int second = list.entries()[3].id;  // behind the last one of its name
        QCOMPARE(list.setSpec(second, u"window:window=7"_s), QString());
        QTest::qWait(20);
        row = tab.panel()->row(second);
        QVERIFY(row->mainOptions()->control(u"window"_s) != nullptr && row->mainOptions()->isVisible());
        row->removeLink()->click();
        QCOMPARE(list.entries().size(), before);
    }

    void marksAreThoseOfTheCharts()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        checkOnly(tab.mechanisms(), {"rfa:gate=0.99", "rfa:gate=0.99,gate_form=sum", "elu"});
        measure(fixture);
        std::set<std::string> looks;
        for (const ChartSeries& series : tab.cost()->chart().series) {
            looks.insert(series.backend);
            if (const int id = idOf(tab.mechanisms(), series.name.c_str()); id != 0)
                QCOMPARE(tab.mechanisms().look(id), toQt(series.backend));
        }
        QCOMPARE(looks.size(), size_t{4});
    }

    void pointsAppearAsPositionsAreReachedAndStoppingKeepsThem()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        fixture.script->hold = true;
        Watchdog watchdog;
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return session(fixture).report<DecodeReport>() != nullptr; }));
        QTest::qWait(100);
        QVERIFY2(tab.cost()->spoken().contains(QString::fromUtf8("1\u202f024")), qPrintable(tab.cost()->spoken()));
        QVERIFY(session(fixture).progressText().contains(u"1024 of 65536"_s));
        QVERIFY(session(fixture).part() > 0 && session(fixture).part() < 0.1);
        fixture.fixture.shot(u"decode-running"_s);
        watchdog.leaveOut();
        fixture.window->action(u"stop"_s)->trigger();
        QVERIFY(fixture.waitDone(1000));
        QCOMPARE(session(fixture).report<DecodeReport>()->rows.back().points.size(), size_t{1});
        QVERIFY2(fixture.page->head().headline()->text().contains(u"stopped early"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        fixture.script->hold = false;
        measure(fixture);
        QCOMPARE(session(fixture).report<DecodeReport>()->rows.back().points.size(), size_t{4});
        QVERIFY2(watchdog.longest < 100, qPrintable(QString::number(watchdog.longest)));
    }

    void verdictNamesTheClosestOfTheFasterOnes()
    {
        ScaleFixture fixture;
        show(fixture);
        measure(fixture);
        const QString verdict = fixture.page->head().headline()->text();
        QVERIFY2(verdict.contains(QString::fromUtf8("mechanisms are faster than the cache at 65\u202f536 tokens; "
                                                    "rfa is closest to it: relative error 0.1")),
                 qPrintable(verdict));
        QVERIFY(
            translated(conditions(*session(fixture).report<DecodeReport>())).contains(u"3 heads, 64 channels"_s));
        DecodeReport report = *session(fixture).report<DecodeReport>();
        for (DecodeRow& row : report.rows)
            row.points.back().latency.roundsMs.resize(5);  // too few for a verdict
        QVERIFY2(translated(attnscope::verdict(report)).startsWith(u"Nothing is clearly faster"_s),
                 qPrintable(translated(attnscope::verdict(report))));
    }

    void chartsAndTablesShowAllThatWasMeasured()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        measure(fixture);
        QCOMPARE(tab.cells().rowCount(), 11);
        QCOMPARE(tab.cells().index(0, 3).data().toString(), QString::fromUtf8("—"));
        QCOMPARE(tab.cells().index(1, 3).data().toString(), QString::fromUtf8("from 1\u202f170"));
        QCOMPARE(tab.cells().index(2, 6).data().toString(), u"69.0 tokens"_s);
        QVERIFY(tab.cells().index(2, 0).data(Qt::ToolTipRole).toString().contains(u"a trained one depends"_s));
        QCOMPARE(tab.cells().index(1, 1).data().toString(), u"0.00"_s);
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
        tab.legend()->setShown(u"elu"_s, false);
        QTest::qWait(60);
        QVERIFY(!tab.cost()->spoken().contains(u"elu"_s) && !tab.impulse()->spoken().contains(u"elu"_s));
        const QString base = fixture.fixture.folder.filePath(u"decode"_s);
        QCOMPARE(fixture.page->tab()->exportTo(base + u".svg"_s), QString());
        QVERIFY(contents(base + u"-impulse.svg"_s).contains("<svg"));
        QCOMPARE(fixture.page->tab()->exportTo(base + u".csv"_s), QString());
        QVERIFY(contents(base + u".csv"_s).contains("Mechanism"));
        QCOMPARE(fixture.page->tab()->exportTo(base + u".json"_s), QString());
        QVERIFY(contents(base + u".json"_s).contains("\"break_even\""));
    }

    void commandRepeatsTheStream()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        checkOnly(tab.mechanisms(), {"rfa:gate=0.99", "window"});
        tab.source()->setCurrentIndex(2);
        emit tab.source()->activated(2);
        tab.positions()->setText(u"256, 1024"_s);
        tab.factor()->setValue(2);
        measure(fixture);
        QCOMPARE(fixture.script->decode.tokens, TokenKind::Recall);
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 u"attnscope-cli decode --mechanism rfa:gate=0.99 --mechanism window --positions "
                 "256,1024 --tokens recall "
                 "--heads 3 --head-size 64 --tau 2 --device cpu --dtype float32 --seed 0"_s);
        const auto stale = [&] {
            return fixture.page->head().stale()->isVisible() ? fixture.page->head().stale()->text() : QString();
        };
        QCOMPARE(stale(), QString());
        tab.mechanisms().setChecked(idOf(tab.mechanisms(), "elu"), true);
        QCOMPARE(stale(), u"made with --mechanism rfa:gate=0.99 window"_s);
        tab.mechanisms().setChecked(idOf(tab.mechanisms(), "elu"), false);
        tab.heads()->setValue(1);
        QCOMPARE(stale(), u"made with --heads 3"_s);
        tab.heads()->setValue(3);
        RunContext context = fixture.window->workspace().context();
        context.seed = 3;
        fixture.window->workspace().setContext(context);
        QCOMPARE(stale(), u"made with --seed 0"_s);
    }

    void aDumpedLayerIsAStream()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        fixture.page->take(Content::Tensors, {u"/data/q k v.safetensors"_s});
        QVERIFY(tab->isVisible() && tab.layer()->isVisible() && !tab.heads()->isVisible());
        QVERIFY2(tab.empty()->words().line.endsWith(u"over all tokens of q k v.safetensors."_s),
                 qPrintable(tab.empty()->words().line));
        tab.layer()->setValue(5);
        measure(fixture);
        QCOMPARE(fixture.script->decode.file, std::filesystem::path("/data/q k v.safetensors"));
        QVERIFY(fixture.script->decode.positions.empty() && fixture.script->decode.layer == 5);
        fixture.page->copyCommand();
        QVERIFY2(
            fixture.clipboard().startsWith(u"attnscope-cli decode '/data/q k v.safetensors' --mechanism rfa "_s)
                && fixture.clipboard().contains(u"--layer 5"_s),
            qPrintable(fixture.clipboard()));
        // Made tokens have positions of their own.
        tab.takeTensors({});
        QVERIFY(tab.positions()->text().startsWith(u"1024"_s) && tab.heads()->isVisible());
    }

    void numbersThatStreamsDoNotHaveAreRefused()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        RunContext context = fixture.window->workspace().context();
        context.dtype = u"bfloat16"_s;
        fixture.window->workspace().setContext(context);
        QVERIFY2(tab.empty()->words().line.contains(u"choose float32 or float64"_s),
                 qPrintable(tab.empty()->words().line));
        QVERIFY(!fixture.page->canRun());
        context.dtype = u"float32"_s;
        fixture.window->workspace().setContext(context);
        QVERIFY(fixture.page->canRun());
        fixture.script->failure = "the states need 90 GiB";
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.messages().contains(u"the states need 90 GiB"_s), qPrintable(fixture.messages()));
        QVERIFY(tab.empty()->isVisible());
    }

    void featuresAreTriedOnTheModelAFileOrRandomNumbers()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Kernel);
        const auto tab = fixture.kernel();
        QVERIFY2(tab.empty()->words().line.contains(u"64 features"_s)
                     && tab.empty()->words().line.contains(u"cat.jpg"_s),
                 qPrintable(tab.empty()->words().line));
        fixture.fixture.shot(u"kernel-empty"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->kernel.subject.inputs, std::vector<std::string>{"/photos/cat.jpg"});
        fixture.page->copyCommand();
        QCOMPARE(fixture.clipboard(),
                 u"attnscope-cli approximate /photos/cat.jpg --weights untrained --model fake_tiny_patch16_224 "
                 "--device auto --dtype float32 --seed 0 --samples 64 --kernel"_s);
        tab.source()->setKind(TensorSource::Kind::Random);
        tab.source()->tokens()->setValue(49);
        tab.features()->setValue(16);
        QCOMPARE(fixture.page->head().stale()->text(), u"made with cat.jpg"_s);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.script->kernel.subject.random && fixture.script->kernel.subject.random->tokens == 49
                && fixture.script->kernel.request.samples == 16);
        QVERIFY2(tab->command().startsWith(
                     u"attnscope-cli approximate --device auto --dtype float32 --seed 0 --random 49 --samples 16 "
                     "--kernel"_s),
                 qPrintable(tab->command()));
        fixture.page->take(Content::Tensors, {u"/data/qkv.safetensors"_s});
        QVERIFY(tab->isVisible());
        QCOMPARE(std::get<KernelJob>(tab->job()).subject.file, std::string("/data/qkv.safetensors"));
    }

    void estimatesStandNextToTheKernel()
    {
        ScaleFixture fixture;
        fixture.page->showTab(ScaleSession::Kernel);
        const auto tab = fixture.kernel();
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.page->head().headline()->text().startsWith(u"Best with 64 features: hyperbolic"_s),
                 qPrintable(fixture.page->head().headline()->text()));
        QVERIFY2(tab.values()->spoken().contains(u"exact"_s)
                     && tab.values()->spoken().contains(u"positive, y = x"_s),
                 qPrintable(tab.values()->spoken()));
        QVERIFY(!tab.spread()->spoken().contains(u"y = −x"_s));
        tab.angles()->setCurrent(2);
        QTest::qWait(60);
        QVERIFY(tab.spread()->spoken().contains(u"y = −x"_s) && !tab.spread()->spoken().contains(u"y = x"_s));
        tab.legend()->setShown(u"positive"_s, false);
        QTest::qWait(60);
        QVERIFY(!tab.spread()->spoken().contains(u"positive"_s)
                && !tab.values()->spoken().contains(u"positive"_s));
        QCOMPARE(tab.cells().rowCount(), 6);
        tab.tables()->setCurrent(1);
        QCOMPARE(tab.cells().rowCount(), 25);
        QVERIFY(tab.cells().index(3, 2).data().toString().contains(QChar(0xb1)));
        const QString base = fixture.fixture.folder.filePath(u"kernel"_s);
        QCOMPARE(fixture.page->tab()->exportTo(base + u".svg"_s), QString());
        QVERIFY(contents(base + u"-estimates.svg"_s).contains("<svg"));
    }

    void looksRight_data() { test::addLooks(); }
    void looksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        ScaleFixture fixture(theme, size);
        const test::DecodeFields tab = show(fixture);
        QTest::qWait(60);
        fixture.fixture.shot(u"decode-empty-"_s + tag);
        measure(fixture);
        QTest::mouseClick(tab.panel()->row(tab.mechanisms().entries().front().id)->opener(), Qt::LeftButton);
        QTest::qWait(80);
        fixture.fixture.shot(u"decode-"_s + tag);
        QVERIFY2(tab.cost()->height() >= 110 && tab.impulse()->width() >= 260,
                 qPrintable(QString::number(tab.cost()->height())));
        QVERIFY2(tab.table()->height() >= 80, qPrintable(QString::number(tab.table()->height())));
        QCOMPARE(test::cutText(tab), QString());
        fixture.page->showTab(ScaleSession::Kernel);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        fixture.fixture.shot(u"kernel-"_s + tag);
        QVERIFY(fixture.kernel().values()->height() >= 110);
        QCOMPARE(test::cutText(*fixture.kernel().tab), QString());
    }

    void theKeyboardReachesEverything()
    {
        ScaleFixture fixture;
        const test::DecodeFields tab = show(fixture);
        fixture.window->activateWindow();
        const QStringList visited = test::tabbedThrough(tab, *tab.source());
        QVERIFY(!visited.isEmpty() && !visited.contains(QString()));
        for (const MechanismList::Entry& each : tab.mechanisms().entries())
            QVERIFY2(visited.contains(attnscope::ui::mechanismTitle(each.spec.canonical())),
                     each.spec.canonical().c_str());
        QVERIFY(visited.contains(u"Positions in tokens"_s) && visited.contains(u"Options of rfa"_s));
    }

    void theRealLaboratoryDecodesAFewTokens()
    {
        test::RealLaboratory real;
        DecodeRequest request;
        request.mechanisms = {StreamSpec::parse("elu"), StreamSpec::parse("window:window=8")};
        request.positions = {32, 64};
        request.heads = 1, request.width = 8, request.minimumRepetitions = 8;
        size_t grew = 0;
        connect(&real.task, &TaskBase::grew, this, [&] {
            const auto now = &std::get<DecodeReport>(*real.task.report());
            QCOMPARE(now->rows.back().points.size(), ++grew);
        });
        const auto report = real.measured<DecodeReport>(request);
        QVERIFY2(report, qPrintable(real.problem));
        QCOMPARE(grew, size_t{2});
        QCOMPARE(decodePoints(*report).rows.size(), 6);
        QCOMPARE(decodeSummary(*report).rows.size(), 3);
        QVERIFY(decodeImpulses(*report).columns.size() > 3);
    }

    void theRealLaboratoryPlotsARandomKernel()
    {
        test::RealLaboratory real;
        KernelJob job;
        job.subject.model.device = "cpu";
        job.subject.random = RandomTensors{.tokens = 16, .width = 16, .heads = 2};
        const auto report = real.measured<KernelReport>(job);
        QVERIFY2(report, qPrintable(real.problem));
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
    static test::DecodeFields show(ScaleFixture& fixture)
    {
        fixture.page->showTab(ScaleSession::Decode);
        return fixture.decoding();
    }
    static void measure(ScaleFixture& fixture)
    {
        fixture.page->run();
        QVERIFY(fixture.waitDone());
    }
};

ATTNSCOPE_WINDOW_TEST(TestScaleStreams)
#include "tst_scale_streams.moc"

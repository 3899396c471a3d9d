// The Scale screen and its lengths over a scripted laboratory, and once over the real one with tiny lengths.
#include "core/lab/lab_tables.h"
#include "tests/support/test_class.h"
#include "tests/support/timed_rounds.h"
#include "tests/ui/support/press_in_message_box.h"
#include "tests/ui/support/scale_fixture.h"
#include "tests/ui/support/watchdog.h"
#include "ui/charts/legend_row.h"
#include "ui/scale/scale_charts.h"
#include "ui/scale/scale_command.h"
#include "ui/scale/scale_page.h"
#include "ui/scale/scale_words.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/empty_screen.h"
#include "ui/widgets/tab_strip.h"
#include "ui/window/context_bar.h"
#include "ui/window/rail.h"

#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>

#include <cmath>

using namespace attnscope::ui;
using namespace Qt::StringLiterals;
using namespace attnscope;
using test::contents;
using test::ScaleFixture;
using test::Watchdog;
using test::WindowFixture;

namespace {

ScaleRequest requestOf(std::vector<int64_t> lengths)
{
    ScaleRequest request;
    request.attention = {AttentionSpec::parse("lara:samples=16"), AttentionSpec::parse("performer:samples=16")};
    request.lengths = std::move(lengths);
    return request;
}

}

class TestScale : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void emptyScreenSaysWhatWillBeMeasuredAndHowLong()
    {
        ScaleFixture fixture;
        const auto& words = fixture.length().empty()->words();
        QVERIFY(fixture.length().empty()->isVisible());
        QVERIFY2(words.line.contains(u"performer"_s) && words.line.contains(u"4 lengths"_s)
                     && words.line.contains(u"about "_s),
                 qPrintable(words.line));
        // What is ticked and asked for is said at once.
        fixture.length().lengths()->setText(u"64, 128"_s);
        QVERIFY(fixture.length().empty()->words().line.contains(u"2 lengths"_s));
        fixture.fixture.shot(u"scale-empty"_s);
        QVERIFY(fixture.length().empty()->first()->isEnabled());
        QTest::mouseClick(fixture.length().empty()->first(), Qt::LeftButton);
        QVERIFY(fixture.waitDone());
        QVERIFY(!fixture.length().empty()->isVisible());
    }

    void screenIsThereOnlyWithALaboratory()
    {
        WindowFixture plain;
        QVERIFY(plain.window->action(u"scale"_s) == nullptr);
        ScaleFixture fixture;
        QAction* action = fixture.window->action(u"scale"_s);
        QVERIFY(action != nullptr && action->isEnabled());
        QCOMPARE(action->shortcut(), QKeySequence(Qt::CTRL | Qt::Key_5));
        fixture.window->showScreen(u"compare"_s);
        action->trigger();
        QCOMPARE(fixture.window->screen(), u"scale"_s);
    }

    void lengthsThatAreNoneAreRefusedInASentence_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("letters") << u"256, many"_s << u"many"_s;
        QTest::newRow("falling") << u"512, 256"_s << u"in ascending order"_s;
        QTest::newRow("none") << u" , "_s << u"No numbers given"_s;
        QTest::newRow("huge") << u"99999999"_s << u"not a whole number from 1"_s;
    }
    void lengthsThatAreNoneAreRefusedInASentence()
    {
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        ScaleFixture fixture;
        fixture.length().lengths()->setText(text);
        QVERIFY2(fixture.length().empty()->words().line.contains(sentence),
                 qPrintable(fixture.length().empty()->words().line));
        QVERIFY(!fixture.page->canRun() && !fixture.window->action(u"run"_s)->isEnabled());
        fixture.page->run();
        QCOMPARE(fixture.script->runs.load(), 0);
    }

    void headsThatDoNotDivideTheWidthAreRefused()
    {
        ScaleFixture fixture;
        for (CaptionSpin* spin : fixture.length()->findChildren<CaptionSpin*>())
            if (spin->accessibleName() == "Heads"_L1)
                spin->setValue(5);
        QVERIFY(fixture.length().empty()->words().line.contains(u"is not divisible by"_s));
        QVERIFY(!fixture.page->canRun());
    }

    void pointsAppearWhileItMeasuresAndTheLoopTurns()
    {
        ScaleFixture fixture;
        fixture.script->hold = true;
        fixture.script->stepMs = 5;
        fixture.length().lengths()->setText(u"256, 512, 1024"_s);
        Watchdog watchdog;
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.window->session<ScaleSession>()->report<ScaleReport>()
                   && fixture.window->session<ScaleSession>()->report<ScaleReport>()->rows.size() == 4
                   && fixture.window->session<ScaleSession>()->report<ScaleReport>()->rows.back().points.size()
                          == 1;
        }));
        QVERIFY(fixture.window->session<ScaleSession>()->isRunning());
        QTest::qWait(100);
        QVERIFY2(fixture.length().whole()->spoken().contains(u"256"_s),
                 qPrintable(fixture.length().whole()->spoken()));
        QVERIFY(fixture.window->session<ScaleSession>()->progressText().startsWith(u"4 of 12 points"_s));
        QCOMPARE(fixture.window->contextBar()->runButton()->text(), u"Stop"_s);
        QVERIFY(!fixture.page->canRun());
        fixture.fixture.shot(u"scale-running"_s);
        watchdog.leaveOut();
        fixture.script->hold = false;
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.window->contextBar()->runButton()->text(), u"Run"_s);
        QVERIFY2(watchdog.longest < 100, qPrintable(QString::number(watchdog.longest)));
    }

    void stoppingKeepsWhatIsMeasured()
    {
        ScaleFixture fixture;
        fixture.script->hold = true;
        fixture.length().lengths()->setText(u"256, 512, 1024"_s);
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.window->session<ScaleSession>()->report<ScaleReport>()
                   && fixture.window->session<ScaleSession>()->report<ScaleReport>()->rows.back().points.size()
                          == 1;
        }));
        fixture.window->action(u"stop"_s)->trigger();
        QVERIFY(fixture.waitDone(1000));
        QCOMPARE(fixture.window->session<ScaleSession>()->report<ScaleReport>()->rows.back().points.size(),
                 size_t{1});
        QVERIFY(fixture.page->head().headline()->text().contains(u"stopped early"_s));
        QVERIFY(fixture.page->canRun());
    }

    void softmaxHasTwoRowsAndBreakEvenComesInWords()
    {
        ScaleFixture fixture;
        fixture.measure();
        const CellTable& cells = fixture.length().cells();
        QCOMPARE(cells.index(0, 0).data().toString(), u"softmax, explicit"_s);
        QCOMPARE(cells.index(1, 0).data().toString(), u"softmax, fused"_s);
        QVERIFY(cells.index(0, 0).data(CellTable::BackendRole) != cells.index(1, 0).data(CellTable::BackendRole));
        const QString verdict = fixture.page->head().headline()->text();
        QVERIFY2(verdict.contains(QString::fromUtf8(
                     "performer 64 beats fused softmax from N ≈ 1\u202f200, lara 49 from 1\u202f400")),
                 qPrintable(verdict));
        const QStringList names = [&] {
            QStringList all;
            for (const LegendRow::Entry& entry : fixture.length().legend()->entries())
                all << entry.name;
            return all;
        }();
        QVERIFY(names.contains(u"softmax, explicit"_s) && names.contains(u"performer 64"_s));
    }

    void whereTimesOverlapNobodyWins()
    {
        ScaleReport report = test::scriptedReport(requestOf({256, 512, 1024, 2048}));
        QVERIFY2(translated(verdict(report)).startsWith(u"performer 16 beats fused softmax"_s),
                 qPrintable(translated(verdict(report))));
        for (ScaleRow& row : report.rows)
            for (ScalePoint& point : row.points)
                point.latency = attnscope::testing::inRounds(point.latency, row.backend == "softmax" ? 0.8 : -0.8);
        QVERIFY2(translated(verdict(report)).startsWith(u"No difference beyond measurement noise"_s),
                 qPrintable(translated(verdict(report))));
        QVERIFY(english(scaleExponents(report).rows[2].cells[6].text).starts_with("≈ from"));
    }

    void memoryIsReadOffInPowersOfTwo()
    {
        const ChartAxis axis{.title = "memory", .scale = AxisScale::Log, .numbers = AxisNumbers::Bytes};
        const auto ticks = axisTicks(150.0 * 1024, 40.0 * 1024 * 1024, axis);
        QVERIFY(ticks.size() >= 3 && ticks.size() <= 6);
        for (const double tick : ticks)
            QCOMPARE(std::exp2(std::round(std::log2(tick))), tick);
    }

    void aStoppedAttentionSaysWhy()
    {
        ScaleFixture fixture;
        fixture.measure();
        QVERIFY(fixture.length().whole()->spoken().contains(u"stopped: needs 9.1 GiB, 6.0 GiB free"_s));
        fixture.length().tables()->setCurrent(1);
        const CellTable& cells = fixture.length().cells();
        bool found = false;
        for (int row = 0; row < cells.rowCount(); ++row)
            found = found
                    || cells.index(row, cells.columnCount() - 1).data().toString()
                           == "stopped: needs 9.1 GiB, 6.0 GiB free"_L1;
        QVERIFY(found);
    }

    void kernelTimeStandsBesideTheWholesUnderOneScale()
    {
        ScaleFixture fixture;
        fixture.measure();
        const Chart& whole = fixture.length().whole()->chart();
        const Chart& alone = fixture.length().alone()->chart();
        QVERIFY(whole.y.low && *whole.y.low == *alone.y.low && *whole.y.high == *alone.y.high);
        QVERIFY(whole.series.front().points.front().y > alone.series.front().points.front().y);
        fixture.length().quantity()->setCurrent(1);
        QTest::qWait(60);
        QCOMPARE(fixture.length().alone()->chart().y.numbers, AxisNumbers::Bytes);
        QVERIFY(fixture.length().alone()->chart().title.find("one attention") != std::string::npos);
    }

    void publishedRatiosAreHollowAndGoWithTheirAttention()
    {
        ScaleFixture fixture;
        fixture.measure();
        const auto tab = fixture.length();
        tab.values()->setCurrent(1);
        QTest::qWait(60);
        const auto publishedShown = [&] { return tab.whole()->spoken().count(u"published"_s); };
        QCOMPARE(publishedShown(), 10);  // performer and lara, five lengths
        for (const ChartSeries& series : tab.whole()->chart().series)
            QCOMPARE(series.published, QString::fromStdString(series.name).endsWith("published"_L1));
        tab.legend()->setShown(u"performer"_s, false);
        QCOMPARE(publishedShown(), 5);
        QVERIFY(!tab.whole()->spoken().contains(u"performer"_s));
        tab.published()->setChecked(false);
        QCOMPARE(publishedShown(), 0);
        tab.legend()->setShown(u"performer"_s, true);
        tab.published()->setChecked(true);
        QCOMPARE(publishedShown(), 10);
        fixture.fixture.shot(u"scale-over-softmax"_s);
    }

    void arrowKeysWalkThePoints()
    {
        ScaleFixture fixture;
        fixture.measure(u"256, 512, 1024"_s);
        ChartView& view = *fixture.length().whole();
        view.setFocus();
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY2(view.current().startsWith(u"softmax:form=explicit, 256 tokens"_s), qPrintable(view.current()));
        QTest::keyClick(&view, Qt::Key_Right);
        QVERIFY(view.current().contains(u"512 tokens"_s));
        QTest::keyClick(&view, Qt::Key_Down);
        QVERIFY2(view.current().startsWith(u"softmax, 512 tokens"_s), qPrintable(view.current()));
    }

    void figuresAreExported()
    {
        ScaleFixture fixture;
        const QString base = fixture.fixture.folder.filePath(u"scale"_s);
        QVERIFY(fixture.page->tab()->exportTo(base + u".svg"_s).contains(u"nothing to export"_s));
        fixture.measure();
        QCOMPARE(fixture.page->tab()->exportTo(base + u".svg"_s), QString());
        QVERIFY(contents(base + u".svg"_s).contains("<svg")
                && contents(base + u"-attention.svg"_s).contains("Time inside attention"));
        QCOMPARE(fixture.page->tab()->exportTo(base + u".png"_s), QString());
        const QImage png(base + u".png"_s);
        QVERIFY(png.width() >= 600);
        QCOMPARE(png.pixelColor(2, 2), QColor(Qt::white));
        QCOMPARE(fixture.page->tab()->exportTo(base + u".csv"_s), QString());
        const QByteArray csv = contents(base + u".csv"_s);
        QVERIFY2(csv.contains("theoretical") && csv.contains(",Tokens,Latency_ms median,"), csv.constData());
        QVERIFY2(csv.count('\n') > 3 && !csv.contains(" ms") && !csv.contains("×"), csv.constData());
        QCOMPARE(fixture.page->tab()->exportTo(base + u".json"_s), QString());
        QVERIFY(contents(base + u".json"_s).contains("\"lengths\""));
        QVERIFY(fixture.page->tab()->exportTo(base + u".doc"_s).contains(u"unknown file format"_s));
        QVERIFY(fixture.page->tab()->exportTo(u"/nowhere/at/all.svg"_s).contains(u"cannot be written"_s));
    }

    void theSecondChartIsNotReplacedUnasked()
    {
        ScaleFixture fixture;
        fixture.measure();
        const QString first = fixture.fixture.folder.filePath(u"a.svg"_s),
                      second = fixture.fixture.folder.filePath(u"a-attention.svg"_s);
        QFile mine(second);
        QVERIFY(mine.open(QIODevice::WriteOnly));
        mine.write("mine");
        mine.close();
        QString said;
        test::pressInMessageBox(u"Cancel"_s, &said);
        QCOMPARE(fixture.page->tab()->exportTo(first), QString());
        QVERIFY2(said.contains("a-attention.svg already exists"_L1), qPrintable(said));
        QCOMPARE(contents(second), QByteArray("mine"));
        QVERIFY(!QFile::exists(first));
        test::pressInMessageBox(u"Replace"_s, &said);
        QCOMPARE(fixture.page->tab()->exportTo(first), QString());
        QVERIFY(contents(second).contains("<svg") && contents(first).contains("<svg"));
        // A table is one file.
        QCOMPARE(fixture.page->tab()->exportTo(fixture.fixture.folder.filePath(u"a.csv"_s)), QString());
    }

    void commandRepeatsWhatIsShown()
    {
        ScaleFixture fixture;
        fixture.length().pass()->setCurrentIndex(1);
        fixture.measure(u"256,512"_s);
        fixture.window->action(u"copyCommand"_s)->trigger();
        QCOMPARE(fixture.clipboard(),
                 u"attnscope-cli scale --attention softmax --attention performer --attention lara "
                 "--lengths 256,512 --layers 8 "
                 "--dim 192 --heads 3 --backward --device auto --dtype float32 --seed 0"_s);
        // Another wish does not change the line of what is on the screen.
        fixture.length().lengths()->setText(u"64"_s);
        fixture.page->copyCommand();
        QVERIFY(fixture.clipboard().contains(u"--lengths 256,512"_s));
        QVERIFY(fixture.script->scale.backward);
    }

    void loadOfTheMachineIsSaid()
    {
        ScaleFixture fixture;
        fixture.script->load = 3.4;
        fixture.measure(u"256,512"_s);
        QVERIFY2(fixture.messages().contains(u"load average was 3.4 on 2 threads"_s),
                 qPrintable(fixture.messages()));
        QVERIFY(translated(conditions(*fixture.window->session<ScaleSession>()->report<ScaleReport>()))
                    .contains(u"load 3.4"_s));
    }

    void anErrorIsOneSentenceAndTheNextRunWorks()
    {
        ScaleFixture fixture;
        fixture.script->failure = "there is no such device";
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        QVERIFY2(fixture.messages().contains(u"there is no such device"_s), qPrintable(fixture.messages()));
        QVERIFY(fixture.length().empty()->isVisible());
        fixture.script->failure.clear();
        fixture.measure(u"256,512"_s);
        QVERIFY(!fixture.length().empty()->isVisible());
    }

    void theOpenNetworkGivesItsSizeAndItsTokens()
    {
        ScaleFixture fixture;
        const ModelSummary& model = fixture.window->workspace().model()->summary;
        for (CaptionCombo* preset : fixture.length()->findChildren<CaptionCombo*>())
            if (const int own = preset->findText(u"Open network"_s); own >= 0) {
                preset->setCurrentIndex(own);
                emit preset->activated(own);
            }
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        const ScaleRequest& request = fixture.window->session<ScaleSession>()->report<ScaleReport>()->request;
        QCOMPARE(request.lengths,
                 (std::vector<int64_t>{model.tokens, 2 * model.tokens, 4 * model.tokens, 8 * model.tokens}));
        QCOMPARE(request.layers, 12);
        QCOMPARE(request.width, model.width);
        QCOMPARE(request.heads, model.heads);
    }

    void waitsWhileSomethingElseMeasures()
    {
        ScaleFixture fixture;
        auto measuring = std::make_unique<MeasuringGate::Turn>(*fixture.fixture.engine.gate(),
                                                               MeasuringGate::Work::Measuring, std::stop_token());
        fixture.length().lengths()->setText(u"256,512"_s);
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] { return fixture.window->session<ScaleSession>()->isResting(); }));
        QTest::qWait(50);
        QCOMPARE(fixture.script->runs.load(), 0);
        QVERIFY(fixture.page->head().headline()->text().startsWith(u"Waiting"_s));
        measuring.reset();
        QVERIFY(fixture.waitDone());
        QCOMPARE(fixture.script->runs.load(), 1);
    }

    void aComparisonGoesFirst()
    {
        ScaleFixture fixture;
        fixture.script->stepMs = 20;
        fixture.length().lengths()->setText(u"256,512,1024,2048"_s);
        fixture.page->run();
        QVERIFY(QTest::qWaitFor([&] {
            return fixture.script->runs == 1 && fixture.window->session<ScaleSession>()->report<ScaleReport>();
        }));
        // Run on another tab says why nothing begins.
        fixture.page->showTab(ScaleSession::Samples);
        QVERIFY(fixture.page->canRun());
        fixture.page->run();
        QVERIFY2(fixture.messages().contains(u"Another tab is being measured"_s), qPrintable(fixture.messages()));
        fixture.page->showTab(ScaleSession::Length);
        QVERIFY(!fixture.page->canRun());
        {
            const MeasuringGate::Turn measuring(*fixture.fixture.engine.gate(), MeasuringGate::Work::Measuring,
                                                std::stop_token());
            QVERIFY(QTest::qWaitFor([&] { return fixture.window->session<ScaleSession>()->isResting(); }, 1000));
            const auto shown = fixture.window->session<ScaleSession>()->report<ScaleReport>();
            QTest::qWait(150);
            QVERIFY2(fixture.window->session<ScaleSession>()->report<ScaleReport>() == shown,
                     "it measured beside a comparison");
        }
        QVERIFY(fixture.waitDone());
        QVERIFY(fixture.window->session<ScaleSession>()->report<ScaleReport>()->complete);
    }

    void guessesGrowWithWhatIsAskedFor()
    {
        const double few = guessedSeconds(requestOf({256, 512}), 2, false),
                     many = guessedSeconds(requestOf({256, 512, 4096}), 2, false);
        QVERIFY(few > 7 && many > few + 4);
        QVERIFY(guessedSeconds(requestOf({256, 512, 4096}), 2, true) < many);
    }

    void looksRight_data()
    {
        QTest::addColumn<QString>("theme");
        QTest::addColumn<QSize>("size");
        QTest::newRow("light") << u"light"_s << QSize(1280, 800);
        QTest::newRow("dark") << u"dark"_s << QSize(1280, 800);
        QTest::newRow("light-small") << u"light"_s << QSize(1024, 640);
        QTest::newRow("dark-small") << u"dark"_s << QSize(1024, 640);
    }
    void looksRight()
    {
        QFETCH(QString, theme);
        QFETCH(QSize, size);
        const QString tag = QString::fromLatin1(QTest::currentDataTag());
        ScaleFixture fixture(theme, size);
        fixture.measure();
        // Nothing is squeezed below what it needs, nothing empty.
        const auto tab = fixture.length();
        QVERIFY(tab.whole()->height() >= 110 && tab.alone()->width() >= 260);
        QVERIFY2(tab.table()->height() >= 80, qPrintable(QString::number(tab.table()->height())));
        fixture.fixture.shot(u"scale-"_s + tag);
        tab.values()->setCurrent(1);
        tab.tables()->setCurrent(1);
        QTest::qWait(100);
        fixture.fixture.shot(u"scale-over-"_s + tag);
        fixture.page->showTab(ScaleSession::Samples);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        fixture.fixture.shot(u"samples-"_s + tag);
        QVERIFY(fixture.samples().errors()->height() >= 110);
        fixture.page->showTab(ScaleSession::Plans);
        fixture.page->run();
        QVERIFY(fixture.waitDone());
        fixture.fixture.shot(u"plan-"_s + tag);
    }

    void everyControlHasAName()
    {
        ScaleFixture fixture;
        fixture.measure();
        for (const ScaleSession::Kind kind : {ScaleSession::Length, ScaleSession::Decode, ScaleSession::Samples,
                                              ScaleSession::Kernel, ScaleSession::Plans}) {
            fixture.page->showTab(kind);
            for (const QWidget* widget : fixture.page->findChildren<QWidget*>())
                if (widget->isVisible() && (widget->focusPolicy() & Qt::TabFocus)
                    && widget->accessibleName().isEmpty()
                    && qobject_cast<const QAbstractButton*>(widget) == nullptr
                    && !widget->objectName().startsWith("qt_"_L1))
                    QFAIL(widget->metaObject()->className());
        }
    }

    void theRealLaboratoryMeasuresTinyLengths()
    {
        test::RealLaboratory real;
        ScaleRequest request = requestOf({64, 128});
        request.layers = 1, request.width = 32, request.heads = 2;
        request.minimumRepetitions = 2, request.minimumSeconds = 0;
        size_t grew = 0;
        bool partial = false;
        connect(&real.task, &TaskBase::grew, this, [&] {
            const auto* now = std::get_if<ScaleReport>(real.task.report().get());
            ++grew;
            partial = partial || now->rows.front().points.size() != now->rows.back().points.size();
            for (const ScaleRow& row : now->rows)
                for (const ScalePoint& point : row.points)
                    QVERIFY2(point.latency.medianMs > 0 || !point.stopped.empty(),
                             "a point was told before it was measured");
        });
        const auto report = real.measured<ScaleReport>(request);
        QVERIFY2(report, qPrintable(real.problem));
        QCOMPARE(report->rows.size(), size_t{4});
        for (const ScaleRow& row : report->rows)
            QCOMPARE(row.points.size(), size_t{2});
        QVERIFY(report->rows[2].points[1].timeRatio.has_value() && report->rows[2].exponents.time.has_value());
        QVERIFY(grew >= 2);
        const std::vector<Chart> charts = lengthCharts(*report, ScaleQuantity::Memory, ScaleMeasure::Absolute, {});
        QCOMPARE(charts[1].series.size(), size_t{4});
        QVERIFY(scaleExponents(*report).rows.size() == 4 && scalePoints(*report).rows.size() == 8);
    }
};

ATTNSCOPE_WINDOW_TEST(TestScale)
#include "tst_scale.moc"

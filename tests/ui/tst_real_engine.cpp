// The window over the real engine: the demo's model, untrained, on the demo's photograph.
#include "tests/support/sanitizer.h"
#include "tests/support/test_class.h"
#include "tests/ui/support/watchdog.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/frame_strip.h"
#include "ui/compare/views_panel.h"

#include <QElapsedTimer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <QTableView>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

const QString photo = QStringLiteral(RESOURCE_DIR "/demo/photos/cat.jpg");

WindowOptions quickOptions()
{
    WindowOptions options;
    options.loaded.settings.context.model = u"deit_tiny_patch16_224"_s;
    options.loaded.settings.theme = u"light"_s;
    options.loaded.settings.seconds = 0;
    options.loaded.settings.specs = {u"softmax"_s, u"performer"_s, u"ra"_s, u"lara"_s};
    return options;
}

qsizetype buttonsNamed(const QWidget& root, const QString& text)
{
    const auto buttons = root.findChildren<QPushButton*>();
    return std::ranges::count_if(buttons, [&](const QPushButton* button) { return button->text() == text; });
}

}

class TestRealEngine : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::prepareApplication(); }

    void everyCellIsMeasuredAndTheEventLoopNeverStandsStill()
    {
        Engine engine(coreWorkbench());
        MainWindow window(engine, quickOptions(), screens({}));
        window.show();
        QTest::qWait(300);
        // A stall of ours comes back each time; one of a busy machine does not strike three times.
        qint64 best = std::numeric_limits<qint64>::max();
        for (int attempt = 0; attempt < 3 && best >= 100; ++attempt) {
            test::Watchdog watchdog;
            window.openPaths({photo});
            QVERIFY(QTest::qWaitFor([&] { return !window.session<CompareSession>()->isRunning(); },
                                    120'000 * slowdown));
            best = std::min(best, watchdog.longest);
        }
        QVERIFY2(best < 100, qPrintable(u"gap of %1 ms"_s.arg(best)));
        const RunTableModel& runs = window.session<CompareSession>()->runs();
        for (int column = 0; column < runs.columnCount(); ++column)
            for (int row = 0; row < ui::rowCount; ++row)
                QCOMPARE(runs.state(static_cast<attnscope::ui::Row>(row), column), CellState::Done);
        QCOMPARE(runs.record(0)->backend, std::string("softmax"));
        QVERIFY(runs.record(0)->error->error.relative < 1e-5);  // softmax against itself: float32 rounding at most
        for (int column = 1; column < runs.columnCount(); ++column)
            QVERIFY(runs.record(column)->error->error.relative > 1e-4);
        for (int column = 0; column < runs.columnCount(); ++column) {
            const RunRecord& record = *runs.record(column);
            QVERIFY(record.latency->repetitions >= 20);
            QVERIFY(record.latency->attentionMedianMs < record.latency->medianMs);
            QVERIFY(record.memory->peakBytes > 0);
            QCOMPARE(record.weights, WeightsKind::Untrained);
        }
        QCOMPARE(runs.inputRecord(0).width, 451);
    }

    /// From the empty screen, whichever network was in use: another checkpoint, other backends and the photograph.
    void theDemoComparesInANetworkOfTheDemo()
    {
        Engine engine(coreWorkbench());
        WindowOptions options = quickOptions();
        options.demoImage = photo;
        MainWindow window(engine, options, screens({}));
        window.show();
        window.workspace().useCheckpoint(QStringLiteral(RESOURCE_DIR "/demo/models/pvt_v2.safetensors"), {},
                                         0);  // somebody's own
        QVERIFY(window.page<ComparePage>()->empty()->link()->isVisible());
        QTest::mouseClick(window.page<ComparePage>()->empty()->first(), Qt::LeftButton);
        const auto measured = [&] {
            const auto model = window.workspace().model();
            return model && model->summary.name == "demo_vit" && !window.session<CompareSession>()->isRunning();
        };
        QVERIFY(QTest::qWaitFor(measured, 120'000 * slowdown));
        const RunTableModel& runs = window.session<CompareSession>()->runs();
        QCOMPARE(runs.record(0)->backend, std::string("softmax"));
        QVERIFY(runs.columnCount() > 1);
        for (int column = 0; column < runs.columnCount(); ++column) {
            QCOMPARE(runs.state(attnscope::ui::Row::RelativeError, column), CellState::Done);
            QCOMPARE(runs.record(column)->top.front().label, std::string("cat"));
        }
        QCOMPARE(buttonsNamed(window, u"Compare at 1 028 tokens"_s), 0);
        window.action(u"shortDemo"_s)->trigger();
        window.session<CompareSession>()->stop();
        QCOMPARE(window.workspace().context().weights,
                 QFileInfo(QStringLiteral(RESOURCE_DIR "/demo/models/deit.safetensors")).absoluteFilePath());
        QTRY_COMPARE_WITH_TIMEOUT(buttonsNamed(window, u"Compare at 1 028 tokens"_s), 1, 20'000);
    }

    void aVideoIsComparedByItsViews()
    {
        Engine engine(coreWorkbench());
        WindowOptions options = quickOptions();
        RunContext& context = options.loaded.settings.context;
        context.model = QStringLiteral(TEST_DATA_DIR "/models/motionformer_trajectory_tiny_cfg.json");
        context.weights = QStringLiteral(TEST_DATA_DIR
                                         "/models/motionformer_trajectory_tiny_cfg.weights.official.safetensors");
        context.views = u"10x3"_s;
        options.loaded.settings.specs = {u"softmax"_s, u"performer"_s};
        MainWindow window(engine, options, screens(options));
        window.resize(1280, 800);
        window.show();
        window.openPaths({QStringLiteral(TEST_DATA_DIR "/preprocess/videos/h264_30fps_300f_320x240.mp4")});
        QVERIFY(
            QTest::qWaitFor([&] { return !window.session<CompareSession>()->isRunning(); }, 120'000 * slowdown));
        QCOMPARE(window.workspace().unreadable().size(), size_t{0});
        const RunTableModel& runs = window.session<CompareSession>()->runs();
        for (int column = 0; column < runs.columnCount(); ++column) {
            const RunRecord& record = *runs.record(column);
            QCOMPARE(record.views.size(), size_t{30});
            double sum = 0;
            for (const ViewPrediction& view : record.views)
                sum += view.probabilities[size_t(record.top.front().index)];
            QVERIFY(std::abs(sum / 30 - record.top.front().probability) < 1e-6);
        }
        const ViewsPanel* panel = window.page<ComparePage>()->viewsPanel();
        QVERIFY(panel->isVisible());
        QCOMPARE(panel->table()->model()->columnCount(), 2 + 30);
        QVERIFY(panel->strip()->shownFrames() >= 8);
        if (const QString folder = qEnvironmentVariable("ATTNSCOPE_SHOTS"); !folder.isEmpty())
            QVERIFY(window.grab().save(folder + u"/real-video.png"_s));
    }

    void aFolderWithoutFramesIsRefusedInOneSentence()
    {
        Engine engine(coreWorkbench());
        MainWindow window(engine, quickOptions(), screens({}));
        window.show();
        window.openPaths({QStringLiteral(RESOURCE_DIR)});
        QTRY_COMPARE_WITH_TIMEOUT(window.workspace().unreadable().size(), size_t{1}, 60'000);
        QVERIFY(!window.workspace().unreadable().front().reason.empty());
    }

    void cancelFreesTheWorkerWithinASecond()
    {
        Engine engine(coreWorkbench());
        WindowOptions options = quickOptions();
        options.loaded.settings.seconds = 30;
        MainWindow window(engine, options, screens(options));
        window.show();
        std::atomic<bool> isFree = false;
        window.openPaths({photo});
        QTRY_COMPARE_WITH_TIMEOUT(
            window.session<CompareSession>()->runs().state(attnscope::ui::Row::WholeModel, 0),
            CellState::Measuring, 60'000);
        QElapsedTimer clock;
        clock.start();
        window.session<CompareSession>()->stop();
        QVERIFY(clock.elapsed() < 100);
        engine.post({}, [&isFree] { isFree = true; });
        QTRY_VERIFY_WITH_TIMEOUT(isFree, 5'000);
        QVERIFY2(clock.elapsed() < 1000, qPrintable(u"%1 ms"_s.arg(clock.elapsed())));
        QCOMPARE(window.session<CompareSession>()->runs().state(attnscope::ui::Row::Predictions, 0),
                 CellState::Done);
    }

    void picturesThatAreNoneAreRefusedInOneSentence()
    {
        Engine engine(coreWorkbench());
        MainWindow window(engine, quickOptions(), screens({}));
        window.show();
        window.openPaths({QStringLiteral(RESOURCE_DIR "/demo/photos/SOURCES.md")});
        QTRY_COMPARE_WITH_TIMEOUT(window.workspace().unreadable().size(), size_t{1}, 60'000);
        QVERIFY(!window.workspace().unreadable().front().reason.empty());
    }
};

ATTNSCOPE_WINDOW_TEST(TestRealEngine)
#include "tst_real_engine.moc"

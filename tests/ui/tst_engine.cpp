#include "tests/support/test_class.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/engine/engine.h"
#include "ui/engine/task.h"
#include "ui/live/live_feed.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <memory>
#include <optional>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

/// Where an object ended; null: it has not.
struct End {
    explicit End(const QObject& object)
    {
        QObject::connect(&object, &QObject::destroyed, [thread = thread] { *thread = QThread::currentThread(); });
    }
    std::shared_ptr<std::atomic<QThread*>> thread = std::make_shared<std::atomic<QThread*>>(nullptr);
};

/// Keeps the worker, or the thread next to it, until it is let go.
class Busy {
public:
    void operator()() const
    {
        while (*m_holds)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    void end() { *m_holds = false; }

private:
    std::shared_ptr<std::atomic<bool>> m_holds = std::make_shared<std::atomic<bool>>(true);
};

}

class TestEngine : public QObject {
    Q_OBJECT
private slots:
    void newerRequestOfATagReplacesTheQueuedOne()
    {
        RequestQueue queue;
        QString ran;
        queue.post({"a", [&] { ran += QLatin1Char('1'); }});
        queue.post({"b", [&] { ran += QLatin1Char('2'); }});
        queue.post({"a", [&] { ran += QLatin1Char('3'); }});
        queue.post({"", [&] { ran += QLatin1Char('4'); }});
        queue.post({"", [&] { ran += QLatin1Char('5'); }});
        QCOMPARE(queue.size(), size_t{4});
        std::stop_source stop;
        while (queue.size() > 0)
            queue.take(stop.get_token())->onWorker();
        QCOMPARE(ran, u"3245"_s);
        stop.request_stop();
        QVERIFY(!queue.take(stop.get_token()).has_value());
    }

    void aTaskWaitsForItsTurnAndEndsOnce()
    {
        Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
        Task<QString, QString> task(engine, {MeasuringGate::Work::Laboratory},
                                    [](const QString& word, TaskTurn&, const auto&) {
                                        if (word.isEmpty())
                                            throw attnscope::UsageError("it", "failed", "nothing");
                                        return word;
                                    });
        QString said;
        connect(&task, &TaskBase::restingChanged, this,
                [&](bool resting) { said += resting ? u"rests "_s : u"goes "_s; });
        connect(&task, &TaskBase::ended, this, [&] {
            said += task.report() ? *task.report() : task.wasCancelled() ? u"cancelled"_s : task.failure();
            said += u' ';
            QVERIFY(!task.isRunning());
        });
        std::optional<MeasuringGate::Turn> measuring(std::in_place, *engine.gate(), MeasuringGate::Work::Measuring,
                                                     std::stop_token());
        task.start(u"done"_s, 1);
        QTRY_COMPARE(said, u"rests "_s);
        task.stop();
        QTRY_COMPARE(said, u"rests goes cancelled "_s);
        measuring.reset();
        task.start(u"done"_s, 1);
        QTRY_COMPARE(said, u"rests goes cancelled done "_s);
        task.start({}, 1);
        QTRY_VERIFY(said.startsWith("rests goes cancelled done it: failed"_L1));
    }

    void oneModelIsIdleAndOthersAreThereWhileTheyRun()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        Engine engine(test::fakeWorkbench(behaviour));
        QSignalSpy opened(&engine, &Engine::modelOpened);
        Busy runs;
        Task<ModelRequest, int> task(engine, {MeasuringGate::Work::Laboratory},
                                     [runs](const ModelRequest& request, TaskTurn& turn, const auto&) {
                                         const auto model = turn.models().open(request);
                                         runs();
                                         return 1;
                                     });
        ModelRequest first, second;
        first.model = "first", second.model = "second";
        engine.open(first);
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(behaviour->models.load(), 1);
        task.start(second, 1);
        QTRY_COMPARE(behaviour->loads.load(), 2);
        QCOMPARE(behaviour->models.load(), 1);
        engine.open(first);
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(behaviour->models.load(), 2);
        engine.open(first);
        QTRY_COMPARE(opened.count(), 3);
        QCOMPARE(behaviour->loads.load(), 3);
        runs.end();
        QTRY_VERIFY(!task.isRunning());
        QCOMPARE(behaviour->models.load(), 1);
    }

    void theNetworksUsedLastAreKept()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        const std::shared_ptr<Workbench> workbench = test::fakeWorkbench(behaviour);
        ModelCache models([&](const ModelRequest& request) { return workbench->open(request); });
        const auto open = [&](const char* weights) {
            ModelRequest request;
            request.weights = weights;
            return models.open(request);
        };
        models.setCapacity(2);
        open("first");
        open("second");
        for (int column = 0; column < 6; ++column)  // of one file
            open("first");
        QCOMPARE(behaviour->loads.load(), 2);
        open("third");
        QCOMPARE(behaviour->maxModels.load(), 2);
        open("first");
        QCOMPARE(behaviour->loads.load(), 3);
        const auto held = open("second");  // was let go, and the third is now
        QCOMPARE(behaviour->loads.load(), 4);
        open("third");
        open("first");
        QCOMPARE(behaviour->models.load(), 3);  // with the one in somebody's hands
        models.setCapacity(1);
        QCOMPARE(behaviour->models.load(), 2);
        open("first");
        QCOMPARE(behaviour->loads.load(), 6);
    }

    void destructionStopsWhatRuns()
    {
        const auto untilStopped = [](int, TaskTurn& turn, const auto&) {
            while (!turn.isStopped())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return 0;
        };
        QElapsedTimer clock;
        {
            Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
            Task<int, int> own(engine, {MeasuringGate::Work::Measuring}, untilStopped);
            Task<int, int> worker(engine, {MeasuringGate::Work::Measuring, "task"}, untilStopped);
            own.start(0, 1);
            worker.start(0, 1);
            QTest::qWait(50);
            clock.start();
        }
        QVERIFY(clock.elapsed() < 1000);
    }

    void filesAreLookedIntoWhileTheWorkerWorks()
    {
        Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
        QSignalSpy seen(&engine, &Engine::previewReady), inspected(&engine, &Engine::checkpointInspected);
        Busy worker;
        engine.post({}, worker);
        const quint64 ticket = engine.preview({u"pasted"_s, u"pasted"_s, QByteArray("P")}, {});
        ModelRequest checkpoint;
        checkpoint.weights = "mine.safetensors";
        engine.inspect(checkpoint);
        std::atomic<bool> ran = false;
        engine.postFiles({}, [&] { ran = true; });
        QTRY_COMPARE(seen.count(), 1);
        QCOMPARE(seen.front().front().toULongLong(), ticket);
        QTRY_COMPARE(inspected.count(), 1);
        QTRY_VERIFY(ran);
        worker.end();
    }

    void sessionsThatEndBeforeTheirWorkLeaveNoObjectToTheWorker()
    {
        Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
        Busy worker, files;
        engine.post({}, worker);
        engine.postFiles({}, files);
        std::atomic<int> ran = 0;
        auto task = std::make_unique<Task<int, int>>(
            engine, TaskBase::Place{MeasuringGate::Work::Measuring, "task"},
            [&ran](int number, TaskTurn&, const auto&) { return ++ran, number; });
        auto feed = std::make_shared<LiveFeed>(engine, coreLiveBackend());
        const End endOfFeed(*feed);
        task->start(1, 1);
        feed->forget();
        feed->record({});
        task.reset();
        feed.reset();
        worker.end();
        files.end();
        QTRY_VERIFY(endOfFeed.thread->load() != nullptr);
        QCOMPARE(endOfFeed.thread->load(), QThread::currentThread());
        QCOMPARE(ran.load(), 0);
    }

    void aNewerTaskOfTheWorkerTakesThePlaceOfTheOneThatWaitsOrRuns()
    {
        Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
        std::atomic<int> begun = 0;
        Task<int, int> task(engine, {MeasuringGate::Work::Measuring, "task"},
                            [&begun](int number, TaskTurn& turn, const auto&) {
                                ++begun;
                                while (number == 0 && !turn.isStopped())
                                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                return number;
                            });
        QSignalSpy ended(&task, &TaskBase::ended);
        task.start(0, 1);
        QTRY_COMPARE(begun.load(), 1);
        task.start(1, 1);
        task.start(2, 1);
        QTRY_VERIFY(!task.isRunning());
        QVERIFY2(task.report(), qPrintable(task.failure()));
        QCOMPARE(*task.report(), 2);
        QCOMPARE(ended.count(), 1);
        task.start(0, 1, task.report());
        QTRY_COMPARE(begun.load(), 3);
        task.drop();
        QCOMPARE(ended.count(), 2);
        QVERIFY(!task.isRunning() && task.wasCancelled() && *task.report() == 2);
    }

    void exifTurnSwapsTheCropAsItIsLookedAt()
    {
        Transform transform;
        Preview upright{QImage(90, 60, QImage::Format_RGB888), 90, 60, false};
        Preview turned{QImage(60, 90, QImage::Format_RGB888), 90, 60, true};
        const QRectF a = cropOnView(upright, transform), b = cropOnView(turned, transform);
        QCOMPARE(a.width(), b.height());
        QCOMPARE(a.top(), b.left());
        QVERIFY(a.width() < a.height());
        QVERIFY(QRectF(0, 0, 1, 1).contains(a));
    }
};

ATTNSCOPE_EVENT_TEST(TestEngine)
#include "tst_engine.moc"

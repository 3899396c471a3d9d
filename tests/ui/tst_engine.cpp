#include "tests/support/test_class.h"
#include "tests/ui/support/fake_layers.h"
#include "tests/ui/support/watchdog.h"
#include "tests/ui/support/window_fixture.h"
#include "ui/engine/engine.h"
#include "ui/engine/worker_thread.h"
#include "ui/layers/layers_worker.h"
#include "ui/live/live_feed.h"

#include "core/attention/attention_spec.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <mutex>
#include <optional>

using namespace attnscope;
using namespace Qt::StringLiterals;
using namespace attnscope::ui;

namespace {

CompareJob job(int inputs)
{
    CompareJob out;
    out.run.attention = {AttentionSpec::parse("softmax"), AttentionSpec::parse("lara")};
    for (int i = 0; i < inputs; ++i)
        out.inputs.push_back({u"pasted %1"_s.arg(i), u"pasted"_s, QByteArray("P")});
    return out;
}

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
        QCOMPARE(queue.size(), std::size_t{4});
        std::stop_source stop;
        while (queue.size() > 0)
            queue.take(stop.get_token())->onWorker();
        QCOMPARE(ran, u"3245"_s);
        stop.request_stop();
        QVERIFY(!queue.take(stop.get_token()).has_value());
    }

    void aJobWaitsForItsTurnAndEndsWithOneWord()
    {
        std::mutex mutex;
        QStringList said;
        const auto say = [&](const QString& word) {
            const std::lock_guard lock(mutex);
            said << word;
        };
        const auto heard = [&] {
            const std::lock_guard lock(mutex);
            return said.join(QLatin1Char(' '));
        };
        const auto gate = std::make_shared<MeasuringGate>();
        WorkerThread thread(gate, MeasuringGate::Work::Laboratory);
        WorkerThread::Job job;
        job.work = [&](WorkerTurn&) -> WorkerThread::LastWord {
            say(u"works"_s);
            return [&] { say(u"done"_s); };
        };
        job.cancelled = [&] { say(u"cancelled"_s); };
        job.failed = [&](const QString& sentence) { say(sentence); };
        job.resting = [&](bool resting) { say(resting ? u"rests"_s : u"goes"_s); };
        std::optional<MeasuringGate::Turn> measuring(std::in_place, *gate, MeasuringGate::Work::Measuring,
                                                     std::stop_token());
        thread.start(job);
        QTRY_COMPARE(heard(), u"rests"_s);
        thread.requestStop();
        QTRY_COMPARE(heard(), u"rests goes cancelled"_s);
        QVERIFY(!thread.isRunning());
        measuring.reset();
        thread.start(job);
        QTRY_COMPARE(heard(), u"rests goes cancelled works done"_s);
        job.work = [](WorkerTurn&) -> WorkerThread::LastWord {
            throw attnscope::UsageError("it", "failed", "nothing");
        };
        thread.start(job);
        QTRY_VERIFY(heard().startsWith("rests goes cancelled works done it: failed"_L1));
        QVERIFY(!thread.isRunning());
    }

    void fortyQuickRequestsRunOnceOrTwice()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->hold = true;
        Engine engine(test::fakeWorkbench(behaviour));
        QSignalSpy done(&engine, &Engine::finished);
        quint64 last = 0;
        for (int i = 0; i < 40; ++i)
            last = engine.compare(job(1));
        behaviour->hold = false;
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 10'000);
        QCOMPARE(done.front().front().toULongLong(), last);
        QVERIFY(behaviour->runs <= 2);
    }

    void cancelAnswersWithinASecondAndKeepsWhatCame()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->blockMs = 300;  // a step that does not look at the stop
        Engine engine(test::fakeWorkbench(behaviour));
        QSignalSpy stopped(&engine, &Engine::cancelled), steps(&engine, &Engine::runAdvanced);
        engine.compare(job(1));
        QTRY_VERIFY(steps.count() >= 2);  // predictions are there
        QElapsedTimer clock;
        clock.start();
        engine.cancel();
        QTRY_COMPARE_WITH_TIMEOUT(stopped.count(), 1, 1000);
        QVERIFY(clock.elapsed() < 1000);
    }

    void eventLoopGoesOnWhileTheWorkerBlocks()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->blockMs = 120;
        Engine engine(test::fakeWorkbench(behaviour));
        test::Watchdog watchdog;
        engine.compare(job(1));
        QTest::qWait(800);
        engine.cancel();
        QVERIFY2(watchdog.longest < 100, qPrintable(u"gap of %1 ms"_s.arg(watchdog.longest)));
    }

    void destructionStopsARunningComparison()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->hold = true;
        QElapsedTimer clock;
        {
            Engine engine(test::fakeWorkbench(behaviour));
            engine.compare(job(3));
            QTest::qWait(50);
            clock.start();
        }
        QVERIFY(clock.elapsed() < 1000);
    }

    void unreadableInputIsToldAndTheOthersGoOn()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        Engine engine(test::fakeWorkbench(behaviour));
        QSignalSpy bad(&engine, &Engine::unreadable), done(&engine, &Engine::finished);
        CompareJob mixed = job(1);
        mixed.inputs.insert(mixed.inputs.begin(), {u"/nowhere/x.png"_s, u"x.png"_s, {}});
        engine.compare(mixed);
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 10'000);
        QCOMPARE(bad.count(), 1);
        QCOMPARE(done.front()[1].value<std::shared_ptr<const RunReport>>()->inputs.size(), std::size_t{1});
    }

    void filesAreLookedIntoBesideAComparison()
    {
        auto behaviour = std::make_shared<test::FakeBehaviour>();
        behaviour->hold = true;
        Engine engine(test::fakeWorkbench(behaviour));
        QSignalSpy seen(&engine, &Engine::previewReady), inspected(&engine, &Engine::checkpointInspected);
        QSignalSpy ended(&engine, &Engine::finished);
        engine.compare(job(1));
        QTRY_COMPARE(behaviour->runs.load(), 1);
        const quint64 ticket = engine.preview(job(1).inputs.front(), {});
        ModelRequest checkpoint;
        checkpoint.weights = "mine.safetensors";
        engine.inspect(checkpoint);
        std::atomic<bool> ran = false;
        engine.postFiles({}, [&] { ran = true; });
        QTRY_COMPARE(seen.count(), 1);
        QCOMPARE(seen.front().front().toULongLong(), ticket);
        QTRY_COMPARE(inspected.count(), 1);
        QTRY_VERIFY(ran);
        QCOMPARE(ended.count(), 0);
    }

    void sessionsThatEndBeforeTheirWorkLeaveNoObjectToTheWorker()
    {
        Engine engine(test::fakeWorkbench(std::make_shared<test::FakeBehaviour>()));
        Busy worker, files;
        engine.post({}, worker);
        engine.postFiles({}, files);
        auto layers = std::make_shared<LayersWorker>(engine,
                                                     test::scriptedLayers(std::make_shared<test::LayerScript>()));
        auto feed = std::make_shared<LiveFeed>(engine, coreLiveBackend());
        const End endOfLayers(*layers), endOfFeed(*feed);
        LayerQuestion question;
        question.request.attention = {AttentionSpec::parse("lara")};
        question.input = job(1).inputs.front();
        layers->inspect(question);
        auto found = std::make_shared<LayerInspection>();
        found->model.inputs.emplace_back();
        layers->writeTensors(found, u"/nowhere/maps.safetensors"_s);
        layers->stop();
        feed->forget();
        feed->record({});
        layers.reset();
        feed.reset();
        worker.end();
        files.end();
        QTRY_VERIFY(endOfLayers.thread->load() != nullptr && endOfFeed.thread->load() != nullptr);
        QCOMPARE(endOfLayers.thread->load(), QThread::currentThread());
        QCOMPARE(endOfFeed.thread->load(), QThread::currentThread());
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

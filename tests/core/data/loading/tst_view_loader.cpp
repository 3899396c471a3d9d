// Views of samples made ahead: order, bounds, broken samples.
#include "core/base/error.h"
#include "core/data/loading/view_loader.h"
#include "tests/support/test_class.h"

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

using namespace attnscope;
using namespace std::chrono_literals;

namespace {

std::vector<int64_t> numbers(int64_t count)
{
    std::vector<int64_t> all;
    for (int64_t i = 0; i < count; ++i)
        all.push_back(i * 3);
    return all;
}

/// A sample's number and the view's, in a value; `views` of each.
ViewLoader::Plan planOf(int64_t samples, int64_t workers, size_t views, int longest = 0)
{
    return {.samples = numbers(samples), .workers = workers, .makeOpener = [=]() -> ViewOpener {
                const auto random = std::make_shared<std::minstd_rand>(7);
                return [=](int64_t sample) {
                    return OpenedViews{views, [=](size_t view) {
                                           if (longest > 0)
                                               std::this_thread::sleep_for(
                                                   std::chrono::microseconds((*random)() % unsigned(longest)));
                                           return FloatArray{{2}, {float(sample), float(view)}};
                                       }};
                };
            }};
}

}

class TestViewLoader : public QObject {
    Q_OBJECT

private slots:
    void viewsComeInOrderWithAnyNumberOfThreads_data()
    {
        columns<int, int>("workers", "views");
        for (const int workers : {1, 2, 5})
            for (const int views : {1, 2, 30})
                addRow("%d threads, %d views", workers, views) << workers << views;
    }

    void viewsComeInOrderWithAnyNumberOfThreads()
    {
        QFETCH(int, workers);
        QFETCH(int, views);
        ViewLoader loader(planOf(20, workers, size_t(views), 200));
        for (const int64_t sample : numbers(20)) {
            for (size_t view = 0; view < size_t(views); ++view) {
                const auto got = loader.next();
                QVERIFY(got && got->sample == sample && got->index == view && got->reason.empty());
                QCOMPARE(got->input.values, (std::vector<float>{float(sample), float(view)}));
                QCOMPARE(got->last(), view + 1 == size_t(views));
            }
        }
        QVERIFY(!loader.next());
    }

    void noMoreIsHeldThanWasSaid_data()
    {
        columns<int, int>("views", "most");
        // Two threads, three views ahead: two open samples; of samples with one view at most four.
        row("many views", 1000, 6);
        row("one view", 1, 4);
    }

    void noMoreIsHeldThanWasSaid()
    {
        QFETCH(int, views);
        QFETCH(int, most);
        ViewLoader loader(planOf(1000, 2, size_t(views)));
        QTRY_COMPARE(loader.load().ready, most);
        QTest::qWait(50);
        QCOMPARE(loader.load().ready, most);
        loader.next();
        QTRY_COMPARE(loader.load().ready, most);
    }

    void aSampleMayBreakHalfWay()
    {
        auto plan = planOf(4, 2, 3);
        plan.makeOpener = []() -> ViewOpener {
            return [](int64_t sample) {
                if (sample == 0)
                    throw FileError("", "it cannot be opened");
                return OpenedViews{size_t(sample == 9 ? 0 : 3), [sample](size_t view) {
                                       if (sample == 3 && view == 1)
                                           throw FileError("", "it breaks off");
                                       return FloatArray{{1}, {1}};
                                   }};
            };
        };
        ViewLoader loader(std::move(plan));
        QCOMPARE(loader.next()->reason, "it cannot be opened.");
        QVERIFY(loader.next()->reason.empty());
        const auto broken = loader.next();
        QVERIFY(broken->sample == 3 && broken->reason == "it breaks off." && broken->last());
        for (int view = 0; view < 3; ++view)
            QVERIFY(loader.next()->reason.empty());
        QCOMPARE(loader.next()->reason, "it has no view.");
        QVERIFY(!loader.next());
    }

    void otherExceptionsReachTheReader()
    {
        auto plan = planOf(20, 3, 2);
        plan.makeOpener = []() -> ViewOpener {
            return [](int64_t) -> OpenedViews { throw std::runtime_error("the decoder is gone"); };
        };
        ViewLoader loader(std::move(plan));
        THROWS(std::runtime_error, loader.next());
        THROWS(std::runtime_error, loader.next());
    }

    void aStopIsObeyedWhileWaiting()
    {
        auto plan = planOf(2, 1, 1);
        plan.makeOpener = []() -> ViewOpener {
            return [](int64_t) {
                std::this_thread::sleep_for(500ms);
                return OpenedViews{1, [](size_t) { return FloatArray{{1}, {1}}; }};
            };
        };
        ViewLoader loader(std::move(plan));
        std::stop_source source;
        const std::jthread user([&] {
            std::this_thread::sleep_for(30ms);
            source.request_stop();
        });
        THROWS(Cancelled, loader.next(source.get_token()));
    }

    void itCanBeDestroyedAtAnyMoment()
    {
        std::minstd_rand random(9);
        for (int run = 0; run < 100; ++run) {
            ViewLoader loader(planOf(50, 1 + int64_t(random() % 4), 1 + random() % 5, 100));
            for (unsigned i = random() % 7; i > 0; --i)
                QVERIFY(loader.next());
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 500));
        }
    }
};

ATTNSCOPE_EVENT_TEST(TestViewLoader)
#include "tst_view_loader.moc"

// Reading ahead with threads, and how fast steps go. Free of torch.
#include "core/base/error.h"
#include "core/data/loading/batch_loader.h"
#include "core/train/throughput.h"
#include "tests/support/test_class.h"

#include <set>

#include <atomic>
#include <chrono>
#include <cmath>
#include <random>
#include <thread>

using namespace attnscope;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;
using Samples = std::vector<int64_t>;

double secondsSince(Clock::time_point begin)
{
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Two numbers of the sample and the epoch.
FloatArray arrayOf(int64_t sample, uint64_t epoch)
{
    return {{2}, {float(sample), float(epoch)}};
}

/// Waits up to `longest` microseconds, another time at each call.
SampleLoader slowLoader(int longest)
{
    static std::atomic<unsigned> seed{1};
    auto random = std::make_shared<std::minstd_rand>(seed++);
    return [=](int64_t sample, uint64_t epoch) {
        if (longest > 0)
            std::this_thread::sleep_for(std::chrono::microseconds((*random)() % unsigned(longest)));
        return arrayOf(sample, epoch);
    };
}

std::vector<Samples> batches(int64_t count, int64_t size)
{
    std::vector<Samples> all;
    for (int64_t i = 0, sample = 0; i < count; ++i) {
        all.emplace_back();
        for (int64_t j = 0; j < size; ++j)
            all.back().push_back(sample++ * 7 % 1000);
    }
    return all;
}

BatchLoader::Plan planOf(std::vector<Samples> which, int64_t workers, int longest = 0)
{
    return {.batches = std::move(which), .epoch = 3, .workers = workers, .makeLoader = [=] {
                return slowLoader(longest);
            }};
}

/// Everything is handed out, in order and with the right values.
bool deliversAll(BatchLoader& loader, const std::vector<Samples>& wanted)
{
    for (const Samples& samples : wanted) {
        const auto batch = loader.next();
        if (!batch || batch->samples != samples || !batch->unreadable.empty())
            return false;
        if (batch->input.shape != Samples{int64_t(samples.size()), 2} && !samples.empty())
            return false;
        for (size_t i = 0; i < samples.size(); ++i)
            if (batch->input.values[2 * i] != float(samples[i]) || batch->input.values[2 * i + 1] != 3)
                return false;
    }
    return !loader.next() && !loader.next();
}

}

class TestBatchLoader : public QObject {
    Q_OBJECT

private slots:
    void batchesComeInOrderWithAnyNumberOfThreads_data()
    {
        columns<int>("workers");
        for (const int workers : {0, 1, 2, 4, 16})
            addRow("%d threads", workers) << workers;
    }

    void batchesComeInOrderWithAnyNumberOfThreads()
    {
        QFETCH(int, workers);
        const auto wanted = batches(30, 8);
        BatchLoader loader(planOf(wanted, workers));
        QVERIFY(deliversAll(loader, wanted));
    }

    void randomTimingsNeitherMixNorBlock()
    {
        std::minstd_rand random(5);
        for (int run = 0; run < 150; ++run) {
            const auto wanted = batches(int64_t(random() % 12), 1 + int64_t(random() % 6));
            auto plan = planOf(wanted, 1 + int64_t(random() % 5), run % 3 == 0 ? 0 : 400);
            plan.ahead = 1 + int64_t(random() % 4);
            BatchLoader loader(std::move(plan));
            QVERIFY2(deliversAll(loader, wanted), qPrintable(QString("run %1").arg(run)));
        }
    }

    void emptyBatchesAreHandedOutToo()
    {
        const std::vector<Samples> wanted{{}, {4, 5}, {}, {}, {6}, {}};
        for (const int workers : {1, 3}) {
            BatchLoader loader(planOf(wanted, workers, 100));
            QVERIFY(deliversAll(loader, wanted));
        }
    }

    void noBatchesEndAtOnce()
    {
        BatchLoader loader(planOf({}, 2));
        QVERIFY(!loader.next());
    }

    void unreadableSamplesAreListedAndLeftOut()
    {
        auto plan = planOf(batches(4, 5), 2);
        plan.makeLoader = [] {
            return [](int64_t sample, uint64_t epoch) {
                if (sample % 3 == 1)
                    throw FileError("picture " + std::to_string(sample), "it is cut short");
                return arrayOf(sample, epoch);
            };
        };
        const auto wanted = plan.batches;
        BatchLoader loader(std::move(plan));
        for (const Samples& samples : wanted) {
            const auto batch = loader.next();
            QVERIFY(batch);
            QCOMPARE(batch->samples.size() + batch->unreadable.size(), samples.size());
            QCOMPARE(batch->input.values.size(), 2 * batch->samples.size());
            for (size_t i = 0; i < batch->samples.size(); ++i) {
                QVERIFY(batch->samples[i] % 3 != 1);
                QCOMPARE(batch->input.values[2 * i], float(batch->samples[i]));
            }
            for (const auto& bad : batch->unreadable) {
                QCOMPARE(bad.sample % 3, 1);
                QVERIFY(bad.reason.find("picture " + std::to_string(bad.sample) + ": it is cut short") == 0);
            }
        }
    }

    void aBatchWithoutAnyReadableSampleIsEmpty()
    {
        auto plan = planOf({{1, 2}, {3}}, 1);
        plan.makeLoader = [] {
            return [](int64_t sample, uint64_t epoch) {
                if (sample < 3)
                    throw FileError("x", "bad");
                return arrayOf(sample, epoch);
            };
        };
        BatchLoader loader(std::move(plan));
        const auto first = loader.next();
        QVERIFY(first && first->samples.empty() && first->input.values.empty() && first->unreadable.size() == 2);
        QCOMPARE(loader.next()->samples, Samples{3});
    }

    void keptGapsLeaveTheOthersInTheirPlaces()
    {
        auto plan = planOf({{1, 2, 3, 4}, {5, 7}}, 2);
        plan.gaps = Gaps::Keep;
        plan.makeLoader = [] {
            return [](int64_t sample, uint64_t epoch) {
                if (sample == 1 || sample == 3 || sample > 4)
                    throw FileError("x", "bad");
                return arrayOf(sample, epoch);
            };
        };
        BatchLoader loader(std::move(plan));
        const auto batch = loader.next();
        QCOMPARE(batch->samples, (Samples{2, 4}));
        QCOMPARE(batch->places, (Samples{1, 3}));
        QCOMPARE(batch->input.shape, (Samples{4, 2}));
        QCOMPARE(batch->input.values, (std::vector<float>{0, 0, 2, 3, 0, 0, 4, 3}));
        const auto none = loader.next();
        QVERIFY(none->samples.empty() && none->input.values.empty() && none->unreadable.size() == 2);
    }

    void reusedMemoryShowsNothingOfEarlierSamples()
    {
        std::vector<std::vector<int64_t>> all;
        for (int64_t i = 0; i < 40; ++i)
            all.push_back({4 * i + 1, 4 * i + 2, 4 * i + 3});
        auto plan = planOf(all, 2);
        plan.gaps = Gaps::Keep;
        plan.makeWriter = [] {
            return [](int64_t sample, uint64_t, const SamplePlace<float>& place) {
                float* const to = place({2});
                to[0] = to[1] = float(sample);
                if (sample % 4 == 2 && sample > 8)
                    throw FileError("x", "bad");  // after it wrote
            };
        };
        BatchLoader loader(std::move(plan));
        std::set<const float*> memory;
        for (float i = 0; auto batch = loader.next(); ++i) {
            const float first = 4 * i + 1, second = i < 2 ? 4 * i + 2 : 0, third = 4 * i + 3;
            QCOMPARE(batch->input.values, (std::vector<float>{first, first, second, second, third, third}));
            memory.insert(batch->input.values.data());
            loader.reuse(std::move(batch->input));
        }
        QCOMPARE_LT(memory.size(), 12);
    }

    void theLoadSaysWhatWaits()
    {
        auto plan = planOf(batches(20, 2), 2, 2000);
        plan.ahead = 3;
        BatchLoader loader(std::move(plan));
        QTRY_COMPARE(loader.load().ready, 6);
        QCOMPARE(loader.load().room, 6);
        QVERIFY(loader.load().workedSeconds > 0);
        for (int i = 0; i < 19; ++i)
            QVERIFY(loader.next());
        QTRY_COMPARE(loader.load().ready, 2);
        QCOMPARE(loader.load().room, 2);
    }

    void otherExceptionsReachTheReader()
    {
        for (const int workers : {1, 4}) {
            auto plan = planOf(batches(20, 4), workers);
            plan.makeLoader = [] {
                return [](int64_t sample, uint64_t epoch) {
                    if (sample == 7 * 18)
                        throw std::runtime_error("the decoder is gone");
                    return arrayOf(sample, epoch);
                };
            };
            BatchLoader loader(std::move(plan));
            int got = 0;
            try {
                while (loader.next())
                    ++got;
                QFAIL("nothing was thrown");
            } catch (const std::runtime_error& error) {
                QCOMPARE(std::string(error.what()), "the decoder is gone");
            }
            QVERIFY(got <= 4);
            THROWS(std::runtime_error, loader.next());  // and it stays so
        }
    }

    void anExceptionOfMakingALoaderReachesTheReader()
    {
        auto plan = planOf(batches(3, 2), 2);
        plan.makeLoader = []() -> SampleLoader { throw Unsupported("decoder", "it cannot be started"); };
        BatchLoader loader(std::move(plan));
        THROWS(Unsupported, loader.next());
    }

    void eachThreadHasALoaderOfItsOwn()
    {
        std::atomic<int> made{0}, shared{0};
        auto plan = planOf(batches(40, 4), 4);
        plan.makeLoader = [&] {
            ++made;
            const auto owner = std::this_thread::get_id();
            return [&shared, owner](int64_t sample, uint64_t epoch) {
                shared += std::this_thread::get_id() != owner ? 1 : 0;
                std::this_thread::sleep_for(100us);
                return arrayOf(sample, epoch);
            };
        };
        const auto wanted = plan.batches;
        {
            BatchLoader loader(std::move(plan));
            QVERIFY(deliversAll(loader, wanted));
        }
        QCOMPARE(made.load(), 4);
        QCOMPARE(shared.load(), 0);
    }

    void itReadsAheadButNotFurther()
    {
        std::atomic<int> read{0};
        auto plan = planOf(batches(20, 2), 3);
        plan.ahead = 3;
        plan.makeLoader = [&] {
            return [&read](int64_t sample, uint64_t epoch) {
                ++read;
                return arrayOf(sample, epoch);
            };
        };
        BatchLoader loader(std::move(plan));
        QTRY_COMPARE(read.load(), 6);
        QTest::qWait(50);
        QCOMPARE(read.load(), 6);
        loader.next();
        QTRY_COMPARE(read.load(), 8);
        QTest::qWait(50);
        QCOMPARE(read.load(), 8);
    }

    void aStopIsObeyedWhileWaiting()
    {
        std::atomic<bool> release{false};
        auto plan = planOf(batches(4, 2), 2);
        plan.makeLoader = [&] {
            return [&release](int64_t sample, uint64_t epoch) {
                for (int i = 0; i < 3000 && !release; ++i)  // three seconds: a frozen disk
                    std::this_thread::sleep_for(1ms);
                return arrayOf(sample, epoch);
            };
        };
        BatchLoader loader(std::move(plan));
        std::stop_source source;
        const auto begin = Clock::now();
        const std::jthread user([&] {
            std::this_thread::sleep_for(30ms);
            source.request_stop();
        });
        THROWS(Cancelled, loader.next(source.get_token()));
        QCOMPARE_LT(secondsSince(begin), 1);
        release = true;
    }

    /// Samples of different sizes in memory that somebody else provides; odd ones cannot be read.
    void packedSamplesLieOneAfterAnother()
    {
        BatchLoader::Plan plan{.batches = {{0, 1, 2, 3, 4}, {1}}, .workers = 3, .gaps = Gaps::Keep, .room = 4};
        plan.makeWriter = [] {
            return [](int64_t sample, uint64_t, const SamplePlace<float>& place) {
                if (sample % 2 == 1)
                    throw FileError("", "odd");
                std::fill_n(place({sample}), sample, float(sample));
            };
        };
        std::vector<size_t> provided;
        plan.memory = [&provided](size_t values) {
            provided.push_back(values);
            const auto memory = std::make_shared<std::vector<float>>(values, -1.0f);
            return std::shared_ptr<float>(memory, memory->data());
        };
        BatchLoader loader(std::move(plan));
        const auto batch = loader.next();
        QCOMPARE(batch->samples, (Samples{0, 2, 4}));
        QCOMPARE(batch->places, (Samples{0, 2, 4}));
        QCOMPARE(batch->input.shape, Samples{6});
        QCOMPARE(batch->packed[1], -1);
        QCOMPARE(batch->packed[3], -1);
        QCOMPARE(batch->memory.get()[batch->packed[2] + 1], 2.0f);
        QCOMPARE(batch->memory.get()[batch->packed[4] + 3], 4.0f);
        const auto none = loader.next();
        QVERIFY(none->samples.empty() && !none->memory);
        QCOMPARE(provided, std::vector<size_t>{20});
    }

    void providedMemoryHoldsWhatIsRead()
    {
        BatchLoader::Plan plan = planOf({{5, 6}}, 2);
        plan.memory = [](size_t values) {
            return std::shared_ptr<float>(new float[values], std::default_delete<float[]>());
        };
        BatchLoader loader(std::move(plan));
        const auto batch = loader.next();
        QCOMPARE(batch->input.shape, (Samples{2, 2}));
        QVERIFY(batch->input.values.empty());
        QCOMPARE(std::vector(batch->memory.get(), batch->memory.get() + 4), (std::vector<float>{5, 3, 6, 3}));
    }

    void itCanBeDestroyedAtAnyMoment()
    {
        std::minstd_rand random(9);
        const auto begin = Clock::now();
        for (int run = 0; run < 200; ++run) {
            auto plan = planOf(batches(50, 3), 1 + int64_t(random() % 4), 200);
            plan.ahead = 1 + int64_t(random() % 3);
            BatchLoader loader(std::move(plan));
            for (unsigned i = random() % 3; i > 0; --i)
                QVERIFY(loader.next());
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 700));
        }
        QCOMPARE_LT(secondsSince(begin), 10);
    }

    void paceIsTheMedianOfRecentSteps()
    {
        Throughput throughput(8);
        QCOMPARE(throughput.samplesPerSecond(), 0.0);
        throughput.add(0);
        throughput.add(0);
        QVERIFY(!throughput.secondsFor(10));
        for (int i = 0; i < 30; ++i) {
            std::this_thread::sleep_for(i == 7 ? 80ms : 4ms);  // one step that waited for something
            throughput.add(i == 7 ? 0.08 : 0.001);
        }
        // A sleep is never shorter than asked, and on a busy machine longer.
        QCOMPARE_LE(throughput.samplesPerSecond(), 8 / 0.004);
        QCOMPARE_GT(throughput.samplesPerSecond(), 8 / 0.04);
        const double perStep = 8 / throughput.samplesPerSecond();
        QVERIFY(std::abs(*throughput.secondsFor(100) - 100 * perStep) < 1e-9 * perStep * 100);
        QVERIFY(throughput.waiting() > 0 && throughput.waiting() < 0.6);
        QVERIFY(throughput.seconds() > 0.196);
        // A pause of whoever watches is no time of the training.
        const double before = throughput.seconds();
        std::this_thread::sleep_for(80ms);
        throughput.goOn();
        QVERIFY2(throughput.seconds() < before + 0.06, qPrintable(QString::number(throughput.seconds() - before)));
    }
};

ATTNSCOPE_EVENT_TEST(TestBatchLoader)
#include "tst_batch_loader.moc"

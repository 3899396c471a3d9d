#include "core/evaluate/queue/work_queue.h"
#include "tests/support/checks.h"
#include "tests/support/test_class.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <numeric>

using namespace attnscope;

namespace {

/// A process that does nothing but sleep, in simulated time.
struct Sleeper {
    double seconds = 1;                                     // for a batch
    double ends = std::numeric_limits<double>::infinity();  // the batch that it sleeps through
    double dies = std::numeric_limits<double>::infinity();  // and says nothing from then on
    std::deque<int64_t> held = {};
};

struct Outcome {
    double seconds = 0;
    std::map<int64_t, int> counted;  // how often a batch was the first to be finished
    int64_t given = 0;               // copies included
};

/// Until all batches are finished: processes take batches and sleep. News takes `latency` seconds.
Outcome simulate(std::vector<Sleeper> sleepers, int64_t batches, double latency = 0.001)
{
    std::vector<int64_t> numbers(static_cast<size_t>(batches));
    std::iota(numbers.begin(), numbers.end(), int64_t{100});
    WorkQueue queue(numbers, std::ssize(sleepers));
    Outcome outcome;
    double now = 0;
    while (!queue.isDone()) {
        for (size_t i = 0; i < sleepers.size(); ++i) {
            Sleeper& one = sleepers[i];
            if (now >= one.dies)
                continue;
            const bool wasIdle = one.held.empty();
            const auto more = queue.take(int64_t(i), now);
            one.held.insert(one.held.end(), more.begin(), more.end());
            outcome.given += std::ssize(more);
            if (wasIdle && !one.held.empty())
                one.ends = now + latency + one.seconds;
        }
        // The next that ends, or a moment for those that look for copies.
        double next = now + 0.05;
        for (const Sleeper& one : sleepers)
            if (!one.held.empty() && one.ends < one.dies)
                next = std::min(next, one.ends);
        now = next;
        for (size_t i = 0; i < sleepers.size(); ++i) {
            Sleeper& one = sleepers[i];
            if (one.held.empty() || one.ends > now || one.ends >= one.dies)
                continue;
            outcome.counted[one.held.front()] += queue.finish(int64_t(i), one.held.front(), now) ? 1 : 0;
            one.held.pop_front();
            one.ends = now + one.seconds;
        }
        if (now > 1e4)
            break;
    }
    outcome.seconds = now;
    return outcome;
}

std::vector<Sleeper> sleepersOf(int64_t count, std::vector<double> seconds)
{
    std::vector<Sleeper> sleepers;
    for (int64_t i = 0; i < count; ++i)
        sleepers.push_back({seconds[size_t(i) % seconds.size()]});
    return sleepers;
}

double idealSeconds(const std::vector<Sleeper>& sleepers, int64_t batches)
{
    double rate = 0;
    for (const Sleeper& one : sleepers)
        rate += 1 / one.seconds;
    return double(batches) / rate;
}

}

class TestWorkQueue : public QObject {
    Q_OBJECT
private slots:
    void everyBatchIsCountedOnce();
    void unequalProcessesEndTogether_data();
    void unequalProcessesEndTogether();
    void lostProcessesBatchesAreDoneByOthers();
    void oneProcessGetsAllInOrder();
};

void TestWorkQueue::everyBatchIsCountedOnce()
{
    const Outcome outcome = simulate(sleepersOf(7, {1, 2.5, 0.3}), 200);
    QCOMPARE(outcome.counted.size(), size_t(200));
    for (const auto& [batch, times] : outcome.counted) {
        QVERIFY(batch >= 100 && batch < 300);
        QCOMPARE(times, 1);
    }
}

void TestWorkQueue::unequalProcessesEndTogether_data()
{
    columns<qlonglong, qlonglong, double>("processes", "batches", "slowest");
    row("2 of 1 : 3", qlonglong(2), qlonglong(100), 3.0);
    row("64 of 1 : 3", qlonglong(64), qlonglong(64 * 25), 3.0);
    row("64 of 1 : 3, ImageNet's 1,563 batches", qlonglong(64), qlonglong(1563), 3.0);
    row("64 equal", qlonglong(64), qlonglong(64 * 25), 1.0);
    row("100 of 1 : 10", qlonglong(100), qlonglong(100 * 25), 10.0);
}

/// Within 1.1 of the time that is possible if batches could be divided, with at most a twentieth of the batches given twice.
void TestWorkQueue::unequalProcessesEndTogether()
{
    QFETCH(qlonglong, processes);
    QFETCH(qlonglong, batches);
    QFETCH(double, slowest);
    const auto sleepers = sleepersOf(processes, {1, slowest, 1 + 0.37 * (slowest - 1)});
    const Outcome outcome = simulate(sleepers, batches);
    const double ratio = outcome.seconds / idealSeconds(sleepers, batches);
    qInfo("%.3f of the ideal time, %.1f %% given twice", ratio,
          100.0 * double(outcome.given - batches) / double(batches));
    QVERIFY2(ratio < 1.1, qPrintable(QString::number(ratio)));
    QVERIFY(outcome.given - batches <= batches / 20);
    // In equal rounds the slowest sets the pace.
    if (slowest > 1)
        QVERIFY(outcome.seconds < 0.8 * slowest * double(batches) / double(processes));
}

void TestWorkQueue::lostProcessesBatchesAreDoneByOthers()
{
    auto sleepers = sleepersOf(8, {1, 3});
    sleepers[2].dies = 10.5;
    sleepers[5].dies = 0;  // before its first
    const Outcome outcome = simulate(sleepers, 160);
    QCOMPARE(outcome.counted.size(), size_t(160));
    sleepers.erase(sleepers.begin() + 5);
    sleepers.erase(sleepers.begin() + 2);
    QVERIFY(outcome.seconds < 1.1 * idealSeconds(sleepers, 160));
}

void TestWorkQueue::oneProcessGetsAllInOrder()
{
    WorkQueue queue({4, 2, 9}, 1);
    std::vector<int64_t> order = queue.take(0, 0);
    for (double now = 1; !queue.isDone(); ++now) {
        QVERIFY(queue.finish(0, order[size_t(now) - 1], now));
        const auto more = queue.take(0, now);
        order.insert(order.end(), more.begin(), more.end());
    }
    QCOMPARE(order, (std::vector<int64_t>{4, 2, 9}));
    QVERIFY(!queue.finish(0, 4, 5));
    QVERIFY(queue.take(0, 6).empty());
}

ATTNSCOPE_TEST(TestWorkQueue)
#include "tst_work_queue.moc"

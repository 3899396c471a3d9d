// What the other tests of this folder go by: an event loop that stands still is seen, and one that had no core is told from it.
#include "tests/support/test_class.h"
#include "tests/ui/support/watchdog.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <thread>
#include <vector>

#include <sched.h>
#include <time.h>

using namespace Qt::StringLiterals;

using attnscope::ui::test::Watchdog;

namespace {

/// Has `milliseconds` of a core, however long that takes.
void compute(int milliseconds)
{
    const auto ran = [] {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
    };
    for (const double until = ran() + milliseconds; ran() < until;) {
    }
}

/// The calling thread and those that compute next to it share one core while this lives.
class CrowdedCore {
public:
    explicit CrowdedCore(int others)
    {
        sched_getaffinity(0, sizeof(before), &before);
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &before)) {
                CPU_SET(core, &one);
                break;
            }
        crowded = sched_setaffinity(0, sizeof(one), &one) == 0;  // threads begun from here on inherit it
        for (int i = 0; i < others; ++i)
            threads.emplace_back([this] {
                while (!stop) {
                }
            });
    }
    ~CrowdedCore()
    {
        stop = true;
        for (std::thread& thread : threads)
            thread.join();
        sched_setaffinity(0, sizeof(before), &before);
    }
    bool crowded = false;

private:
    cpu_set_t before{};
    std::atomic<bool> stop{false};
    std::vector<std::thread> threads;
};

}

class TestWatchdog : public QObject {
    Q_OBJECT
private slots:
    void turningLoopHasNoGap()
    {
        Watchdog watchdog;
        QTest::qWait(300);
        QVERIFY2(watchdog.longest < 100, qPrintable(QString::number(watchdog.longest)));
        QVERIFY(watchdog.longest > 0);
    }

    void loopThatWaitsIsSeen()
    {
        Watchdog watchdog;
        QTest::qWait(30);
        QThread::msleep(1000);
        QTest::qWait(30);
        QVERIFY2(watchdog.longest > 300,
                 qPrintable(QString::number(watchdog.longest)));  // less what a host holds back of other cores
    }

    void loopThatComputesIsSeenOnACrowdedCoreToo()
    {
        CrowdedCore core(3);
        QVERIFY(core.crowded);
        Watchdog watchdog;
        QTest::qWait(30);
        compute(150);
        QTest::qWait(30);
        QVERIFY2(watchdog.longest >= 149, qPrintable(QString::number(watchdog.longest)));
    }

    void loopWithoutACoreIsNotBlamed()
    {
        CrowdedCore core(8);
        QVERIFY(core.crowded);
        Watchdog watchdog;
        QTest::qWait(30);
        compute(40);
        QTest::qWait(30);
        QVERIFY2(watchdog.longestAtAll > 120, qPrintable(QString::number(watchdog.longestAtAll)));
        QVERIFY2(watchdog.longest < 100,
                 qPrintable(u"%1 of %2"_s.arg(watchdog.longest).arg(watchdog.longestAtAll)));
    }
};

ATTNSCOPE_EVENT_TEST(TestWatchdog)
#include "tst_watchdog.moc"

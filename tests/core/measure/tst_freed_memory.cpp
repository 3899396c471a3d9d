#include "core/device/freed_memory.h"
#include "core/measure/memory.h"
#include "tests/support/test_class.h"

#include <sys/resource.h>

#include <fstream>
#include <thread>

using namespace attnscope;

namespace {

constexpr int64_t large = 200 << 20;

long faults()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

int64_t residentBytes()
{
    int64_t whole = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> whole >> resident;
    return resident * 4096;
}

/// What an explicit attention does: two tensors of one large size at a time, with small ones between.
void takeAndFree()
{
    auto scores = at::zeros({large}, at::kByte);
    const auto between = at::zeros({1000}, at::kByte);
    auto fractions = at::zeros({large}, at::kByte);
    scores.reset();
    fractions.reset();
}

}

class TestFreedMemory : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { keepFreedMemory(); }
    void tensorsAreAligned()
    {
        std::vector<at::Tensor> kept;
        for (int64_t bytes = 1; bytes < 3'000'000; bytes = bytes * 5 / 4 + 1) {
            kept.push_back(at::empty({bytes}, at::kByte));
            QCOMPARE(reinterpret_cast<std::uintptr_t>(kept.back().data_ptr()) % 64, std::uintptr_t{0});
            kept.back().fill_(bytes % 251);
        }
        for (const at::Tensor& tensor : kept)
            QVERIFY(tensor.eq(tensor.numel() % 251).all().item<bool>());
        QCOMPARE(at::empty({0}, at::kFloat).numel(), 0);
    }

    void theMeterCountsThem()
    {
        AllocationMeter meter(at::kCPU);
        {
            const auto a = at::empty({1000}, at::kFloat);
            QCOMPARE(meter.current(), 4000);
        }
        QCOMPARE(meter.current(), 0);
        QCOMPARE(meter.peak(), 4000);
    }

    void thePagesOfLargeTensorsAreTakenOnce_data()
    {
        columns<bool>("onAnotherThread");
        row("main thread", false);
        row("another thread", true);
    }

    void thePagesOfLargeTensorsAreTakenOnce()
    {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
        QSKIP("only glibc's malloc can be asked to keep freed memory");
#endif
        QFETCH(bool, onAnotherThread);
        long later = 0;
        const auto work = [&] {
            takeAndFree();
            const long first = faults();
            for (int i = 0; i < 4; ++i)
                takeAndFree();
            later = faults() - first;
        };
        if (onAnotherThread)
            std::thread(work).join();
        else
            work();
        // Four times two tensors of 51 200 pages each.
        QCOMPARE_LT(later, 1000);
    }

    void aJobsEndGivesThemBack()
    {
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__)
        QSKIP("only glibc's malloc can be asked to give freed memory back");
#endif
        int64_t within = 0;
        {
            const FreedMemoryReturn after;
            takeAndFree();
            within = residentBytes();
        }
        const int64_t returned = within - residentBytes();
        QCOMPARE_GT(returned, large);
    }

    /// Stands last: after such a request glibc gives threads arenas of their own, whose large chunks are taken and given back each time.
    void moreThanThereIsCanBeTold()
    {
        const auto absurd = [] { return at::empty({int64_t{1} << 60}, at::kByte); };
        THROWS(c10::Error, absurd());
    }
};

ATTNSCOPE_TEST(TestFreedMemory)
#include "tst_freed_memory.moc"

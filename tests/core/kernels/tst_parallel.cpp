// Work is done whole, and once, whatever team OpenMP hands out.
#include "core/kernels/parallel.h"

#include "tests/support/test_class.h"

#include <omp.h>

#include <atomic>
#include <vector>

using namespace attnscope;
using namespace attnscope::kernels;

namespace {

/// OpenMP's settings as they were, at its end.
class TeamSettings {
public:
    ~TeamSettings()
    {
        omp_set_num_threads(m_threads);
        omp_set_dynamic(m_dynamic);
        omp_set_max_active_levels(m_levels);
    }

private:
    int m_threads = omp_get_max_threads(), m_dynamic = omp_get_dynamic(), m_levels = omp_get_max_active_levels();
};

/// How often each of `count` chunks was done by `run(count, grain, done)`.
template <typename Run>
std::vector<int> timesDone(int64_t count, int64_t grain, const Run& run)
{
    std::vector<std::atomic<int>> done(static_cast<size_t>(count));
    run(count, grain, done);
    return {done.begin(), done.end()};
}

}

class TestParallel : public QObject {
    Q_OBJECT

private slots:
    void everythingIsDoneOnceByWhateverTeamComes_data()
    {
        columns<int, int, int>("threads", "dynamic", "levels");
        row("as many as asked for", 4, 0, 1);
        row("as many as there are cores", 64, 1, 1);     // OMP_DYNAMIC
        row("one, as no level may be active", 4, 0, 0);  // OMP_MAX_ACTIVE_LEVELS=0
        row("one", 1, 0, 1);
    }

    void everythingIsDoneOnceByWhateverTeamComes()
    {
        QFETCH(int, threads);
        QFETCH(int, dynamic);
        QFETCH(int, levels);
        const TeamSettings before;
        omp_set_num_threads(threads);
        omp_set_dynamic(dynamic);
        omp_set_max_active_levels(levels);
        for (const int64_t count : {0, 1, 2, 7, 64, 1000})
            for (const int64_t grain : {1, 3, 100}) {
                const std::vector<int> once(static_cast<size_t>(count), 1);
                QCOMPARE(timesDone(count, grain,
                                   [](int64_t all, int64_t least, auto& done) {
                                       forEachChunk(all, least, [&](int64_t begin, int64_t end, int) {
                                           for (int64_t i = begin; i < end; ++i)
                                               ++done[size_t(i)];
                                       });
                                   }),
                         once);
                QCOMPARE(timesDone(count, grain,
                                   [](int64_t all, int64_t least, auto& done) {
                                       forEachTaken(all, least, [&](int64_t task, int) { ++done[size_t(task)]; });
                                   }),
                         once);
            }
    }

    void threadsAreNumberedBelowTheLargestTeam()
    {
        const TeamSettings before;
        omp_set_num_threads(3);
        std::atomic<int> largest{0};
        const auto note = [&](int thread) {
            for (int seen = largest; thread > seen && !largest.compare_exchange_weak(seen, thread);) {
            }
        };
        forEachChunk(100, 1, [&](int64_t, int64_t, int thread) { note(thread); });
        forEachTaken(100, 1, [&](int64_t, int thread) { note(thread); });
        QVERIFY(largest < 3);
    }
};

ATTNSCOPE_TEST(TestParallel)
#include "tst_parallel.moc"

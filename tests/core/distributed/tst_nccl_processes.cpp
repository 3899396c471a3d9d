// Several processes with a GPU each, played by threads of this one: what goes by NCCL's functions, here ones that add up over threads, and
// what happens where NCCL is not to be had.
#include "core/base/error.h"
#include "core/distributed/nccl_processes.h"
#include "tests/support/test_class.h"

#include <atomic>
#include <barrier>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>

using namespace attnscope;

namespace {

/// Where threads meet: each adds its numbers, all get the sum.
class Meeting {
public:
    explicit Meeting(int64_t size)
        : m_barrier(size)
    {}

    template <typename Number>
    void sum(Number* values, size_t count)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_sums.resize(count);
            for (size_t i = 0; i < count; ++i)
                m_sums[i] += double(values[i]);
        }
        m_barrier.arrive_and_wait();
        for (size_t i = 0; i < count; ++i)
            values[i] = static_cast<Number>(m_sums[i]);
        m_barrier.arrive_and_wait();
        m_sums.clear();
        m_barrier.arrive_and_wait();
    }

private:
    std::barrier<> m_barrier;
    std::mutex m_mutex;
    std::vector<double> m_sums;
};

class Threads : public Collective {
public:
    Threads(int64_t rank, int64_t size, Meeting& meeting)
        : m_rank(rank)
        , m_size(size)
        , m_meeting(meeting)
    {}
    int64_t rank() const override { return m_rank; }
    int64_t size() const override { return m_size; }
    using Collective::sum;
    void sum(std::vector<at::Tensor>& tensors) override
    {
        ++exchanges;
        for (at::Tensor& tensor : tensors)
            tensor.scalar_type() == at::kDouble ? m_meeting.sum(tensor.data_ptr<double>(), size_t(tensor.numel()))
                                                : m_meeting.sum(tensor.data_ptr<float>(), size_t(tensor.numel()));
    }
    int exchanges = 0;

private:
    int64_t m_rank, m_size;
    Meeting& m_meeting;
};

/// A library of NCCL's functions over threads.
Meeting* gpus = nullptr;
std::atomic<int> reductions, broadcasts, groups;
constexpr int duplicate = 5, unreachable = 2;
std::atomic<int> refused, broken;  // a rank that cannot join; a code that exchanges return
constexpr char theId[] = "\x80 an id, with bytes beyond 127: \xff";

struct FakeGroup {
    int size, rank;
};

int makeId(nccl::GroupId* id)
{
    std::memset(id, 0, sizeof *id);
    std::memcpy(id->bytes, theId, sizeof theId);
    return 0;
}

int join(nccl::Group** group, int size, nccl::GroupId id, int rank)
{
    if (std::memcmp(id.bytes, theId, sizeof theId) != 0)
        return unreachable;
    if (rank == refused)
        return duplicate;
    ++groups;
    *group = reinterpret_cast<nccl::Group*>(new FakeGroup{size, rank});
    return 0;
}

int leave(nccl::Group* group)
{
    --groups;
    delete reinterpret_cast<FakeGroup*>(group);
    return 0;
}

const char* explain(int code)
{
    return code == duplicate ? "two on one GPU" : "nobody is there";
}

int allReduce(const void* from, void* to, size_t count, nccl::Type type, nccl::Reduction, nccl::Group*, void*)
{
    if (broken != 0)
        return broken;
    ++reductions;
    if (from != to)
        return unreachable;
    if (type == nccl::Type::Double)
        gpus->sum(static_cast<double*>(to), count);
    else
        gpus->sum(static_cast<float*>(to), count);
    return 0;
}

int broadcast(const void* from, void* to, size_t count, nccl::Type type, int root, nccl::Group* group,
              void* stream)
{
    ++broadcasts;
    if (reinterpret_cast<FakeGroup*>(group)->rank != root)
        std::memset(to, 0, count * (type == nccl::Type::Double ? 8 : 4));
    return allReduce(from, to, count, type, nccl::Reduction::Sum, group, stream);
}

nccl::Loaded library()
{
    return {nccl::Functions{makeId, join, leave, explain, allReduce, broadcast}, {}};
}

using Work = std::function<void(std::shared_ptr<Threads> within)>;

void inProcesses(int64_t size, const Work& work)
{
    Meeting machine(size), cards(size);
    gpus = &cards;
    std::vector<std::thread> all;
    for (int64_t rank = 0; rank < size; ++rank)
        all.emplace_back([&, rank] { work(std::make_shared<Threads>(rank, size, machine)); });
    for (std::thread& one : all)
        one.join();
}

}

class TestNcclProcesses : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        reductions = broadcasts = groups = broken = 0;
        refused = -1;
    }

    void tensorsOfTheDeviceGoByNccl()
    {
        std::atomic<int> right = 0;
        inProcesses(3, [&](const std::shared_ptr<Threads>& within) {
            const GpuProcesses linked = withNccl(within, at::kCPU, library());
            const int before = within->exchanges;
            const auto rank = double(within->rank());
            std::vector<at::Tensor> gradients{at::full({2, 3}, rank + 1), at::full({5}, 10 * rank).t(),
                                              at::ones({4, 2}).t() * rank};
            linked.processes->sum(gradients);
            std::vector<at::Tensor> weights{at::full({3}, rank + 7), at::full({2, 2}, rank)};
            linked.processes->broadcast(weights);
            right += linked.processes->size() == 3 && linked.processes->rank() == within->rank()
                     && within->exchanges == before && gradients[0].eq(6).all().item<bool>()
                     && gradients[1].eq(30).all().item<bool>() && gradients[2].eq(3).all().item<bool>()
                     && weights[0].eq(7).all().item<bool>() && weights[1].eq(0).all().item<bool>()
                     && linked.note == "gradients are summed by NCCL";
        });
        QCOMPARE(right, 3);
        QCOMPARE(broadcasts, 3);
        QCOMPARE(reductions, 6);  // one message for all tensors
        QCOMPARE(groups, 0);      // all have left
    }

    void whatLiesElsewhereGoesAsBefore()
    {
        std::atomic<int> right = 0;
        inProcesses(2, [&](const std::shared_ptr<Threads>& within) {
            const GpuProcesses linked = withNccl(within, at::Device(at::kMeta), library());
            std::vector<at::Tensor> sums{at::ones({3})};
            linked.processes->sum(sums);
            right += sums[0].eq(2).all().item<bool>() && !linked.processes->any(false)
                     && linked.processes->any(within->rank() == 1);
        });
        QCOMPARE(right, 2);
        QCOMPARE(reductions, 0);
    }

    void oneWithoutTheLibraryKeepsAllFromIt()
    {
        std::atomic<int> right = 0;
        inProcesses(2, [&](const std::shared_ptr<Threads>& within) {
            const bool lacking = within->rank() == 1;
            const GpuProcesses linked = withNccl(within, at::kCPU,
                                                 lacking ? nccl::Loaded{{}, "it was not found"} : library());
            right += linked.processes == within
                     && linked.note.ends_with(lacking ? "without NCCL: it was not found"
                                                      : "without NCCL: another process does not have it");
        });
        QCOMPARE(right, 2);
        QCOMPARE(groups, 0);
    }

    void oneThatCannotJoinKeepsAllFromIt()
    {
        refused = 0;
        std::atomic<int> right = 0;
        inProcesses(2, [&](const std::shared_ptr<Threads>& within) {
            const GpuProcesses linked = withNccl(within, at::kCPU, library());
            right += linked.processes == within
                     && linked.note.ends_with(within->isFirst() ? "two on one GPU"
                                                                : "another process cannot join");
        });
        QCOMPARE(right, 2);
        QCOMPARE(groups, 0);
    }

    void aFailedExchangeIsSaid()
    {
        std::atomic<int> right = 0;
        inProcesses(2, [&](const std::shared_ptr<Threads>& within) {
            const GpuProcesses linked = withNccl(within, at::kCPU, library());
            broken = unreachable;
            std::vector<at::Tensor> gradients{at::ones({3})};
            try {
                linked.processes->sum(gradients);
            } catch (const Error& error) {
                right += std::string(error.what()).find("nobody is there") != std::string::npos;
            }
        });
        QCOMPARE(right, 2);
        QCOMPARE(groups, 0);
    }

    void oneProcessNeedsNone()
    {
        const auto alone = std::make_shared<Collective>();
        const GpuProcesses linked = withNccl(alone, at::kCPU, {});
        QVERIFY(linked.processes == alone && linked.note.empty());
    }

    void aLibraryThatIsNotThereIsSaid()
    {
        qputenv("ATTNSCOPE_NCCL", "/nowhere/libnccl.so.2");
        const nccl::Loaded none = nccl::load();
        QVERIFY(!none.functions && none.reason.find("/nowhere") != std::string::npos);
        qputenv("ATTNSCOPE_NCCL", "libm.so.6");
        const nccl::Loaded other = nccl::load();
        QVERIFY(!other.functions && other.reason == "libm.so.6 is not NCCL 2");
    }
};

ATTNSCOPE_EVENT_TEST(TestNcclProcesses)
#include "tst_nccl_processes.moc"

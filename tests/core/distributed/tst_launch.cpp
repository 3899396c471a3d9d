// Which processes there are, by the environment, and what one process alone does with its numbers.
#include "core/distributed/launch.h"
#include "core/distributed/processes.h"
#include "tests/support/test_class.h"

#include <map>

using namespace attnscope;

namespace {

Launch launchIn(const std::map<std::string, std::string>& variables)
{
    return launchOf([&](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

}

class TestLaunch : public QObject {
    Q_OBJECT

private slots:
    void withoutALauncherThereIsOneProcess()
    {
        const Launch alone = launchIn({});
        QVERIFY(!alone.several() && alone.isFirst() && alone.launcher.empty());
        // A job of Slurm whose program was not started by srun.
        QVERIFY(!launchIn({{"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}}).several());
        QVERIFY(!launchIn({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}, {"PMIX_RANK", "0"}})
                     .several());
    }

    void launchersAreKnownByTheirVariables()
    {
        const Launch open = launchIn({{"OMPI_COMM_WORLD_SIZE", "4"},
                                      {"OMPI_COMM_WORLD_RANK", "3"},
                                      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                      {"PMIX_RANK", "3"}});
        QVERIFY(open.localRank == 1);
        QVERIFY(open.several() && !open.isFirst() && open.size == 4 && open.rank == 3
                && open.launcher == "mpirun");
        const Launch pmi = launchIn({{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}});
        QVERIFY(pmi.localRank == 0);
        QVERIFY(pmi.several() && pmi.isFirst() && pmi.size == 2);
        const Launch slurm = launchIn(
            {{"SLURM_STEP_NUM_TASKS", "16"}, {"SLURM_PROCID", "15"}, {"SLURM_LOCALID", "7"}});
        QVERIFY(slurm.localRank == 7);
        QVERIFY(slurm.several() && slurm.size == 16 && slurm.rank == 15 && slurm.launcher == "srun");
        const Launch unknown = launchIn({{"PMIX_RANK", "1"}});
        QVERIFY(unknown.several() && unknown.size == 0 && unknown.rank == 1);
    }

    void nonsenseIsNoLauncher()
    {
        for (const char* text : {"", "-2", "many", "2x", "99999999999999999999"})
            QVERIFY2(!launchIn({{"OMPI_COMM_WORLD_SIZE", text}}).several(), text);
    }

    void oneProcessNeedsNoMpi()
    {
        const auto alone = startProcesses();
        QCOMPARE(alone->size(), 1);
        std::vector<double> numbers{1.5, -2};
        alone->sum(numbers);
        QVERIFY(numbers == (std::vector<double>{1.5, -2}));
        QVERIFY(alone->any(true) && !alone->any(false));
        std::vector<at::Tensor> tensors{at::ones({2, 3})};
        alone->sum(tensors);
        alone->broadcast(tensors);
        QVERIFY(at::equal(tensors.front(), at::ones({2, 3})));
    }
};

ATTNSCOPE_EVENT_TEST(TestLaunch)
#include "tst_launch.moc"

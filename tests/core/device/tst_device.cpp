#include "core/device/device.h"

#include "core/base/process/processors.h"
#include "core/device/torch_problem.h"
#include "tests/support/test_class.h"

#include <ATen/Context.h>

#include <filesystem>
#include <tuple>

using namespace attnscope;

class TestDevice : public QObject {
    Q_OBJECT

private slots:
    /// Before a GPU is looked for, so that it holds whichever is used.
    void productsAndSumsKeepTheirPrecision()
    {
        resolveDevice("cpu");
        const at::Context& context = at::globalContext();
        QVERIFY(!context.allowTF32CuBLAS() && !context.allowTF32CuDNN());
        QVERIFY(context.allowFP16ReductionCuBLAS()
                == at::CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK);
        QVERIFY(context.allowBF16ReductionCuBLAS()
                == at::CuBLASReductionOption::DisallowReducedPrecisionAllowSplitK);
    }

    void threadsAreNoMoreThanTheProcessorsThatMayBeUsed()
    {
        if (qEnvironmentVariableIsSet("OMP_NUM_THREADS") || qEnvironmentVariableIsSet("MKL_NUM_THREADS"))
            QSKIP("the environment chooses the number of threads");
        QVERIFY(setThreads(0) <= usableProcessors());
        QCOMPARE(summarise("cpu").threads, setThreads(0));
    }

    void theLibraryThatWasLoadedIsNamed()
    {
        QVERIFY2(fs::exists(torchLibrary()) && torchLibrary().find("libtorch") != std::string::npos,
                 torchLibrary().c_str());
    }

    void whatEndsTheGpuEndsTheWork_data()
    {
        columns<QString, bool>("text", "lost");
        row("illegal address", "CUDA error: an illegal memory access was encountered\nmore", true);
        row("failed launch", "CUDA error: unspecified launch failure", true);
        row("assertion", "CUDA error: device-side assert triggered", true);
        row("no memory", "CUDA out of memory. Tried to allocate 2 GiB", false);
        row("invalid configuration", "CUDA error: invalid configuration argument", false);
    }
    void whatEndsTheGpuEndsTheWork()
    {
        FETCH_TEXT(text);
        QFETCH(bool, lost);
        const auto fail = [&] { TORCH_CHECK(false, text); };
        if (lost) {
            THROWS(GpuLost, failureOf("performer", "", fail));
            THROWS(GpuLost, guardInput("cat.jpg", fail));
        } else {
            QVERIFY(!failureOf("performer", "", fail).empty());
            THROWS(Unsupported, guardInput("cat.jpg", fail));
        }
    }
};

ATTNSCOPE_TEST(TestDevice)
#include "tst_device.moc"

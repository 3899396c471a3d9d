#include "core/device/device.h"

#include "core/base/process/processors.h"
#include "core/device/torch_problem.h"
#include "tests/support/test_class.h"

#include <ATen/Context.h>

#include <QTest>

#include <filesystem>
#include <tuple>

using namespace attnscope;

class TestDevice : public QObject {
    Q_OBJECT

private slots:
    /// Before a GPU is looked for, so that it holds whichever is used.
    void productsAndSumsKeepTheirPrecision()
    {
        std::ignore = resolveDevice("cpu");
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
        QVERIFY2(std::filesystem::exists(torchLibrary()) && torchLibrary().find("libtorch") != std::string::npos,
                 torchLibrary().c_str());
    }

    void whatEndsTheGpuEndsTheWork_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("lost");
        QTest::newRow("illegal address") << "CUDA error: an illegal memory access was encountered\nmore" << true;
        QTest::newRow("failed launch") << "CUDA error: unspecified launch failure" << true;
        QTest::newRow("assertion") << "CUDA error: device-side assert triggered" << true;
        QTest::newRow("no memory") << "CUDA out of memory. Tried to allocate 2 GiB" << false;
        QTest::newRow("invalid configuration") << "CUDA error: invalid configuration argument" << false;
    }
    void whatEndsTheGpuEndsTheWork()
    {
        QFETCH(QString, text);
        QFETCH(bool, lost);
        const auto fail = [&] { TORCH_CHECK(false, text.toStdString()); };
        if (lost) {
            QVERIFY_EXCEPTION_THROWN(std::ignore = failureOf("performer", "", fail), GpuLost);
            QVERIFY_EXCEPTION_THROWN(guardInput("cat.jpg", fail), GpuLost);
        } else {
            QVERIFY(!failureOf("performer", "", fail).empty());
            QVERIFY_EXCEPTION_THROWN(guardInput("cat.jpg", fail), Unsupported);
        }
    }
};

ATTNSCOPE_TEST(TestDevice)
#include "tst_device.moc"

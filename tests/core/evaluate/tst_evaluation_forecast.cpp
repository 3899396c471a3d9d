// What an evaluation will cost, said before it begins.
#include "core/base/error.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

#include <chrono>
#include <numeric>
#include <thread>

using namespace attnscope;
using namespace attnscope::testing;

class TestEvaluationForecast : public QObject {
    Q_OBJECT

private slots:
    void theForecastSaysWhatThereIsAndCosts()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        const LabelledSet data = images(folder / "val", 40, 6);
        write(data.files[2].path, "broken");
        EvaluationRequest request = requestFor(data, folder / "runs.sqlite", randomAttentions());
        const EvaluationEstimate before = estimate(*network, request, {});
        QCOMPARE(before.samples, 40);
        QCOMPARE(before.done, 0);
        QCOMPARE(std::ssize(before.unreadable), 1);  // every second sample was looked at
        SAYS(before.unreadable.front(), "2.ppm: ");
        QCOMPARE(before.secondsOfAttention.size(), randomAttentions().size());
        for (const double seconds : before.secondsOfAttention)
            QVERIFY(seconds > 0 && seconds < 40);
        const double ofNetwork =
            std::accumulate(before.secondsOfAttention.begin(), before.secondsOfAttention.end(), 0.0) / 40;
        QVERIFY(before.secondsPerSample > ofNetwork * (1 + 1e-6));  // images are read, too
        QVERIFY(before.storeBytes > 40 * 5 * 30 && before.freeBytes > 0);
        QVERIFY(!fs::exists(request.store));
        EvaluationRequest half = request;
        half.data.files.resize(20);
        half.store = folder / "to" / "be" / "made" / "runs.sqlite";
        const EvaluationEstimate ofHalf = estimate(*network, half, {});
        QCOMPARE(before.storeBytes - ofHalf.storeBytes, 20 * (128 + 96 * std::ssize(randomAttentions())));
        QVERIFY(ofHalf.freeBytes > 0);
        half.keep = "logits";
        const int64_t classes = network->describe().classes;
        QCOMPARE(estimate(*network, half, {}).storeBytes - ofHalf.storeBytes,
                 20 * (32 + 4 * classes) * std::ssize(randomAttentions()));
        Notebook notes;
        notes.stopAfter = 2;
        THROWS(Cancelled, evaluate(*network, request, notes, notes.stop.get_token()));
        request.resume = true;
        QCOMPARE(estimate(*network, request, {}).done, 16);
        request.seed = 7;  // what the evaluation itself would refuse
        QVERIFY_EXCEPTION_THROWN(estimate(*network, request, {}), UsageError);
    }

    /// The first call of a network fills caches.
    void theForecastTimesTheSecondCall()
    {
        const Folder folder;
        int calls = 0;
        const FakeNetwork network(6, [&](const at::Tensor& input, const std::string&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(calls++ == 0 ? 2000 : 80));
            return byPixels(input, 6);
        });
        const EvaluationRequest request = requestFor(images(folder / "val", 16, 6),
                                                     folder / "runs.sqlite");  // batches of 8
        const EvaluationEstimate found = estimate(network, request, {});
        const double seconds = found.secondsOfAttention.front();
        QVERIFY2(seconds >= 0.16 && seconds < 1, qPrintable(QString::number(seconds)));
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluationForecast)
#include "tst_evaluation_forecast.moc"

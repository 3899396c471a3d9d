// Passes that a device records and launches as a whole: when they are measured, and when they are not believed. The device is made up.
#include "core/base/error.h"
#include "core/run/input_run.h"
#include "tests/models/golden_models.h"
#include "tests/support/test_class.h"

#include <cmath>

using namespace attnscope;
using namespace attnscope::test;

namespace {

at::Tensor ramp()
{
    return at::arange(3 * 32 * 32, at::kFloat).mul(0.1).sin().reshape({1, 3, 32, 32});
}

/// A device whose recorded passes take times that no pass takes.
class MadeUpPass : public CudaGraphPass {
public:
    explicit MadeUpPass(std::vector<at::Tensor> predictions)
        : m_predictions(std::move(predictions))
    {}
    PassTiming run() override
    {
        ++m_runs;
        return {1e6 + double(m_runs), 4e5};
    }
    at::Tensor logits() const override { return m_predictions[std::min(m_runs, m_predictions.size()) - 1]; }

private:
    std::vector<at::Tensor> m_predictions;  // of the first run, the second …; the last stays
    size_t m_runs = 0;
};

using Predictions = std::function<std::vector<at::Tensor>(const at::Tensor& right)>;

PassRecorder recorderOf(Predictions predictions, int* recordings = nullptr)
{
    return [=](const Classifier& classifier, const PreparedAttention& attention, const at::Tensor& input,
               const std::stop_token&) {
        if (recordings != nullptr)
            ++*recordings;
        return std::make_unique<MadeUpPass>(predictions(classifier.logits(input, attention)));
    };
}

InputRecord measured(const PassRecorder& recorder, bool requested = true)
{
    const c10::InferenceMode guard;
    RunRequest request{.attention = {AttentionSpec::parse("softmax"), AttentionSpec::parse("performer")},
                       .memory = false,
                       .error = false,
                       .minimumRepetitions = 3,
                       .minimumSeconds = 0,
                       .recordPasses = requested};
    InputRecord record;
    for (const AttentionSpec& spec : request.attention)
        record.runs.push_back({.attention = spec.canonical()});
    RunObserver nobody;
    const auto model = goldenModel();
    const auto load = [](size_t) { return NetworkInput{ramp(), {}}; };
    const auto network = onlyNetwork(*model);
    InputRun(network, request, nobody, {}, 0, recorder).measure({{.load = load}}, record);
    return record;
}

bool says(const RunRecord& run, const std::string& words)
{
    return std::any_of(run.notes.begin(), run.notes.end(),
                       [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

bool isMadeUp(const RunRecord& run)
{
    return run.latency && run.latency->medianMs > 1e6 && run.latency->attentionMedianMs == 4e5;
}

}

class TestCudaGraphPass : public QObject {
    Q_OBJECT

private slots:
    void aRecordedPassIsWhatIsTimed()
    {
        int recordings = 0;
        const InputRecord record = measured(
            recorderOf([](const at::Tensor& right) { return std::vector{right * 1.0001}; }, &recordings));
        QCOMPARE(recordings, 2);  // one an attention
        for (const RunRecord& run : record.runs) {
            QVERIFY2(run.failure.empty(), run.failure.c_str());
            QVERIFY(isMadeUp(run));
            QVERIFY(run.latency->repetitions >= 3);
            QVERIFY(says(run, "CUDA graph, which is launched as a whole"));
        }
    }

    void onesThatAnswerOtherwiseAreNotBelieved_data()
    {
        rows("fault", {"nothing", "others", "not finite", "another shape", "right once"});
    }

    void onesThatAnswerOtherwiseAreNotBelieved()
    {
        FETCH_TEXT(fault);
        const InputRecord record = measured(recorderOf([&](const at::Tensor& right) -> std::vector<at::Tensor> {
            if (fault == "nothing")
                return {at::zeros_like(right)};
            if (fault == "others")
                return {right.roll(1, 1)};
            if (fault == "not finite")
                return {right / 0};
            if (fault == "another shape")
                return {right.squeeze(0)};
            return {right, right + 1};
        }));
        for (const RunRecord& run : record.runs) {
            QVERIFY(run.failure.empty());
            QVERIFY(run.latency && run.latency->medianMs < 1e5);
            QVERIFY(says(run, "could not be recorded as a CUDA graph (its output differed)"));
        }
    }

    void whatCannotBeRecordedIsTimedAsItIs()
    {
        const InputRecord record = measured([](const Classifier&, const PreparedAttention& attention,
                                               const at::Tensor&,
                                               const std::stop_token&) -> std::unique_ptr<CudaGraphPass> {
            if (attention.requested.backend() == "performer")
                throw Unsupported("performer", "the GPU refused", "choose another");
            TORCH_CHECK(false, "operation not permitted when stream is capturing\nCUDA kernel errors might be …");
        });
        for (const RunRecord& run : record.runs) {
            QVERIFY(run.failure.empty());
            QVERIFY(run.latency && run.latency->medianMs < 1e5);
        }
        QVERIFY(
            says(record.runs[0],
                 "(LibTorch could not run this attention (operation not permitted when stream is capturing))"));
        QVERIFY(says(record.runs[1], "the GPU refused"));
    }

    void aStopIsNoFailure()
    {
        THROWS(Cancelled,
               measured([](const Classifier&, const PreparedAttention&, const at::Tensor&,
                           const std::stop_token&) -> std::unique_ptr<CudaGraphPass> { throw Cancelled(); }));
    }

    void nothingIsRecordedUnlessAsked()
    {
        int recordings = 0;
        const InputRecord record = measured(
            recorderOf([](const at::Tensor& right) { return std::vector{right}; }, &recordings), false);
        QCOMPARE(recordings, 0);
        QVERIFY(record.runs[0].notes.empty() && !isMadeUp(record.runs[0]));
    }

    void cpusRecordNothing() { QVERIFY(!passRecorder(at::kCPU)); }
};

ATTNSCOPE_EVENT_TEST(TestCudaGraphPass)
#include "tst_cuda_graph_pass.moc"

// What an evaluation measures next to its predictions: latency, memory and error once, its own speed all the time.
#include "core/base/error.h"
#include "core/store/result_store.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/support/test_class.h"

#include <chrono>
#include <thread>

using namespace attnscope;
using namespace attnscope::testing;

class TestEvaluationMeasures : public QObject {
    Q_OBJECT

private slots:
    void whatFailsWhenMeasuredIsSaidOnce()
    {
        const Folder folder;
        const FakeNetwork network(6, [](const at::Tensor& input, const std::string& attention) -> at::Tensor {
            if (attention == "ra")
                throw std::bad_alloc();
            return byPixels(input, 6);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 16, 6), folder / "runs.sqlite",
                                               {AttentionSpec::parse("softmax"), AttentionSpec::parse("ra")});
        request.latency = true;
        Notebook notes;
        const int64_t id = evaluate(network, request, notes, {});
        QCOMPARE(std::ssize(notes.messages), 1);
        QVERIFY2(notes.messages.front().starts_with("ra: ")
                     && notes.messages.front().ends_with("The other attentions continue."),
                 notes.messages.front().c_str());
        const StoredEvaluation stored = ResultStore(request.store, ResultStore::Mode::Read).evaluation(id);
        QVERIFY(stored.runs[0].latency && !stored.runs[1].latency);
    }

    /// Whichever of the two was asked for: what was measured before is not measured again.
    void measuringIsDoneOnce()
    {
        for (const auto part : {&EvaluationRequest::latency, &EvaluationRequest::memory}) {
            const Folder folder;
            int passes = 0;
            const FakeNetwork network(6, [&](const at::Tensor& input, const std::string&) {
                ++passes;
                return byPixels(input, 6);
            });
            EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "runs.sqlite");
            request.*part = true;
            Notebook stopped, rest;
            stopped.stopAfter = 2;
            THROWS(Cancelled, evaluate(network, request, stopped, stopped.stop.get_token()));
            QVERIFY(passes > 2);
            passes = 0;
            request.resume = true;
            evaluate(network, request, rest, {});
            QCOMPARE(passes, 3);
        }
    }

    /// The stored error is another before the evaluation goes on: measuring again would replace it.
    void errorIsMeasuredOnce()
    {
        const Folder folder;
        const auto network = tinyNetwork(folder);
        EvaluationRequest request = requestFor(images(folder / "val", 40, 6), folder / "runs.sqlite",
                                               {AttentionSpec::parse("performer:samples=8")});
        request.error = true;
        Notebook stopped, rest;
        stopped.stopAfter = 2;
        THROWS(Cancelled, evaluate(*network, request, stopped, stopped.stop.get_token()));
        StoredRun run =
            ResultStore(request.store, ResultStore::Mode::Read).evaluation(stopped.evaluation).runs.front();
        QVERIFY(run.error && run.error->relative > 0 && run.error->relative < 42);
        run.error->relative = 42;
        ResultStore(request.store, ResultStore::Mode::Write).setMeasurements(run.id, run);
        request.resume = true;
        QCOMPARE(evaluate(*network, request, rest, {}), stopped.evaluation);
        QCOMPARE(ResultStore(request.store, ResultStore::Mode::Read)
                     .evaluation(stopped.evaluation)
                     .runs.front()
                     .error->relative,
                 42.0);
    }

    /// What is left counts down to nothing.
    void theTimeThatIsLeftEnds()
    {
        const Folder folder;
        const FakeNetwork network(6, [](const at::Tensor& input, const std::string&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            return byPixels(input, 6);
        });
        EvaluationRequest request = requestFor(images(folder / "val", 24, 6), folder / "runs.sqlite");
        request.batch = 4;
        Notebook notes;
        evaluate(network, request, notes, {});
        QCOMPARE(notes.progress.size(), 6);
        QVERIFY(!notes.progress[1].secondsLeft);  // too few to tell
        QVERIFY(notes.progress[3].secondsLeft.value() > 0);
        QCOMPARE(notes.progress.back().secondsLeft.value(), 0.0);
    }

    void speedCountsUnreadableSamples()
    {
        const Folder folder;
        const LabelledSet data = images(folder / "val", 8, 2);
        for (size_t i = 0; i < data.files.size(); i += 2)
            write(data.files[i].path, "broken");
        const FakeNetwork network(2,
                                  [](const at::Tensor& input, const std::string&) { return byPixels(input, 2); });
        const EvaluationRequest request = requestFor(data, folder / "runs.sqlite");
        Notebook notes;
        const auto begin = std::chrono::steady_clock::now();
        evaluate(network, request, notes, {});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        QCOMPARE(std::ssize(notes.unreadable), 4);
        QVERIFY(notes.progress.back().load.samplesPerSecond >= 8 / seconds);
    }
};

ATTNSCOPE_EVENT_TEST(TestEvaluationMeasures)
#include "tst_evaluation_measures.moc"

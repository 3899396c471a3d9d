#include "core/base/error.h"
#include "core/measure/proportions.h"
#include "core/report/gate.h"
#include "tests/core/store/store_cases.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <random>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

constexpr int64_t sampleCount = 400, classCount = 10;

/// A store of one evaluation with one run, in which the samples from `wrongFrom` to `wrongTo` and every tenth are wrong.
void writeStore(const fs::path& file, int64_t wrongFrom, int64_t wrongTo, int64_t samples = sampleCount)
{
    ResultStore store(file, ResultStore::Mode::Write);
    const LabelledSet data = madeUpData(samples, classCount);
    const auto evaluation = store.begin(madeUpSettings(50), data, madeUpRuns(1), false);
    for (int64_t number = 0; number * 50 < samples; ++number) {
        FinishedBatch batch;
        batch.number = number;
        batch.seconds = {0.1};
        batch.predictions.resize(1);
        for (int64_t sample = number * 50; sample < std::min(samples, number * 50 + 50); ++sample) {
            const bool wrong = sample % 10 == 0 || (sample >= wrongFrom && sample < wrongTo);
            SamplePrediction prediction;
            const auto label = int32_t(data.files[size_t(sample)].label);
            prediction.classes[0] = wrong ? (label + 1) % int32_t(classCount) : label;
            prediction.classes[1] = wrong ? label : (label + 1) % int32_t(classCount);
            prediction.probabilities = {0.7F, 0.2F};
            prediction.labelProbability = wrong ? 0.2F : 0.7F;
            prediction.labelRank = wrong ? 1 : 0;
            batch.samples.push_back(sample);
            batch.predictions[0].push_back(prediction);
        }
        store.add(evaluation, batch);
    }
    store.setState(evaluation, EvaluationState::Finished);
}

GateCheck latencyCheck(double p, int64_t repetitions = 100)
{
    GateCheck check;
    check.kind = GateCheck::Kind::Latency;
    check.p = p;
    check.worse = repetitions;
    return check;
}

}

class TestGate : public QObject {
    Q_OBJECT

private slots:
    void lostSamplesFailByMcNemarsTest()
    {
        const Folder folder;
        writeStore(folder / "a.sqlite", 0, 0);
        writeStore(folder / "b.sqlite", 101, 131);
        const GateReport report = gate({.base = folder / "a.sqlite", .changed = folder / "b.sqlite"});
        QCOMPARE(report.checks.size(), 1U);
        const GateCheck& check = report.checks.front();
        QCOMPARE(check.worse, 27);  // of thirty, three were wrong before
        QCOMPARE(check.better, 0);
        QCOMPARE(check.base, 0.9);
        QCOMPARE(check.p, mcnemarExact(27, 0));
        QVERIFY(report.failed());
        QVERIFY(!gate({.base = folder / "b.sqlite", .changed = folder / "a.sqlite"})
                     .failed());  // better is no failure
        QVERIFY(!gate({.base = folder / "a.sqlite", .changed = folder / "a.sqlite"}).failed());
    }

    void fewLostSamplesAreChance()
    {
        const Folder folder;
        writeStore(folder / "a.sqlite", 0, 0);
        writeStore(folder / "b.sqlite", 101, 104);
        const GateReport report = gate({.base = folder / "a.sqlite", .changed = folder / "b.sqlite"});
        QCOMPARE(report.checks.front().worse, 3);
        QVERIFY(!report.failed());
    }

    void otherSamplesAreRefused()
    {
        const Folder folder;
        writeStore(folder / "a.sqlite", 0, 0);
        writeStore(folder / "b.sqlite", 0, 0, 300);
        THROWS(UsageError, gate({.base = folder / "a.sqlite", .changed = folder / "b.sqlite"}));
    }

    void signTestIsTheTailOfFairCoins()
    {
        QCOMPARE(signTest(0, 0), 1.0);
        QCOMPARE(signTest(0, 5), 1.0);
        QVERIFY(std::abs(signTest(7, 7) - std::pow(0.5, 7)) < 1e-12);
        QVERIFY(std::abs(signTest(9, 10) - 11.0 / 1024) < 1e-12);
    }

    void holmLeavesTheNextCheckWhatIsLeft()
    {
        std::vector<GateCheck> checks{latencyCheck(0.009), latencyCheck(0.002), latencyCheck(0.5)};
        decide(checks, 0.01);
        QVERIFY(checks[1].failed);   // 0.002 ≤ 0.01/3
        QVERIFY(!checks[0].failed);  // 0.009 > 0.01/2
        QVERIFY(!checks[2].failed);
        checks = {latencyCheck(0.004), latencyCheck(0.002), latencyCheck(0.009)};
        decide(checks, 0.01);
        QVERIFY(checks[0].failed && checks[1].failed && checks[2].failed);
    }

    /// Two sides with the same distribution: of many gates no more than the stated fraction fail.
    void falseAlarmsKeepToTheirRate()
    {
        std::mt19937_64 draw(1);
        std::lognormal_distribution<double> milliseconds(1, 0.2);
        constexpr int gates = 4000;
        int failed = 0;
        for (int i = 0; i < gates; ++i) {
            std::vector<GateCheck> checks;
            for (int j = 0; j < 3; ++j) {
                int64_t worse = 0;
                for (int k = 0; k < 12; ++k)
                    worse += milliseconds(draw) > milliseconds(draw) ? 1 : 0;
                GateCheck check;
                check.kind = GateCheck::Kind::Latency;
                check.worse = worse, check.better = 12 - worse;
                check.p = signTest(worse, 12);
                checks.push_back(check);
            }
            decide(checks, 0.05);
            failed += std::ranges::any_of(checks, &GateCheck::failed) ? 1 : 0;
        }
        QCOMPARE_LE(failed, 0.05 * gates + 3 * std::sqrt(0.05 * gates));
        QVERIFY(failed > 0);
    }

    void junitEscapesNames()
    {
        GateReport report;
        report.checks.push_back(latencyCheck(1));
        report.checks.front().name = "a<b & \"c\"";
        SAYS(junitXml(report), "a&lt;b &amp; &quot;c&quot;");
    }
};

ATTNSCOPE_TEST(TestGate)
#include "tst_gate.moc"

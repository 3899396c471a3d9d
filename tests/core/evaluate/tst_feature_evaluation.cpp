// Features as classes in the store: what is kept of attentions that fail, of samples that cannot be read, and of evaluations that were stopped.
#include "core/attention/numerics/fallbacks.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/evaluate/evaluate_features.h"
#include "tests/core/evaluate/evaluation_cases.h"
#include "tests/models/headless_classifier.h"
#include "tests/models/made_up_set.h"
#include "tests/support/test_class.h"

#include <cmath>
#include <new>

using namespace attnscope;
using namespace attnscope::test;
using namespace attnscope::testing;

namespace {

/// Memory lacks for one attention; another falls back, and its features are not finite.
class Troubled : public HeadlessClassifier {
public:
    using HeadlessClassifier::HeadlessClassifier;
    std::string lacksMemory, notFinite;
    mutable int passes = 0;

    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention,
                      ForwardObserver* observer) const override
    {
        const std::string name = attention.requested.backend();
        if (name == lacksMemory)
            throw std::bad_alloc();
        ++passes;
        if (FallbackTally* tally = FallbackTally::current(); tally != nullptr && name == notFinite)
            tally->add({"something happened"}, 2, 100);
        return HeadlessClassifier::logits(name == notFinite ? input * std::nan("") : input, attention, observer);
    }
};

std::shared_ptr<const Classifier> soundModel()
{
    const std::string name = TEST_DATA_DIR "/models/deit_tiny_cfg";
    return openModel(
        {.model = name + ".json", .weights = name + ".weights.official.safetensors", .device = "cpu"});
}

}

class FeatureEvaluationTest : public QObject {
    Q_OBJECT

private slots:
    void whatFailsIsKept();
    void trainingFeaturesMustBeFinite();
    void theRestComesWithResume();

private:
    /// Into the store `features.sqlite` of `folder`. brokenTraining: the training image that cannot be read; stopAfter: samples.
    FeatureReport evaluated(const Folder& folder, const Troubled& network,
                            const std::vector<std::string>& attentions, Notebook& notes, bool resume = false,
                            int64_t brokenTraining = -1, int64_t stopAfter = -1)
    {
        EvaluationRequest request;
        request.store = folder / "features.sqlite";
        request.batch = 1;
        request.resume = resume;
        for (const std::string& spec : attentions)
            request.attention.push_back(AttentionSpec::parse(spec));
        const auto progress = [&](const Progress& now) {
            if (now.what == "training features")
                m_trained.push_back(now.done);
            if (now.what == "samples" && now.done == stopAfter)
                notes.stop.request_stop();
        };
        EvaluationSettings settings;
        settings.model = "tiny";
        settings.batch = 1;
        const MadeUpSet training(*m_sound);
        MadeUpSet held(*m_sound);
        held.data.root = "/held/out";
        const LabelledSamples ofTraining = training.samples(network, brokenTraining),
                              ofHeld = held.samples(network, 4);
        return evaluateFeatures(network, {ofTraining, ofHeld}, settings, request,
                                {.neighbours = true, .probe = true, .k = {3}}, notes, progress,
                                notes.stop.get_token());
    }

    std::shared_ptr<const Classifier> m_sound = soundModel();
    std::vector<int64_t> m_trained;  ///< training samples, as progress told
};

void FeatureEvaluationTest::whatFailsIsKept()
{
    Troubled network(m_sound);
    network.lacksMemory = "performer";
    network.notFinite = "elu";
    const Folder folder;
    Notebook notes;
    const FeatureReport report = evaluated(folder, network, {"softmax", "performer", "elu"}, notes, false, 2);
    QCOMPARE(report.trainingSamples, imageCount - 1);
    QCOMPARE(std::ssize(m_trained), imageCount);  // in batches of one
    QCOMPARE(m_trained.back(), imageCount);
    QCOMPARE(std::ssize(report.trainingUnreadable), 1);
    QCOMPARE(report.trainingUnreadable.front().path, "/made/up/2");
    QCOMPARE(std::ssize(notes.messages), 1);
    QVERIFY(QString::fromStdString(notes.messages.front()).endsWith("The other attentions continue."));
    QCOMPARE(std::ssize(notes.unreadable), 1);
    QCOMPARE(notes.unreadable.front(), "4: it is broken.");
    QCOMPARE(std::ssize(report.evaluations), 2);  // three neighbours, and the probe
    QVERIFY(report.probe && report.probe->converged && report.notes.empty());
    const StoredEvaluation stored = ResultStore(folder / "features.sqlite", ResultStore::Mode::Read)
                                        .evaluation(report.evaluations.front().evaluation);
    QVERIFY(stored.state == EvaluationState::Finished);
    QVERIFY(stored.runs[0].failure.empty() && stored.runs[0].notes.empty());
    QVERIFY(!stored.runs[1].failure.empty());
    QVERIFY(stored.runs[2].failure.empty());
    QCOMPARE(
        std::ranges::count(stored.runs[2].notes, "some features are not finite; these samples count as wrong"), 1);
    const std::string fell = "in " + formatCount(2 * (imageCount - 1)) + " of "
                             + formatCount(100 * (imageCount - 1)) + " heads something happened";
    QCOMPARE(std::ranges::count(stored.runs[2].notes, fell), 1);
    QCOMPARE(stored.done, imageCount);
    // The only attention fails.
    Notebook again;
    THROWS(Error, evaluated(folder, network, {"performer"}, again));
}

void FeatureEvaluationTest::trainingFeaturesMustBeFinite()
{
    Troubled network(m_sound);
    network.notFinite = "softmax";
    const Folder folder;
    Notebook notes;
    REFUSES(FileError, evaluated(folder, network, {"elu"}, notes), "no training sample could be read");
}

/// Batches that are there are not predicted again.
void FeatureEvaluationTest::theRestComesWithResume()
{
    const Troubled network(m_sound);
    const Folder folder;
    Notebook notes;
    THROWS(Cancelled, evaluated(folder, network, {"softmax", "elu"}, notes, false, -1, 8));
    network.passes = 0;
    Notebook rest;
    const FeatureReport report = evaluated(folder, network, {"softmax", "elu"}, rest, true);
    QCOMPARE(network.passes, imageCount + 2 * (imageCount - 8));  // training features, then both attentions
    const ResultStore found(folder / "features.sqlite", ResultStore::Mode::Read);
    const StoredEvaluation stored = found.evaluation(report.evaluations.front().evaluation);
    QVERIFY(stored.state == EvaluationState::Finished);
    QCOMPARE(stored.done, imageCount);
    QCOMPARE(found.accuracy(stored.runs.front().id).samples, imageCount - 1);
}

ATTNSCOPE_EVENT_TEST(FeatureEvaluationTest)
#include "tst_feature_evaluation.moc"

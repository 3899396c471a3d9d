// SPDX-License-Identifier: Apache-2.0
// Features as classes in the store: what is kept of attentions that fail, of samples that cannot be read, and of evaluations that were stopped.
#include "core/base/error.h"
#include "core/evaluate/evaluate_features.h"
#include "core/store/result_store.h"
#include "models/open_model.h"
#include "tests/models/headless_classifier.h"
#include "tests/models/made_up_set.h"
#include "tests/support/test_class.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <new>

using namespace attnscope;
using namespace attnscope::test;

namespace {

/// Memory lacks for one attention; the features of another are not finite.
class Troubled : public HeadlessClassifier {
public:
    using HeadlessClassifier::HeadlessClassifier;
    std::string lacksMemory, notFinite;
    mutable int passes = 0;

    at::Tensor logits(const at::Tensor& input, const PreparedAttention& attention, ForwardObserver* observer) const override
    {
        const std::string name = attention.requested.backend();
        if (name == lacksMemory)
            throw std::bad_alloc();
        ++passes;
        return HeadlessClassifier::logits(name == notFinite ? input * std::nan("") : input, attention, observer);
    }
};

std::shared_ptr<const Classifier> soundModel()
{
    const std::string name = TEST_DATA_DIR "/models/deit_tiny_cfg";
    return openModel({.model = name + ".json", .weights = name + ".weights.official.safetensors", .device = "cpu"});
}

class Listener : public EvaluationObserver {
public:
    std::vector<std::string> messages;
    std::vector<UnreadableSample> unreadable;
    void onMessage(const std::string& text) override { messages.push_back(text); }
    void onUnreadable(const UnreadableSample& sample) override { unreadable.push_back(sample); }
};

}  // namespace

class FeatureEvaluationTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void whatFailsIsKept();
    void ofNothingNothingIsSaid();
    void theRestComesWithResume();

private:
    std::string store() const { return m_folder->filePath("features.sqlite").toStdString(); }
    FeatureReport evaluated(const Troubled& network, const std::vector<std::string>& attentions, Listener& listener, bool resume = false,
                            std::int64_t brokenTraining = -1, const std::function<void(std::stop_source&)>& onSample = {}) const
    {
        EvaluationRequest request;
        request.store = store();
        request.batch = 1;
        request.resume = resume;
        for (const std::string& spec : attentions)
            request.attention.push_back(AttentionSpec::parse(spec));
        std::stop_source stop;
        const auto progress = [&](const Progress& now) {
            if (onSample && now.what == "samples")
                onSample(stop);
        };
        EvaluationSettings settings;
        settings.model = "tiny";
        settings.batch = 1;
        const MadeUpSet training(*m_sound);
        MadeUpSet held(*m_sound);
        held.data.root = "/held/out";
        const LabelledSamples ofTraining = training.samples(network, brokenTraining), ofHeld = held.samples(network, 4);
        return evaluateFeatures(network, {ofTraining, ofHeld}, settings, request, {.neighbours = true, .probe = true, .k = {3}}, listener, progress,
                                stop.get_token());
    }

    std::shared_ptr<const Classifier> m_sound = soundModel();
    std::unique_ptr<QTemporaryDir> m_folder;
};

void FeatureEvaluationTest::whatFailsIsKept()
{
    Troubled network(m_sound);
    network.lacksMemory = "performer";
    network.notFinite = "elu";
    Listener listener;
    const FeatureReport report = evaluated(network, {"softmax", "performer", "elu"}, listener, false, 2);
    QCOMPARE(report.trainingSamples, imageCount - 1);
    QCOMPARE(std::ssize(report.trainingUnreadable), 1);
    QCOMPARE(report.trainingUnreadable.front().path, std::string("/made/up/2"));
    QCOMPARE(std::ssize(listener.messages), 1);
    QVERIFY(QString::fromStdString(listener.messages.front()).endsWith("The other attentions continue."));
    QCOMPARE(std::ssize(listener.unreadable), 1);
    QCOMPARE(listener.unreadable.front().sample, 4);
    QCOMPARE(std::ssize(report.evaluations), 2);  // three neighbours, and the probe
    QVERIFY(report.probe && report.probe->converged && report.notes.empty());
    const StoredEvaluation stored = ResultStore(store(), ResultStore::Mode::Read).evaluation(report.evaluations.front().evaluation);
    QVERIFY(stored.state == EvaluationState::Finished);
    QVERIFY(stored.runs[0].failure.empty() && stored.runs[0].notes.empty());
    QVERIFY(!stored.runs[1].failure.empty());
    QVERIFY(stored.runs[2].failure.empty());
    QCOMPARE(std::ranges::count(stored.runs[2].notes, "some features are not finite; these samples count as wrong"), 1);
    QCOMPARE(stored.done, imageCount);
    // Of one that fails alone nothing can be said.
    Listener again;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(evaluated(network, {"performer"}, again)), Error);
}

void FeatureEvaluationTest::ofNothingNothingIsSaid()
{
    Troubled network(m_sound);
    network.notFinite = "softmax";
    Listener listener;
    try {
        static_cast<void>(evaluated(network, {"elu"}, listener));
        QFAIL("accepted");
    } catch (const FileError& error) {
        QVERIFY2(QString(error.what()).contains("no training sample could be read"), error.what());
    }
}

/// Batches that are there are not predicted again.
void FeatureEvaluationTest::theRestComesWithResume()
{
    const Troubled network(m_sound);
    Listener listener;
    int samples = 0;
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(evaluated(network, {"softmax", "elu"}, listener, false, -1, [&](std::stop_source& stop) {
                                 if (++samples == 8)
                                     stop.request_stop();
                             })),
                             Cancelled);
    network.passes = 0;
    const FeatureReport report = evaluated(network, {"softmax", "elu"}, listener, true);
    const int training = imageCount, rest = imageCount - 8;
    QCOMPARE(network.passes, training + 2 * rest);
    const ResultStore found(store(), ResultStore::Mode::Read);
    const StoredEvaluation stored = found.evaluation(report.evaluations.front().evaluation);
    QVERIFY(stored.state == EvaluationState::Finished);
    QCOMPARE(stored.done, imageCount);
    QCOMPARE(found.accuracy(stored.runs.front().id).samples, imageCount - 1);
}

ATTNSCOPE_EVENT_TEST(FeatureEvaluationTest)
#include "tst_feature_evaluation.moc"

#include "core/live/live_classifier.h"

#include "core/base/error.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/device/torch_problem.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/run/observers.h"
#include "core/run/predictions.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr const char* remedy = "choose an attention with linear memory";

}

LiveClassifier::LiveClassifier(std::shared_ptr<const Classifier> classifier, const LiveQuestion& question)
    : m_classifier(std::move(classifier))
    , m_question(question)
{
    if (question.attention.empty())
        throw UsageError("", "no attention was specified", "select at least one backend");
    requireClasses(m_classifier->describe());
    const c10::InferenceMode guard;
    for (const AttentionSpec& spec : question.attention) {
        Backend& backend = m_backends.emplace_back(Backend{.spec = spec});
        backend.failure = failureOf(spec.canonical(), remedy,
                                    [&] { backend.prepared = m_classifier->prepare(spec, question.seed); });
    }
}

LivePrediction LiveClassifier::predict(const LiveClip& clip, const ClipRequest& request, std::stop_token stop)
{
    const c10::InferenceMode guard;
    LivePrediction prediction{request, clip.seconds, clip.frameSeconds};
    prediction.reference = m_question.reference;
    prediction.predictions.resize(m_backends.size());
    const NetworkInput input = networkView(clip.pixels, *m_classifier);  // which the clip outlives
    for (size_t i = 0; i < m_backends.size(); ++i) {
        const size_t turn = (m_turn + i) % m_backends.size();
        if (auto& prepared = m_backends[turn].prepared)
            prepared->drawFor(input.samples);
        prediction.predictions[turn] = predictWith(m_backends[turn], input.values, stop);
    }
    m_turn = (m_turn + 1) % m_backends.size();
    if (m_question.reference < m_backends.size()) {
        const std::vector<int64_t> expected = firstOfHeads(prediction.predictions[m_question.reference]);
        for (BackendPrediction& each : prediction.predictions)
            each.agrees = !expected.empty() && firstOfHeads(each) == expected;
    }
    return prediction;
}

/// From `top`, which is head by head; empty if there is no prediction.
std::vector<int64_t> LiveClassifier::firstOfHeads(const BackendPrediction& outcome) const
{
    std::vector<int64_t> first;
    size_t at = 0;
    for (const int64_t classes : headsOf(m_classifier->describe())) {
        if (at < outcome.top.size())
            first.push_back(outcome.top[at].index);
        at += size_t(std::min(m_question.topK, classes));
    }
    return first;
}

BackendPrediction LiveClassifier::predictWith(const Backend& backend, const at::Tensor& input,
                                              std::stop_token stop) const
{
    BackendPrediction outcome;
    outcome.attention = backend.spec.canonical();
    outcome.backend = backend.prepared ? backend.prepared->resolved.backend() : backend.spec.backend();
    outcome.failure = backend.failure;
    if (!backend.prepared)
        return outcome;
    outcome.weights = backend.prepared->weights;
    outcome.failure = failureOf(outcome.attention, remedy, [&] { ask(backend, input, stop, outcome); });
    return outcome;
}

void LiveClassifier::ask(const Backend& backend, const at::Tensor& input, std::stop_token stop,
                         BackendPrediction& outcome) const
{
    checkStop(stop);
    StoppableObserver observer(stop);
    AllocationMeter meter(m_classifier->device());
    SectionTimer timer(m_classifier->device());
    timer.begin();
    at::Tensor logits = m_classifier->logits(input, *backend.prepared, &observer);
    timer.end();
    outcome.latencyMs = timer.take();
    outcome.peakBytes = meter.peak();
    logits = logits[0].cpu();
    if (!isFinite(logits))
        throw Unsupported(outcome.attention, "the logits are not finite, so no class is predicted",
                          "compute in float32, or choose another attention");
    const bool named = outcome.weights != WeightsKind::Untrained;
    const auto heads = headsOf(m_classifier->describe());
    outcome.top = topClasses(probabilitiesOf(logits, heads), m_question.topK, heads,
                             named ? m_classifier->labels() : std::vector<std::string>{});
}

std::unique_ptr<LivePredictor> livePredictor(std::shared_ptr<const Classifier> classifier,
                                             const LiveQuestion& question)
{
    return std::make_unique<LiveClassifier>(std::move(classifier), question);
}

}

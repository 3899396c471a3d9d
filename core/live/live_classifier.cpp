#include "core/live/live_classifier.h"

#include "core/base/error.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/device/torch_problem.h"
#include "core/measure/latency.h"
#include "core/measure/memory.h"
#include "core/run/observers.h"
#include "core/run/predictions.h"

#include <algorithm>
#include <map>

namespace attnscope {

namespace {

constexpr const char* remedy = "choose an attention with linear memory";

}

LiveClassifier::LiveClassifier(std::vector<ComparedNetwork> networks, const LiveQuestion& question)
    : m_networks(std::move(networks))
    , m_question(question)
{
    if (question.attention.empty())
        throw UsageError("", "no attention was specified", "select at least one backend");
    requireClasses(m_networks.front().classifier->describe());
    const c10::InferenceMode guard;
    for (const AttentionSpec& spec : question.attention) {
        Backend& backend = m_backends.emplace_back(Backend{.spec = spec});
        backend.failure = failureOf(spec.canonical(), remedy, [&] { prepare(backend); });
    }
}

/// Throws what is in the way.
void LiveClassifier::prepare(Backend& backend) const
{
    const std::string name = backend.spec.canonical();
    const ComparedNetwork* network = networkOf(backend.spec, m_networks);
    if (network == nullptr)
        throw UsageError(name, "the network that it names is not open");
    if (network->classifier == nullptr)
        throw Unsupported(name, network->failure);
    const Classifier &own = *network->classifier, &first = *m_networks.front().classifier;
    if (own.describe().input != first.describe().input
        || own.describe().frameInterval != first.describe().frameInterval || own.transform() != first.transform())
        throw Unsupported(
            name, "its network takes clips of another size, interval or preprocessing than the first network",
            "compare the two in Compare, which reads the video for each");
    requireClasses(own.describe());
    backend.network = &own;
    backend.prepared = own.prepare(backend.spec.inNetwork(), m_question.seed);
}

LivePrediction LiveClassifier::predict(const LiveClip& clip, const ClipRequest& request, std::stop_token stop)
{
    const c10::InferenceMode guard;
    LivePrediction prediction{request, clip.seconds, clip.frameSeconds};
    prediction.reference = m_question.reference;
    prediction.predictions.resize(m_backends.size());
    std::map<const Classifier*, NetworkInput> inputs;  // which the clip outlives
    for (size_t i = 0; i < m_backends.size(); ++i) {
        const size_t turn = (m_turn + i) % m_backends.size();
        Backend& backend = m_backends[turn];
        at::Tensor input;
        if (backend.prepared) {
            const auto [known, isNew] = inputs.try_emplace(backend.network);
            if (isNew)
                known->second = networkView(clip.pixels, *backend.network);
            backend.prepared->drawFor(known->second.samples);
            input = known->second.values;
        }
        prediction.predictions[turn] = predictWith(backend, input, stop);
    }
    m_turn = (m_turn + 1) % m_backends.size();
    if (m_question.reference < m_backends.size())
        compareWithReference(prediction.predictions);
    return prediction;
}

/// Classes are the same by their number in one network, by their name in two.
void LiveClassifier::compareWithReference(std::vector<BackendPrediction>& predictions) const
{
    const size_t reference = m_question.reference;
    const std::vector<Prediction> expected = firstOfHeads(reference, predictions[reference]);
    for (size_t i = 0; i < predictions.size(); ++i) {
        const bool byNumber = m_backends[i].network == m_backends[reference].network;
        const auto same = [byNumber](const Prediction& a, const Prediction& b) {
            return byNumber ? a.index == b.index : !a.label.empty() && a.label == b.label;
        };
        predictions[i].agrees = !expected.empty()
                                && std::ranges::equal(firstOfHeads(i, predictions[i]), expected, same);
    }
}

/// From `top`, which is head by head; empty if there is no prediction.
std::vector<Prediction> LiveClassifier::firstOfHeads(size_t backend, const BackendPrediction& outcome) const
{
    std::vector<Prediction> first;
    if (outcome.top.empty())
        return first;
    size_t at = 0;
    for (const int64_t classes : headsOf(m_backends[backend].network->describe())) {
        if (at < outcome.top.size())
            first.push_back(outcome.top[at]);
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
    const Classifier& network = *backend.network;
    AllocationMeter meter(network.device());
    SectionTimer timer(network.device());
    timer.begin();
    at::Tensor logits = network.logits(input, *backend.prepared, &observer);
    timer.end();
    outcome.latencyMs = timer.take();
    outcome.peakBytes = meter.peak();
    logits = logits[0].cpu();
    if (!isFinite(logits))
        throw Unsupported(outcome.attention, "the logits are not finite, so no class is predicted",
                          "compute in float32, or choose another attention");
    const bool named = outcome.weights != WeightsKind::Untrained;
    const auto heads = headsOf(network.describe());
    outcome.top = topClasses(probabilitiesOf(logits, heads), m_question.topK, heads,
                             named ? network.labels() : std::vector<std::string>{});
}

std::unique_ptr<LivePredictor> livePredictor(std::vector<ComparedNetwork> networks, const LiveQuestion& question)
{
    return std::make_unique<LiveClassifier>(std::move(networks), question);
}

std::unique_ptr<LivePredictor> livePredictor(std::shared_ptr<const Classifier> classifier,
                                             const LiveQuestion& question)
{
    return livePredictor(std::vector<ComparedNetwork>{{.classifier = std::move(classifier)}}, question);
}

}

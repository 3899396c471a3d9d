#include "core/evaluate/network_runs.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/device/torch_problem.h"
#include "core/run/observers.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace attnscope {

namespace {

constexpr const char* computedInParts = "the GPU lacks memory for whole batches, which were computed in parts";

}

NetworkRuns::NetworkRuns(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed)
{
    add(classifier, attention, seed);
}

void NetworkRuns::add(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed)
{
    const size_t network = m_runs.empty() ? 0 : m_runs.back().network + 1;
    std::vector<Run> runs;
    for (const AttentionSpec& spec : attention)
        runs.push_back({&classifier, network, classifier.prepare(spec, seed)});
    std::ranges::move(runs, std::back_inserter(m_runs));
}

void NetworkRuns::fail(size_t run, const std::string& sentence)
{
    if (m_runs[run].failure.empty())
        m_runs[run].failure = sentence;
}

bool NetworkRuns::isRandom(size_t network) const
{
    return std::ranges::any_of(
        m_runs, [&](const Run& run) { return run.network == network && !run.prepared.deterministic; });
}

bool NetworkRuns::anyLeft(size_t network) const
{
    return std::ranges::any_of(m_runs,
                               [&](const Run& run) { return run.network == network && run.failure.empty(); });
}

void NetworkRuns::turn(size_t network, bool on)
{
    for (Run& run : m_runs)
        if (run.network == network)
            run.isOn = on;
}

void NetworkRuns::noteFallback(size_t run, const FallbackCount& count)
{
    if (std::ranges::find(m_runs[run].fallbacks, count.clause, &FallbackCount::clause)
        == m_runs[run].fallbacks.end())
        m_runs[run].fallbacks.push_back(count);
}

std::vector<uint64_t> sampleIdentities(const at::Tensor& pixels)
{
    const at::Tensor own = pixels.cpu();
    const auto each = size_t(own[0].numel());
    std::vector<uint64_t> identities;
    for (int64_t i = 0; i < own.size(0); ++i)
        identities.push_back(sampleIdentity(own.const_data_ptr<uint8_t>() + size_t(i) * each, each));
    return identities;
}

NetworkInput pixelInput(const Classifier& network, const at::Tensor& pixels, std::vector<uint64_t> samples)
{
    return {network.takesPixels() ? pixels : normalisedPixels(pixels, network.transform()).to(network.dtype()),
            std::move(samples)};
}

NetworkInput pixelInput(const Classifier& network, ByteArray& array)
{
    return pixelInput(network,
                      onDevice(at::from_blob(array.values.data(), array.shape, at::kByte), network.device()),
                      sampleIdentities(array));
}

template <typename Work>
void NetworkRuns::attempt(size_t run, const Work& work)
{
    fail(run, failureOf(m_runs[run].prepared.requested.canonical(),
                        "choose a smaller batch, or an attention with linear memory", work));
}

at::Tensor NetworkRuns::logitsInParts(size_t run, const NetworkInput& input, ForwardObserver& observer)
{
    Run& own = m_runs[run];
    const int64_t rows = input.values.size(0);
    for (;; own.parts *= 2) {
        try {
            std::vector<at::Tensor> logits;
            const int64_t each = (rows + own.parts - 1) / own.parts;
            for (int64_t begin = 0; begin < rows; begin += each) {
                const int64_t end = std::min(rows, begin + each);
                if (own.parts > 1 && std::ssize(input.samples) == rows)
                    own.prepared.drawFor({input.samples.begin() + begin, input.samples.begin() + end});
                logits.push_back(
                    own.classifier->logits(input.values.slice(0, begin, end), own.prepared, &observer));
            }
            return logits.size() == 1 ? logits.front() : at::cat(logits);
        } catch (const c10::OutOfMemoryError&) {
            if (own.parts >= rows)
                throw;
            noteFallback(run, {.clause = computedInParts});
        }
    }
}

std::optional<at::Tensor> NetworkRuns::logits(size_t run, const NetworkInput& input, const std::stop_token& stop)
{
    DeviceQueue waiting;
    return start(run, input, stop, waiting)();
}

std::function<std::optional<at::Tensor>()> NetworkRuns::start(size_t run, const NetworkInput& input,
                                                              const std::stop_token& stop, DeviceQueue& queue)
{
    Run& own = m_runs[run];
    if (!own.failure.empty() || !own.isOn)
        return [] { return std::nullopt; };
    own.prepared.drawFor(input.samples);
    const auto begin = std::chrono::steady_clock::now();
    std::function<at::Tensor()> result;
    FallbackTally tally;
    attempt(run, [&] {
        StoppableObserver observer(stop);
        const CountFallbacks counting(tally);
        result = queue.download(logitsInParts(run, input, observer));
    });
    const bool isDone = !queue.isAsynchronous();
    if (isDone && result)
        own.seconds += secondsSince(begin);
    return [this, run, begin, result, isDone, fallbacks = tally.counts()] {
        std::optional<at::Tensor> logits;
        if (result)
            attempt(run, [&] { logits = result(); });
        if (logits && !isDone) {
            m_runs[run].seconds += secondsSince(std::max(begin, m_finished));  // not those of the pass before
            m_finished = std::chrono::steady_clock::now();
        }
        for (const FallbackCount& count : fallbacks)
            noteFallback(run, count);
        return logits;
    };
}

double NetworkRuns::takeSeconds(size_t run)
{
    return std::exchange(m_runs[run].seconds, 0);
}

StoredRun unmeasuredRun(const PreparedAttention& prepared)
{
    StoredRun run;
    run.attention = prepared.requested.canonical();
    run.resolved = prepared.resolved.canonical();
    run.backend = prepared.resolved.backend();
    run.weights = prepared.weights;
    run.notes = prepared.notes;
    return run;
}

}

#include "core/evaluate/network_runs.h"

#include "core/attention/numerics/fallbacks.h"
#include "core/data/preprocess/sample_identity.h"
#include "core/device/torch_problem.h"
#include "core/run/observers.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace attnscope {

NetworkRuns::NetworkRuns(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed)
    : m_classifier(classifier)
{
    for (const AttentionSpec& spec : attention)
        m_runs.emplace_back().prepared = classifier.prepare(spec, seed);
}

void NetworkRuns::fail(size_t run, const std::string& sentence)
{
    if (m_runs[run].failure.empty())
        m_runs[run].failure = sentence;
}

bool NetworkRuns::anyLeft() const
{
    return std::ranges::any_of(m_runs, [](const Run& run) { return run.failure.empty(); });
}

void NetworkRuns::noteFallback(size_t run, const FallbackCount& count)
{
    if (std::ranges::find(m_runs[run].fallbacks, count.clause, &FallbackCount::clause)
        == m_runs[run].fallbacks.end())
        m_runs[run].fallbacks.push_back(count);
}

NetworkInput NetworkRuns::feedPixels(ByteArray& array) const
{
    const at::Tensor pixels = onDevice(at::from_blob(array.values.data(), array.shape, at::kByte),
                                       m_classifier.device());
    return {m_classifier.takesPixels()
                ? pixels
                : normalisedPixels(pixels, m_classifier.transform()).to(m_classifier.dtype()),
            sampleIdentities(array)};
}

std::optional<at::Tensor> NetworkRuns::logits(size_t run, const NetworkInput& input, const std::stop_token& stop)
{
    Run& own = m_runs[run];
    if (!own.failure.empty())
        return std::nullopt;
    own.prepared.drawFor(input.samples);
    std::optional<at::Tensor> logits;
    FallbackTally fallbacks;
    own.failure = failureOf(
        own.prepared.requested.canonical(), "choose a smaller batch, or an attention with linear memory", [&] {
            const auto begin = std::chrono::steady_clock::now();
            StoppableObserver observer(stop);
            const CountFallbacks counting(fallbacks);
            logits = m_classifier.logits(input.values, own.prepared, &observer).cpu();  // waits for a GPU
            own.seconds += secondsSince(begin);
        });
    for (const FallbackCount& count : fallbacks.counts())
        noteFallback(run, count);
    return logits;
}

double NetworkRuns::takeSeconds(size_t run)
{
    return std::exchange(m_runs[run].seconds, 0);
}

std::vector<StoredRun> NetworkRuns::unmeasured() const
{
    std::vector<StoredRun> runs;
    for (const Run& run : m_runs)
        runs.push_back(unmeasuredRun(run.prepared));
    return runs;
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

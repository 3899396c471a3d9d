#pragma once

#include "core/attention/numerics/fallback_note.h"
#include "core/data/preprocess/clip.h"
#include "core/evaluate/device/device_queue.h"
#include "core/run/classifier.h"
#include "core/store/store_records.h"

#include <ATen/ATen.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// The attentions of an evaluation, all run on the same samples, in one network or, one after another, in several. One that fails (memory)
/// is left out from then on; the others continue.
class NetworkRuns {
public:
    NetworkRuns() = default;
    NetworkRuns(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed);

    /// Those of one more network, which must outlive them. Throws UsageError, and adds none, if an attention does not fit the model.
    void add(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed);
    const Classifier& classifier(size_t run) const { return *m_runs[run].classifier; }
    /// From 0 on, as they were added.
    size_t networkOf(size_t run) const { return m_runs[run].network; }
    /// Whether the run is the first one of its network.
    bool isFirst(size_t run) const { return run == 0 || networkOf(run) != networkOf(run - 1); }
    size_t count() const { return m_runs.size(); }
    const PreparedAttention& prepared(size_t run) const { return m_runs[run].prepared; }
    const std::string& failure(size_t run) const { return m_runs[run].failure; }
    void fail(size_t run, const std::string& sentence);
    /// Whether an attention of this network uses random numbers.
    bool isRandom(size_t network) const;
    /// Of a network's runs.
    bool anyLeft(size_t network) const;
    /// A network that is not on gives no logits.
    void turn(size_t network, bool on);
    /// Some logits of this run were not finite.
    void noteNotFinite(size_t run) { m_runs[run].notFinite = true; }
    bool sawNotFinite(size_t run) const { return m_runs[run].notFinite; }
    /// What this run fell back to; the numbers are those of the first batch where it happened.
    void noteFallback(size_t run, const FallbackCount& count);
    const std::vector<FallbackCount>& fallbacks(size_t run) const { return m_runs[run].fallbacks; }

    /// Logits (B,classes), float32, on the CPU, random attentions using the samples' own random numbers; empty if the attention failed, now
    /// or before, or its network is not on. Throws Cancelled.
    std::optional<at::Tensor> logits(size_t run, const NetworkInput& input, const std::stop_token& stop);
    /// Starts such a pass, and returns what waits for its logits. Starts of all runs come before, or after, what waits for them.
    std::function<std::optional<at::Tensor>()> start(size_t run, const NetworkInput& input,
                                                     const std::stop_token& stop, DeviceQueue& queue);
    /// Seconds spent in `logits` of a run since the last call.
    double takeSeconds(size_t run);

private:
    struct Run {
        const Classifier* classifier = nullptr;
        size_t network = 0;
        PreparedAttention prepared;
        bool isOn = true;
        std::string failure;
        bool notFinite = false;
        std::vector<FallbackCount> fallbacks;
        int64_t parts = 1;  ///< of a batch, for lack of memory
        double seconds = 0;
    };
    /// Where a GPU has too little memory for the batch, its halves, quarters … one after another, from then on.
    at::Tensor logitsInParts(size_t run, const NetworkInput& input, ForwardObserver& observer);
    template <typename Work>
    void attempt(size_t run, const Work& work);

    std::vector<Run> m_runs;
    std::chrono::steady_clock::time_point m_finished;  // of the last pass that was waited for
};

/// For each of a batch of pixels (B,H,W,3).
std::vector<uint64_t> sampleIdentities(const at::Tensor& pixels);
/// Such a batch on the network's device: unchanged if the network takes pixels, else normalised.
NetworkInput pixelInput(const Classifier& network, const at::Tensor& pixels, std::vector<uint64_t> samples);
NetworkInput pixelInput(const Classifier& network, ByteArray& array);

/// An attention's entry in the store before anything is measured.
StoredRun unmeasuredRun(const PreparedAttention& prepared);

}

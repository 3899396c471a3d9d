#pragma once

#include "core/attention/numerics/fallback_note.h"
#include "core/data/preprocess/clip.h"
#include "core/run/classifier.h"
#include "core/store/store_records.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// The attentions of an evaluation, all run on the same input. One that fails (memory) is left out from then on; the others continue.
class NetworkRuns {
public:
    /// Throws UsageError if an attention does not fit the model.
    NetworkRuns(const Classifier& classifier, const std::vector<AttentionSpec>& attention, uint64_t seed);

    const Classifier& classifier() const { return m_classifier; }
    size_t count() const { return m_runs.size(); }
    const PreparedAttention& prepared(size_t run) const { return m_runs[run].prepared; }
    /// Their entries in the store before anything is measured.
    std::vector<StoredRun> unmeasured() const;
    const std::string& failure(size_t run) const { return m_runs[run].failure; }
    void fail(size_t run, const std::string& sentence);
    bool anyLeft() const;
    /// Some logits of this run were not finite.
    void noteNotFinite(size_t run) { m_runs[run].notFinite = true; }
    bool sawNotFinite(size_t run) const { return m_runs[run].notFinite; }
    /// What this run fell back to; the numbers are those of the first batch where it happened.
    void noteFallback(size_t run, const FallbackCount& count);
    const std::vector<FallbackCount>& fallbacks(size_t run) const { return m_runs[run].fallbacks; }

    /// A batch of pixels (B,H,W,3): unchanged if the network takes pixels, else normalised on its device.
    NetworkInput feedPixels(ByteArray& array) const;
    /// Logits (B,classes), float32, on the CPU, random attentions using the samples' own random numbers; empty if the attention failed, now
    /// or before. Throws Cancelled.
    std::optional<at::Tensor> logits(size_t run, const NetworkInput& input, const std::stop_token& stop);
    /// Seconds spent in `logits` of a run since the last call.
    double takeSeconds(size_t run);

private:
    struct Run {
        PreparedAttention prepared;
        std::string failure;
        bool notFinite = false;
        std::vector<FallbackCount> fallbacks;
        double seconds = 0;
    };
    const Classifier& m_classifier;
    std::vector<Run> m_runs;
};

/// An attention's entry in the store before anything is measured.
StoredRun unmeasuredRun(const PreparedAttention& prepared);

}

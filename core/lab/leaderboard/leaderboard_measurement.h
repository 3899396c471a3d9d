#pragma once

#include "core/lab/leaderboard/leaderboard.h"
#include "core/lab/opened_subject.h"
#include "core/lab/plan/plan_layers.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Measures one attention after the other on a subject.
class LeaderboardMeasurement {
public:
    /// Opens all inputs, and runs exact attention once on the first: sizes of the layers, and those that are timed, the middle one of each
    /// shape. Throws UsageError if no input can be read.
    LeaderboardMeasurement(OpenedSubject subject, const LeaderboardRequest& request, std::stop_token stop);

    /// What the report says of the subject and its layers.
    void describe(LeaderboardReport& report) const;
    /// Patches of the largest and of the smallest layer, and whether some token has no place in the image.
    int64_t maxPatches() const { return m_maxPatches; }
    int64_t minPatches() const { return m_minPatches; }
    bool hasPrefix() const { return m_prefix > 0; }

    /// The specification over the keys that exact attention has here.
    AttentionSpec overItsKeys(const AttentionSpec& spec) const { return overKeysOf(m_exact.requested, spec); }
    /// Throws UsageError if it does not fit the subject, or its exact attention has other keys.
    PreparedAttention prepared(const AttentionSpec& spec) const;
    /// Errors first, then times in what is left of `seconds`. Throws what LibTorch throws, Cancelled.
    LeaderboardRow measured(const AttentionSpec& spec, double seconds) const;

private:
    /// A layer that stands for all of its shape.
    struct TimedLayer {
        size_t layer = 0;
        int64_t count = 1;
        AttentionInput input;
    };

    at::Tensor pass(size_t input, PreparedAttention& attention, ForwardObserver& observer) const;
    void takeLayer(int64_t layer, const AttentionInput& in);
    void measureError(const PreparedAttention& attention, LeaderboardRow& row) const;
    void measureTime(const PreparedAttention& attention, double seconds, LeaderboardRow& row) const;
    void measureMemory(const PreparedAttention& attention, LeaderboardRow& row) const;
    double timedPass(const PreparedAttention& attention) const;
    int64_t peakOf(const PreparedAttention& attention) const;
    double multiplyAddsOf(const PreparedAttention& attention) const;

    OpenedSubject m_subject;
    const LeaderboardRequest& m_request;
    std::stop_token m_stop;
    std::vector<NetworkInput> m_inputs;
    std::vector<InputRecord> m_read;
    std::vector<UnreadableInput> m_unreadable;
    PreparedAttention m_exact;
    std::vector<int64_t> m_classHeads;
    std::vector<TimedLayer> m_timed;
    int64_t m_layers = 0, m_heads = 0, m_tokens = 0, m_prefix = 0, m_width = 0, m_maxPatches = 0, m_minPatches = 0;
    int64_t m_exactPeak = 0;
    double m_exactMacs = 0;
};

}

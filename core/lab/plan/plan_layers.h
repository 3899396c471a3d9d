#pragma once

#include "core/lab/plan/plan.h"
#include "core/run/classifier.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Over the keys that the network has: `exact` is its own attention.
AttentionSpec overKeysOf(const AttentionSpec& exact, const AttentionSpec& spec);

/// Cost and error of every candidate in every layer of a network.
class CandidateLayers {
public:
    /// Throws UsageError for a named candidate that does not fit the network; default ones are left out instead.
    CandidateLayers(const Classifier& classifier, const PlanRequest& request, const ProgressCallback& progress,
                    std::stop_token stop);

    /// The first is exact, the second explicit softmax, both with all tokens. With each way to merge tokens the first candidate is exact, too.
    const std::vector<AttentionSpec>& candidates() const { return m_candidates; }
    /// Whether tokens merge with one of them.
    bool anyMerges() const;

    /// Fills inputs, unreadable, layers, outside, outsideMs and explicitMs of a report. Throws UsageError if no input can be read, Cancelled.
    void measure(const std::vector<InputSource>& sources, PlanReport& report);

private:
    void add(const AttentionSpec& spec, bool required);
    /// The exact candidate with the same tokens.
    size_t exactLike(size_t candidate) const;
    void open(const std::vector<InputSource>& sources, PlanReport& report);
    void drawFor(const NetworkInput& input);
    /// Throws Unsupported if exact attention's logits are not finite.
    void requireFinite(const at::Tensor& input, const std::string& path) const;
    void measureErrors(PlanReport& report);
    double layerError(size_t candidate, int64_t layer, const AttentionInput& in, const at::Tensor& exact) const;
    void measureDivergence(const at::Tensor& input, const at::Tensor& exact, double weight,
                           PlanReport& report) const;
    void measureCosts(PlanReport& report) const;

    const Classifier& m_classifier;
    const PlanRequest& m_request;
    const ProgressCallback& m_progress;
    std::stop_token m_stop;
    std::vector<int64_t> m_heads;
    std::vector<AttentionSpec> m_candidates;
    std::vector<PreparedAttention> m_prepared;
    size_t m_layers = 0;
    std::vector<NetworkInput> m_inputs;
};

}

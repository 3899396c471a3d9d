// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Which layers to give which attention, for a budget. Free of torch.
namespace attnscope {

class Classifier;

enum class PlanBudget {
    Latency,     ///< milliseconds of the whole model: the least error within it
    Speed,       ///< times as fast as explicit softmax: the same, as a ratio
    Error,       ///< mean relative error over layers: the least latency within it
    Divergence,  ///< KL of the classes, nats: the least latency within it
    Accuracy,    ///< share of the labelled inputs whose first class is right: the least latency that keeps it
    Drop,        ///< by how much of that share exact softmax may be missed: the same
};

struct PlanRequest {
    std::vector<AttentionSpec>
        candidates;  ///< empty: a choice of all approximations at a few sizes. Exact softmax always takes part
    PlanBudget kind = PlanBudget::Latency;
    double budget = 0;
    std::uint64_t seed = 0;
    std::int64_t seeds = 3;
    std::int64_t rounds = 15;          ///< in which every candidate is timed once
    std::vector<std::int64_t>
        labels;  ///< class of each input, or empty; budgets of accuracy need them
    std::int64_t sampled = 4;  ///< labelled inputs, spread over all, on which errors and costs are measured; the rest count for accuracy
    std::int64_t verified = 6;  ///< plans of the front that are measured as a whole, the chosen one among them
};

/// One candidate in one layer.
struct LayerOption {
    double milliseconds = 0;   ///< of its attention, median
    double relativeError = 0;  ///< teacher-forced, mean over heads, inputs and seeds
    double divergence = 0;     ///< KL when this layer alone is replaced, mean over inputs
};

struct Plan {
    std::string attention;            ///< canonical: mixed, or one for all layers
    std::vector<std::size_t> choice;  ///< [layer] → index into the candidates
    bool uniform = false;
    double predictedMs = 0, predictedError = 0, predictedDivergence = 0;
    /// Measured as `compare` measures, over the inputs of `model`; empty where the plan was not. Accuracy: over all labelled inputs.
    std::optional<Latency> latency;
    std::optional<double> error, divergence, agreement, accuracy;
};

struct PlanReport {
    RunReport model;  ///< model, device, environment, and the inputs on which errors and costs are measured
    PlanBudget kind = PlanBudget::Latency;
    double budget = 0;
    std::vector<std::string> candidates;
    std::vector<std::vector<LayerOption>> layers;  ///< [layer][candidate]
    double outsideMs = 0;                          ///< of a pass, outside attention
    double explicitMs = 0;                         ///< of a pass with explicit softmax
    std::vector<Plan> front;     ///< no other plan is both faster and nearer, as predicted; fastest first
    std::vector<Plan> uniform;   ///< one candidate in all layers, fastest first
    std::optional<Plan> chosen;  ///< best within the budget; empty: none is, see `advice`
    std::string advice;          ///< one sentence about the choice
    std::int64_t labelled = 0;   ///< inputs that accuracies are of
    std::vector<UnreadableInput> unreadable;
};

/// Measures every candidate in every layer (cost interleaved, error at the same q, k, v), joins them by dynamic programming over layers
/// into the front of plans, and measures plans of the front and the uniform ones as a whole.
/// With labels every plan that was measured answers all inputs, too.
/// Throws UsageError when there is nothing to plan for or labels are missing, Cancelled.
PlanReport planAttention(const Classifier& classifier, const std::vector<InputSource>& inputs,
                         const PlanRequest& request, const ProgressCallback& progress, std::stop_token stop);

/// The candidates where none are named.
std::vector<AttentionSpec> usualCandidates();

const char* toText(PlanBudget kind);
/// Whether the budget is one of accuracy, and so needs labels.
bool needsLabels(PlanBudget kind);

}  // namespace attnscope

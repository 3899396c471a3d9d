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

/// Which attention to use in which layers, for a budget. Independent of torch.
namespace attnscope {

class Classifier;

enum class PlanBudget {
    Latency,  ///< milliseconds of the whole model: the lowest error within it
    Speed,    ///< speed-up over explicit softmax: the same, as a ratio
    Error,  ///< mean relative error over layers: the lowest latency within it. Not where tokens merge, which it does not see
    Divergence,  ///< KL of the classes, nats: the lowest latency within it
    Accuracy,  ///< fraction of the labelled inputs whose first class is correct: the lowest latency that preserves it
    Drop,      ///< how far below exact softmax that fraction may be: the same
};

struct PlanRequest {
    /// Empty: a selection of all approximations with a few sizes. Exact softmax always takes part.
    std::vector<AttentionSpec> candidates;
    std::vector<TokenSpec> tokens;  ///< each with the usual candidates; empty: all tokens stay
    PlanBudget kind = PlanBudget::Latency;
    double budget = 0;
    uint64_t seed = 0;
    int64_t seeds = 3;
    int64_t rounds = 15;          ///< each times every candidate once
    std::vector<int64_t> labels;  ///< class of each input, or empty; required for budgets of accuracy
    /// Labelled inputs, spread over all, on which errors and costs are measured; the rest count for accuracy.
    int64_t sampled = 4;
    /// Number of plans of the front that are measured as a whole, including the chosen one.
    int64_t verified = 6;
};

/// One candidate in one layer.
struct LayerOption {
    double milliseconds = 0;   ///< of its attention, median
    double relativeError = 0;  ///< teacher-forced, mean over heads, inputs and seeds
    /// KL if only this layer is replaced, mean over inputs. Where tokens merge, what that changes is divided
    /// among the layers, so that a plan's is the sum over its layers.
    double divergence = 0;
};

struct Plan {
    std::string attention;       ///< canonical: mixed, or one for all layers
    std::vector<size_t> choice;  ///< [layer] → index into the candidates, all with the same tokens
    bool uniform = false;
    double predictedMs = 0, predictedError = 0, predictedDivergence = 0;
    /// Measured like in `compare`, over the inputs of `model`; empty if the plan was not measured. No error where exact attention
    /// only merges tokens. Accuracy: over all labelled inputs.
    std::optional<Latency> latency;
    std::optional<double> error, divergence, agreement, accuracy;
};

struct PlanReport {
    RunReport model;  ///< model, device, environment, and the inputs on which errors and costs are measured
    PlanBudget kind = PlanBudget::Latency;
    double budget = 0;
    std::vector<std::string> candidates;
    std::vector<std::vector<LayerOption>> layers;  ///< [layer][candidate]
    double outsideMs = 0;                          ///< of a pass with all tokens, outside attention
    std::vector<double> outside;                   ///< [candidate]: the same with its tokens
    double explicitMs = 0;                         ///< of a pass with explicit softmax
    std::vector<Plan> front;     ///< no other plan is both faster and more accurate, as predicted; fastest first
    std::vector<Plan> uniform;   ///< one candidate in all layers, fastest first
    std::optional<Plan> chosen;  ///< best within the budget; empty: there is none, see `advice`
    std::string advice;          ///< one sentence about the choice
    int64_t labelled = 0;        ///< number of inputs that accuracies refer to
    std::vector<UnreadableInput> unreadable;
    bool complete = true;  ///< false: stopped before the plans were measured and one was chosen
};

/// Measures every candidate in every layer (cost interleaved, error at the same q, k, v), combines them by dynamic programming over layers
/// into the front of plans, and measures plans of the front and the uniform ones as a whole. With labels every measured plan is also run on
/// all inputs. A stop then returns the plans as far as they are known. Throws UsageError if there is nothing to plan or labels are missing,
/// Cancelled while layers are measured.
PlanReport planAttention(const Classifier& classifier, const std::vector<InputSource>& inputs,
                         const PlanRequest& request, const ProgressCallback& progress, std::stop_token stop);

/// The candidates if none are named.
std::vector<AttentionSpec> defaultCandidates();

const char* toText(PlanBudget kind);
/// Whether the budget is one of accuracy, and so needs labels.
bool needsLabels(PlanBudget kind);

/// Chooses among measured plans (with `latency`, `error` and `divergence`) that meet the budget: within a budget of time the most accurate,
/// else the fastest; among those not significantly slower than the fastest, the one that is best in terms of the budget. If tokens merge in
/// one of them, accurate means by the divergence. Null if there is none.
const Plan* bestPlan(const std::vector<Plan>& plans, PlanBudget kind);

}

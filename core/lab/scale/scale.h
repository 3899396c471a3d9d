#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/progress.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Time and memory versus the number of tokens, in an encoder with random weights (LARA paper, table 6 and appendix H.5). Independent of
/// torch.
namespace attnscope {

struct ScaleRequest {
    /// In addition to softmax:form=explicit and softmax, which are always measured.
    std::vector<AttentionSpec> attention;
    std::vector<int64_t> lengths{1024, 2048, 3072, 4096, 8192};
    int64_t layers = 8, width = 192, heads = 3;
    bool backward = false;  ///< forward and backward pass, storing the activations
    std::string device = "cpu", dtype = "float32";
    uint64_t seed = 0;
    int64_t minimumRepetitions = 20;
    double minimumSeconds = 1;       ///< per attention and length, in addition to the repetitions
    double passBudgetSeconds = 60;   ///< an attention whose pass would take longer is stopped
    double pointBudgetSeconds = 30;  ///< repetitions end here, after at least three
    /// For everything: first fewer repetitions, then long lengths are left out; 0: no limit.
    double totalBudgetSeconds = 0;
    int64_t memoryBudgetBytes = 0;  ///< 0: the free memory of the device
};

struct ScalePoint {
    int64_t tokens = 0;
    std::string stopped;             ///< one sentence: not measured, "needs 9.1 GiB, 6.0 GiB free"
    Latency latency;                 ///< of the encoder; `attention…` of only the attention, forward
    int64_t peakBytes = 0;           ///< tensors during the pass above the level before it
    int64_t attentionPeakBytes = 0;  ///< in the largest layer's attention
    /// Relative to explicit softmax at this length.
    std::optional<double> timeRatio, attentionTimeRatio, memoryRatio, attentionMemoryRatio;
};

/// p of y ∝ tokens^p, least squares over the logs of the longest measured lengths.
struct Exponents {
    std::optional<double> time, attentionTime, memory, attentionMemory;
};

struct ScaleRow {
    std::string attention, backend;
    std::vector<ScalePoint> points;  ///< one per length, in order, as far as measured
    Exponents exponents;
    double claimedTime = 1, claimedMemory = 1;
    /// The length from which it is cheaper than explicit (fused) softmax; empty: nowhere in the measured range.
    std::optional<double> breakEvenExplicit, breakEvenFused, breakEvenMemory;
    std::vector<PublishedRatio> published;  ///< from the paper's table 6, if it has that attention
    std::vector<std::string> notes;
};

struct ScaleReport {
    ScaleRequest request;
    DeviceSummary device;
    Environment environment;
    int64_t memoryFreeBytes = 0;  ///< the budget used
    std::vector<ScaleRow> rows;   ///< explicit softmax, fused softmax, then the others
    bool complete = true;         ///< false: stopped before everything was measured
};

/// Called whenever a row has finished a length, with the results so far.
using ScaleObserver = std::function<void(const ScaleReport&)>;

/// What a report has rows of: explicit and fused softmax, then what is asked for, each once.
std::vector<AttentionSpec> scaleRows(const ScaleRequest& request);

/// At each length all attentions take turns in random order. A stop returns the finished points. Throws UsageError for a request that
/// cannot be run, Cancelled before the first point.
ScaleReport scale(const ScaleRequest& request, const ScaleObserver& observer, const ProgressCallback& progress,
                  std::stop_token stop);

}

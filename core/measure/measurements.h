#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Measurements of an attention, as plain values independent of torch. docs/measurements.md defines every number.
namespace attnscope {

inline double secondsSince(std::chrono::steady_clock::time_point begin)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

struct Latency {
    double medianMs = 0, p05Ms = 0, p95Ms = 0;                             ///< one forward pass of the whole model
    double attentionMedianMs = 0, attentionP05Ms = 0, attentionP95Ms = 0;  ///< in attention, summed over layers
    int64_t repetitions = 0;
    /// A time for each of the rounds in which alternatives took turns; empty in older records. Latencies with equal `session` share them.
    std::vector<double> roundsMs = {}, attentionRoundsMs = {};
    int64_t session = 0;
};

struct Memory {
    int64_t peakBytes = 0;  ///< tensors during the forward pass, above the level before it
    int64_t weightsBytes = 0;
    int64_t attentionPeakBytes = 0;  ///< largest layer, above the level at the entry of its attention
};

/// An error and its spread over seeds (0 for one seed or a deterministic backend).
struct ErrorValue {
    double mse = 0, mseStddev = 0;
    double relative = 0, relativeStddev = 0;  ///< ‖out − exact‖_F / ‖exact‖_F
};

struct LayerError {
    int64_t layer = 0;
    std::string name;  ///< from `ModelSummary::layerNames`
    ErrorValue error;  ///< mean over heads
    std::vector<ErrorValue> heads;
    std::optional<ErrorValue> classToken;  ///< only the rows of prefix tokens: class, distillation, registers
    ErrorValue meanOfValues;               ///< baseline: predicting the mean of the values for every query
    double zeroMse = 0;                    ///< baseline: predicting zero (its relative error is 1)
};

struct ApproximationError {
    std::string exact = "softmax over all keys";
    int64_t seeds = 1;
    bool deterministic = false;
    ErrorValue error;         ///< mean over layers and heads, all rows
    ErrorValue meanOfValues;  ///< baselines, averaged in the same way
    double zeroMse = 0;
    double medianRelative = 0;  ///< over layers, heads and seeds: for backends with heavy tails (rfa)
    std::vector<LayerError> layers;
    int64_t notFinite = 0;  ///< layer × head × seed results with NaN or infinity, excluded from the means
};

/// Cosines of features with those of exact attention: 1 is unchanged.
struct CosineSummary {
    double mean = 0, p05 = 0;  ///< p05: 5th percentile
};

}

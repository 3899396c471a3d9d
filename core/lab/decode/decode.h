#pragma once

#include "core/base/limits.h"
#include "core/base/progress.h"
#include "core/lab/decode/stream_spec.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// The causal laboratory: cost, state and error of streams against the position. Independent of torch.
namespace attnscope {

enum class TokenKind { Normal, Smooth, Recall };

struct DecodeRequest {
    std::vector<StreamSpec> mechanisms;  ///< in addition to cache, which is always measured
    /// ascending; empty: 1024 to 65536 by factors of four, or what the file has.
    std::vector<int64_t> positions;
    TokenKind tokens = TokenKind::Normal;
    /// Safetensors with q, k, v (layers,heads,tokens,channels) instead of made tokens.
    std::filesystem::path file;
    int64_t layer = 0;              ///< of the file
    int64_t heads = 3, width = 64;  ///< of made tokens
    double temperature = 1;         ///< factor of the logits: q and k are multiplied by its square root
    std::string dtype = "float32";  ///< or float64
    uint64_t seed = 0;
    int64_t minimumRepetitions = 128;  ///< timed tokens up to every position; a whole number of segments
    int64_t memoryBudgetBytes = 0;     ///< for all states; 0: the free memory
    Limits limits;
};

struct DecodePoint {
    int64_t position = 0;  ///< tokens so far
    Latency latency;       ///< of one token, all heads, one thread
    double meanMs = 0;     ///< of the same tokens: what happens at the end of a segment counts with its frequency
    int64_t stateBytes = 0;        ///< of all heads
    int64_t multiplyAdds = 0;      ///< of this token, all heads
    double mse = 0, relative = 0;  ///< of the timed tokens, from exact causal attention in float64
};

/// The response to a value of 1 at one token, and 0 at all others.
struct ImpulsePoint {
    int64_t lag = 0;
    double weight = 0;  ///< of that token in the output `lag` tokens later, mean over heads and eight tokens
    std::optional<double> state;  ///< of rfa: what the state has kept of it, Π g
};

/// The recurrent against the parallel form, from the first token on.
struct ParallelCheck {
    int64_t tokens = 0;
    double maximumDifference = 0;
};

struct DecodeRow {
    std::string mechanism;  ///< canonical
    std::string name, title;
    std::vector<DecodePoint> points;
    /// P of y ∝ position^p, least squares over the logs of all positions.
    std::optional<double> timeExponent, stateExponent;
    /// The position from which it is cheaper than the cache: time as measured (interpolated), state and multiply-adds by their counts.
    std::optional<double> breakEvenTime, breakEvenState, breakEvenWork;
    ParallelCheck parallel;
    std::vector<ImpulsePoint> impulse;
    std::optional<double> halfLife;  ///< of a constant gate g, in tokens: ln ½ / ln g
    std::vector<double> losses;      ///< of compressive, by compression among those tokens (F25): mean over heads
    std::vector<std::string> notes;
};

struct DecodeReport {
    DecodeRequest request;  ///< with the positions used
    int64_t heads = 0;
    StreamShape widths;
    DeviceSummary device;
    Environment environment;
    std::vector<DecodeRow> rows;  ///< cache, then the others
    bool complete = true;         ///< false: stopped; the positions are those that were reached
};

const char* toText(TokenKind kind);
/// What is measured where nothing is named: every mechanism, rfa also with both gates.
std::vector<StreamSpec> defaultMechanisms();

/// Called whenever all rows have a position, with the results so far.
using DecodeObserver = std::function<void(const DecodeReport&)>;

/// Runs all streams side by side over the same tokens. Tokens between the positions are taken without an output where that is cheaper; the
/// last ones before each position are timed one by one, the streams taking turns in random order. Throws UsageError for positions that do
/// not ascend or exceed 2²⁰ or the file, Unsupported where the states would exceed the memory, FileError, Cancelled before the first position.
DecodeReport decode(const DecodeRequest& request, const ProgressCallback& progress, std::stop_token stop,
                    const DecodeObserver& observer = {});

}

#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/lab/subject.h"
#include "core/measure/paired_ratio.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Every attention that can replace softmax without training, at several sizes, on one network and its images, or on given q, k and v: error,
/// time and memory next to each other. Independent of torch.
namespace attnscope {

struct LeaderboardRequest {
    /// Empty: all methods of the registry that need no training; see `leaderboardCandidates`.
    std::vector<AttentionSpec> attention;
    /// Sizes of methods that have samples; empty: 1/32, 1/16, 1/8 and 1/4 of the tokens.
    std::vector<int64_t> samples;
    uint64_t seed = 0;
    int64_t seeds = 3;    ///< of each random attention
    double seconds = 45;  ///< aim of the whole run: timings are repeated as often as that allows
    /// Timings of each attention, however long it takes; fewer rounds allow no verdict.
    int64_t minimumRepetitions = 6;
};

/// What replacing exact attention in all layers does to the network's output: means over inputs and seeds.
struct LeaderboardEffect {
    std::optional<double> kl;  ///< KL(exact ‖ this) of the classes, nats; empty for a network without a head
    std::optional<double> agreement;  ///< fraction with the same first class; empty likewise
    std::optional<double> cosine;     ///< of the features; empty for a network with a head
};

/// One attention. Rows of failed ones hold `attention`, `backend` and `failure`.
struct LeaderboardRow {
    std::string attention;  ///< canonical
    std::string backend;    ///< its name
    int64_t samples = 0;    ///< 0: it has no such option
    int64_t seeds = 1;      ///< 1 for a deterministic attention
    bool deterministic = false;
    /// ‖out − exact‖_F / ‖exact‖_F for the same q, k, v: mean over heads, layers, inputs and seeds.
    double relative = 0;
    double relativeStddev = 0;                ///< of that mean, over seeds
    double medianRelative = 0;                ///< over heads, layers, inputs and seeds
    std::vector<double> layers;               ///< relative error by layer, mean over everything else
    int64_t notFinite = 0;                    ///< results of heads with NaN or infinity, left out of the means
    std::optional<LeaderboardEffect> effect;  ///< empty without a network
    Latency latency, exactLatency;  ///< of the attention alone, in all layers; the two were timed interleaved
    /// Of tensors in the largest layer, above the level at the attention's entry.
    int64_t peakBytes = 0, exactPeakBytes = 0;
    double macs = 0, exactMacs = 0;  ///< multiply-adds of the attention in all layers, for one input
    std::vector<std::string> notes;
    std::string failure;  ///< one sentence
    /// No other row has both a smaller error and less time, or less memory.
    bool timeFront = false, memoryFront = false;

    double timeRatio() const { return latency.medianMs / exactLatency.medianMs; }
    bool isFaster() const { return failure.empty() && compareSpeed(latency, exactLatency).speed == Speed::Faster; }
    double memoryRatio() const { return double(peakBytes) / double(exactPeakBytes); }
};

/// A method that is not measured, and why.
struct LeaderboardOmission {
    std::string attention;  ///< the name of the method, or a specification
    std::string reason;     ///< a clause: "useful only in a network trained with it"
};

/// What rows are compared by.
enum class LeaderboardError { EndToEnd, TeacherForced };
enum class LeaderboardCost { Time, Memory };
enum class LeaderboardOrder { Error, Time, Memory };

struct LeaderboardReport {
    std::optional<RunReport> model;  ///< model, device, environment and inputs; empty for given q, k and v
    std::string source;              ///< the model's name, the file, or "random numbers"
    std::string exact;  ///< canonical specification of the attention that errors and times are relative to
    std::string exactMeaning = "softmax over all keys";
    int64_t layers = 0, heads = 0, tokens = 0, prefix = 0, width = 0, inputs = 0;
    int64_t timedLayers = 0;  ///< one of each shape, counted as often as there are layers of it
    uint64_t seed = 0;
    int64_t seeds = 1;
    double temperature = 1;            ///< of given tensors: factor of the logits
    bool hasClasses = false;           ///< of a network: effects are on classes, otherwise on features
    int64_t candidates = 0;            ///< rows when it is complete
    double seconds = 0;                ///< that measuring has taken, without what was resumed
    std::vector<LeaderboardRow> rows;  ///< best first, failed ones last
    std::vector<LeaderboardOmission> omitted;
    std::vector<UnreadableInput> unreadable;

    bool complete() const { return int64_t(rows.size()) >= candidates; }
    /// End to end where there is a network.
    LeaderboardError error() const { return model ? LeaderboardError::EndToEnd : LeaderboardError::TeacherForced; }
};

/// How the caller takes part while it runs.
struct LeaderboardCalls {
    ProgressCallback progress;                                     ///< rows done; may be empty
    std::function<void(const LeaderboardReport& soFar)> measured;  ///< after every row; may be empty
    /// A report of an earlier run whose rows are not measured again; null: none. Throws UsageError if it was made in another way.
    const LeaderboardReport* earlier = nullptr;
    std::stop_token stop;
};

/// On a network: exact q, k and v of each layer, and whole passes; on tensors nothing end to end. A stop returns the finished rows. Throws
/// FileError, UsageError if no attention can be measured or no input be read, Cancelled before the first row.
LeaderboardReport measureLeaderboard(const LabSubject& subject, const LeaderboardRequest& request,
                                     const LeaderboardCalls& calls);

}

#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/limits.h"
#include "core/data/preprocess/reading_options.h"
#include "core/store/store_records.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Batch evaluation: a folder through any number of attentions, unattended, resumable, exact. Independent of torch, for window and command
/// line.
namespace attnscope {

class Classifier;

struct EvaluationRequest {
    LabelledSet data;  ///< labels are indices of the model's classes (see matchClasses)
    std::filesystem::path store;
    bool resume = false;
    std::vector<AttentionSpec> attention;
    uint64_t seed = 0;
    int64_t batch = 0;  ///< samples per batch; 0: 32 images (256 on a GPU), or one video
    /// Threads that read and preprocess; 0: as many as the network's threads, or one per core if it runs on a
    /// GPU.
    int64_t workers = 0;
    int64_t limit = 0;  ///< samples; 0: all
    Shard shard;
    std::optional<ViewGrid> views;  ///< for videos; empty: the published grid
    ReadingOptions reading = {};
    std::string keep = "predictions";  ///< of every sample; or "logits": those of all classes as well
    bool latency = true, memory = true, error = false;  ///< measured on one sample, before the evaluation
    std::filesystem::path cache;  ///< folder that caches images' crops for the next evaluation; empty: none
    int64_t cacheBytes = int64_t{20} << 30;  ///< maximum size of the cache
    Limits limits;
    std::string weightsFile;       ///< for provenance and its hash; empty: random weights, or unknown
    std::string modelDescription;  ///< JSON, as in a checkpoint's header
    std::string command;           ///< the command line that repeats it
};

/// A network of an evaluation of several. Requests differ in what is the network's own: attentions, labels, where it comes from.
struct NetworkRequest {
    std::shared_ptr<const Classifier> classifier;
    EvaluationRequest request;
    std::string name = {};     ///< what messages begin with; empty: they need not tell it from others
    std::string failure = {};  ///< why it can't be evaluated, known before: it has no classifier
};

/// What became of it.
struct EvaluatedNetwork {
    int64_t evaluation = 0;  ///< its number in the store; 0: it has none
    std::string failure;     ///< why it could not be evaluated to the end, in one sentence
};

/// Cost of a run, estimated before it starts.
struct EvaluationEstimate {
    int64_t samples = 0, done = 0;           ///< done: already stored, if `resume` is set
    std::vector<std::string> unreadable;     ///< among the first 20
    double secondsPerSample = 0;             ///< all attentions together
    std::vector<double> secondsOfAttention;  ///< for all samples, one per attention
    int64_t storeBytes = 0;                  ///< size of the results
    int64_t freeBytes = 0;                   ///< at the store's location
    std::vector<std::string> notes;          ///< likely problems, one sentence each
};

/// Where the time goes, between two updates.
struct PipelineLoad {
    double samplesPerSecond = 0;        ///< in the last seconds
    double decoding = 0;                ///< fraction of the time for which the workers are busy, 0 … 1
    double computing = 0;               ///< fraction of the time for which the network is busy
    double storing = 0;                 ///< fraction of the time spent writing results
    int64_t queued = 0, queueSize = 0;  ///< samples ready, and their maximum
    std::string bottleneck;             ///< "decoding", "network" or "store"
};

struct RunProgress {
    Accuracy accuracy;
    double seconds = 0;  ///< in forward passes
    std::string failure;
};

struct EvaluationProgress {
    int64_t done = 0, total = 0;  ///< samples, including unreadable ones
    int64_t unreadable = 0;
    std::vector<int64_t> evaluations;  ///< of each network, in the store; 0: it can't be evaluated
    std::vector<RunProgress> runs;     ///< of the first network that can, then of the next
    PipelineLoad load;
    std::optional<double> secondsLeft;  ///< empty until three batches are done
};

/// Notified of progress, on the evaluating thread.
class EvaluationObserver {
public:
    virtual ~EvaluationObserver() = default;
    /// The evaluation, the first of several, has its entry in the store; `progress` is what a resume found.
    virtual void onStart(int64_t evaluation, const EvaluationProgress& progress)
    {
        (void)evaluation, (void)progress;
    }
    virtual void onProgress(const EvaluationProgress& progress) { (void)progress; }
    virtual void onUnreadable(const UnreadableSample& sample) { (void)sample; }
    virtual void onMessage(const std::string& sentence) { (void)sentence; }
    /// The disk is full: true to retry now (called again after each attempt), false to stop, resumably.
    virtual bool retriesWithoutSpace(const std::string& sentence)
    {
        (void)sentence;
        return false;
    }
};

/// What was found and an estimate of its cost: reads the first 20 files, runs one batch of them through every attention. Stores nothing.
EvaluationEstimate estimate(const Classifier& classifier, const EvaluationRequest& request, std::stop_token stop);
/// The same of all networks together, but for those that can't be evaluated.
EvaluationEstimate estimate(const std::vector<NetworkRequest>& networks, std::stop_token stop);

/// Predicts every sample with every attention, decoding each sample once, and stores batch by batch. Returns the evaluation's id. If
/// stopped, everything finished is stored, and `resume` continues; all results except timings are then bit-identical. Throws UsageError,
/// FileError, StoreError, Cancelled.
int64_t evaluate(const Classifier& classifier, const EvaluationRequest& request, EvaluationObserver& observer,
                 std::stop_token stop);
/// The same with several networks, each an evaluation of its own in the store, bit-identical to one without the others. One that cannot be
/// evaluated, or whose attentions have all failed, ends with a sentence, and the others continue; throws its error if it is the last.
std::vector<EvaluatedNetwork> evaluate(const std::vector<NetworkRequest>& networks, EvaluationObserver& observer,
                                       std::stop_token stop);

}

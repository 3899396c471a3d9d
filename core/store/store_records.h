#pragma once

#include "core/data/dataset/labelled_folder.h"
#include "core/measure/proportions.h"
#include "core/run/run_record.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Plain values: the contents of a results store. An *evaluation* is one call of `evaluate`: a model with its weights on a data set. Its
/// *runs* are the attentions, which all see the same samples.
namespace attnscope {

/// The part of the samples that one process evaluates: those whose batch number is index − 1 modulo count.
struct Shard {
    int64_t index = 1;  ///< from 1
    int64_t count = 1;
    friend bool operator==(const Shard&, const Shard&) = default;
};

/// Everything that the predictions depend on, and other information about their origin.
struct EvaluationSettings {
    std::string model;             ///< "deit_tiny_patch16_224"
    std::string modelDescription;  ///< JSON, as in a checkpoint's header
    std::string weights;           ///< path, or "untrained, seed 0"
    std::string weightsHash;       ///< sha256 of the file; for untrained weights of the seed and description
    std::string transform;         ///< its name, with sizes
    std::string views;             ///< for videos: "10x3"; else empty
    std::string sampling;  ///< for clips: "published" or "ssv2"; empty: none, or published, by an older version
    std::string reading;   ///< how else files are read if not by default: "--rotation apply"
    std::string protocol;  ///< the published one that labels and classes follow: "imagenet-a"; empty: none
    std::string keep;      ///< what is stored with every prediction: "logits"; empty: nothing else
    std::string dtype, device;
    int64_t threads = 0;
    int64_t batch = 0;  ///< samples per batch; the composition of batches is part of the result
    int64_t limit = 0;  ///< number of samples used; 0: all
    uint64_t seed = 0;
    /// Rule for the random numbers of samples: drawsByContent; empty if no attention is random, or, in old
    /// versions, by position in the list.
    std::string draws;
    Shard shard;
    std::string decoder;  ///< versions of the decoders
    Environment environment;
    std::string command;             ///< the command line that repeats it
    std::vector<std::string> notes;  ///< what was assumed of the data set, and sentences on `issues`
    std::vector<DataIssue> issues;   ///< what stands in the data set and is no sample, or is one twice
};

/// Each sample's random numbers are determined by the network's input (core/data/preprocess/sample_identity.h).
constexpr const char* drawsByContent = "content";

/// EvaluationSettings::sampling.
constexpr const char* publishedSampling = "published";
constexpr const char* wholeVideoSampling = "ssv2";

/// One attention of an evaluation.
struct StoredRun {
    int64_t id = 0;         ///< in the store
    std::string attention;  ///< canonical specification
    std::string resolved;   ///< what `native` resolved to; otherwise the same
    std::string backend;
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<std::string> notes;
    std::optional<Latency> latency;  ///< for one sample, measured before or after the evaluation, never during it
    std::optional<Memory> memory;
    std::optional<ErrorValue> error;  ///< mean over layers, if requested
    std::optional<double> emptyRows;  ///< RunRecord::emptyRows of that sample
    double seconds = 0;               ///< in forward passes
    std::string failure;              ///< one sentence if this attention could not run
};

enum class EvaluationState { Running, Paused, Interrupted, Finished };

/// "running", "paused", "interrupted" or "finished".
const char* toText(EvaluationState state);

/// A row of the Results screen.
struct StoredEvaluation {
    int64_t id = 0;
    EvaluationSettings settings;
    EvaluationState state = EvaluationState::Interrupted;
    std::string dataRoot;  ///< folder or list
    FolderLayout layout = FolderLayout::Auto;
    /// Of the names and labels of all files, in order: evaluations with equal hashes can be compared sample by
    /// sample.
    std::string dataHash;
    int64_t samples = 0;  ///< in the data set, within the limit and the shard
    int64_t done = 0;     ///< including unreadable ones
    int64_t unreadable = 0;
    std::string started, changed;  ///< ISO 8601, UTC
    double seconds = 0;            ///< of work, without pauses
    std::string note;              ///< written by the user
    bool hidden = false;           ///< in the trash
    std::vector<StoredRun> runs;
};

/// One part of an evaluation: its start, each resumption, each merged shard. What may differ between them is in `settings`.
struct EvaluationPart {
    std::string started;  ///< ISO 8601, UTC
    EvaluationSettings settings;
};

/// The prediction of one run for one sample.
struct SamplePrediction {
    static constexpr size_t kept = 5;
    /// By descending probability; −1: the model has fewer.
    std::array<int32_t, kept> classes{-1, -1, -1, -1, -1};
    std::array<float, kept> probabilities{};
    float labelProbability = 0;  ///< of the true class
    /// Σp² of all classes; NaN: in stores of versions before 5, and where there is no prediction.
    float squaredProbabilities = std::numeric_limits<float>::quiet_NaN();
    /// Classes with a higher logit than the true one, plus ties before it: 0 is correct.
    int32_t labelRank = 0;
};

/// The results of one batch; stored in one transaction, or not at all.
struct FinishedBatch {
    int64_t number = 0;            ///< batch `number` holds the samples number·B … number·B + B − 1
    std::vector<int64_t> samples;  ///< readable ones, as positions in the data set, ascending
    std::vector<std::vector<SamplePrediction>> predictions;  ///< [run][sample]; empty for a run that failed
    struct Unreadable {
        int64_t sample = 0;
        std::string reason;
    };
    std::vector<Unreadable> unreadable;
    /// Readable ones of which not all could be used (VideoViews::partial), and why.
    std::vector<Unreadable> partial;
    std::vector<double> seconds;  ///< in each run's forward passes
    /// Of every class, [run][sample] as `predictions`; empty where they are not kept.
    std::vector<std::vector<std::vector<float>>> logits = {};
};

struct ClassAccuracy {
    int64_t label = 0;
    std::string name;
    Accuracy accuracy;
};

/// How often samples of one class were predicted as another.
struct Confusion {
    int64_t label = 0, prediction = 0;
    int64_t samples = 0;
};

/// Two runs on the samples that both predicted.
struct RunPair {
    int64_t a = 0, b = 0;  ///< ids of runs
    int64_t bothRight = 0, onlyA = 0, onlyB = 0, bothWrong = 0;
    int64_t samePrediction = 0;
    double mcnemarP = 1;             ///< exact two-sided binomial on onlyA, onlyB
    double holmP = 1;                ///< adjusted by Holm for all pairs that were compared with it
    Interval difference95 = {0, 0};  ///< of `difference`, by the paired bootstrap
    int64_t samples() const { return bothRight + onlyA + onlyB + bothWrong; }
    /// B's accuracy minus A's.
    double difference() const { return samples() > 0 ? double(onlyB - onlyA) / double(samples()) : 0; }
};

/// A sample whose prediction differs between two runs, or that a run got wrong.
struct StoredSample {
    int64_t sample = 0;  ///< position in the data set
    std::string path;
    int64_t label = 0;
    std::vector<std::optional<SamplePrediction>> predictions;  ///< one per requested run
};

struct UnreadableSample {
    int64_t sample = 0;
    std::string path;
    std::string reason;
};

/// One epoch of a training.
struct StoredEpoch {
    int64_t epoch = 0;                  ///< from 1
    double loss = 0, learningRate = 0;  ///< mean of the epoch; of its last step
    double seconds = 0;                 ///< without validation
    int64_t samples = 0;                ///< seen in the epoch
    std::optional<Accuracy> validation;
    double validationLoss = 0;
    bool best = false;  ///< better than every epoch before
};

/// A training and its course.
struct StoredTraining {
    int64_t id = 0;
    std::string model, attention, weights, teacher, device;  ///< `weights`: the initial ones
    std::string output;                                      ///< the checkpoint that it writes
    std::string command;
    int64_t epochs = 0, classes = 0, trainingSamples = 0, validationSamples = 0;
    std::string started, changed;  ///< ISO 8601, UTC
    std::vector<StoredEpoch> history;
};

}

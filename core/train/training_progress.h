#pragma once

#include "core/measure/proportions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Plain values: the progress of a training, for terminal, window and files.
namespace attnscope {

/// Before the first step.
struct TrainingStart {
    std::string model;      ///< "deit_tiny_patch16_224"
    std::string attention;  ///< canonical spelling
    std::string weights;    ///< the initial ones: a path, "untrained, seed 0"
    std::string teacher;    ///< a path; empty: none
    std::string device;
    int64_t parameters = 0;
    int64_t trained = 0;  ///< number of parameters that are updated
    int64_t classes = 0;
    int64_t trainingSamples = 0;
    int64_t validationSamples = 0;
    int64_t epochs = 0;
    int64_t stepsPerEpoch = 0;
    int64_t resumedAt = 0;  ///< epochs done before; 0: a fresh start
    int64_t processes = 1;
    std::vector<std::string> notes;
};

/// After a step.
struct TrainingStep {
    int64_t epoch = 0;        ///< from 1
    int64_t step = 0;         ///< of the epoch, from 1
    int64_t steps = 0;        ///< of the epoch
    int64_t total = 0;        ///< steps of the whole training, including those before a resume
    int64_t done = 0;         ///< of them
    double loss = 0;          ///< of this step
    double meanLoss = 0;      ///< of the epoch so far
    double gradientNorm = 0;  ///< before clipping
    double learningRate = 0;
    double samplesPerSecond = 0;
    double waiting = 0;                 ///< fraction of the time for which the network waited for data
    std::optional<double> secondsLeft;  ///< empty until three steps are done
};

/// During validation.
struct ValidationStep {
    int64_t epoch = 0;
    int64_t done = 0, total = 0;  ///< samples
};

/// Accuracy on the validation set, over its readable samples.
struct ValidationResult : Accuracy {
    int64_t unreadable = 0;
    /// Mean cross entropy with the labels; NaN if logits are not finite. When exits are trained: theirs.
    double loss = 0;
    int64_t notFinite = 0;  ///< samples with non-finite logits, which count as wrong
    /// When exits are trained: correct top-1 behind each of their blocks. `correct` is the network's own, which does not change.
    std::vector<int64_t> exitsCorrect1 = {};
    /// What makes an epoch the best: top-1; when exits are trained, its mean over them.
    double selectedBy() const
    {
        double sum = 0;
        for (const int64_t correct : exitsCorrect1)
            sum += double(correct);
        return exitsCorrect1.empty() || samples == 0 ? value() : sum / double(samples * std::ssize(exitsCorrect1));
    }
};

/// After an epoch and its validation; one row of the training's history.
struct EpochRecord {
    int64_t epoch = 0;  ///< from 1
    double trainingLoss = 0;
    double learningRate = 0;                     ///< of its last step
    double seconds = 0;                          ///< without validation
    int64_t samples = 0;                         ///< seen in the epoch
    std::optional<ValidationResult> validation;  ///< of the weights themselves; empty without a validation set
    std::optional<ValidationResult> averageValidation;  ///< of their moving average
    std::string averageName;  ///< which of the two is saved as the result: "weights" or "average"
    bool best = false;        ///< better than every epoch before
};

/// How far the student is from the teacher on validation samples, before or after distilling.
struct DistillationState {
    ValidationResult student;
    /// Relative error of each layer's attention against exact attention on the same q, k, v: those of the student's weights with exact
    /// attention, as measured by `compare`.
    std::vector<double> layerErrors;
    double relativeError = 0;  ///< their mean
    double divergence = 0;     ///< mean Kullback-Leibler divergence of the predictions, nats
    /// Fraction of samples with the teacher's top-1; samples without a prediction of either count as
    /// disagreeing.
    double agreement = 0;
};

/// The results of a training.
struct TrainingReport {
    std::string output;  ///< the checkpoint of the last epoch
    std::string best;    ///< the checkpoint of the best epoch; empty without a validation set
    std::string historyFile;
    TrainingStart start;
    std::vector<EpochRecord> history;  ///< including epochs before a resume
    std::optional<ValidationResult> teacher;
    std::optional<DistillationState> before, after;  ///< with a teacher
    bool finished = false;                           ///< false: stopped; the same call continues it
    double seconds = 0;
};

/// Notified of progress, on the training thread.
class TrainingObserver {
public:
    virtual ~TrainingObserver() = default;
    virtual void onStart(const TrainingStart& start) { (void)start; }
    /// After a resume: the previous epochs.
    virtual void onHistory(const std::vector<EpochRecord>& epochs) { (void)epochs; }
    /// With a teacher and a validation set, before the first step.
    virtual void onTeacher(const ValidationResult& teacher) { (void)teacher; }
    virtual void onStep(const TrainingStep& step) { (void)step; }
    virtual void onValidation(const ValidationStep& step) { (void)step; }
    virtual void onEpoch(const EpochRecord& epoch) { (void)epoch; }
    virtual void onDistillation(const DistillationState& before) { (void)before; }
    virtual void onMessage(const std::string& sentence) { (void)sentence; }
    /// Asked after each step: whether to stop at the end of this epoch.
    virtual bool finishesEpochAndStops() { return false; }
};

}

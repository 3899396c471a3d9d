#pragma once

#include "core/data/loading/batch_loader.h"
#include "core/distributed/collective.h"
#include "core/train/adamw.h"
#include "core/train/distillation.h"
#include "core/train/training_progress.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// The samples for training or validation.
struct TrainingData {
    std::vector<int64_t> labels;     ///< one per sample
    std::vector<std::string> names;  ///< one per sample, for messages
    /// Called once per thread; see BatchLoader.
    std::function<SampleLoader()> makeLoader;
    int64_t size() const { return int64_t(labels.size()); }
    std::vector<int64_t> labelsOf(const std::vector<int64_t>& samples) const;
};

/// What to train, on what data, from which teacher.
struct TrainingParts {
    std::shared_ptr<TrainableClassifier> student;
    std::shared_ptr<TrainableClassifier> average;  ///< the same network for the moving average; null if none
    AttentionSpec attention = AttentionSpec::native();
    std::optional<Teacher> teacher;
    TrainingData training;
    std::optional<TrainingData> validation;
    TrainingPlan plan;
    std::shared_ptr<Collective> processes = std::make_shared<Collective>();
};

/// Updates the weights of a network, epoch by epoch (docs/training.md). All randomness depends on (plan.seed, step, sample), so that
/// weights and moments are the only state between epochs.
class Trainer {
public:
    Trainer(TrainingParts parts, TrainingObserver& observer);

    int64_t stepsPerEpoch() const { return m_stepsPerEpoch; }
    int64_t trainedParameters() const;

    /// Runs epoch number `epoch` (from 1) and its validation. Throws Cancelled between steps, Error if the loss is not finite.
    EpochRecord runEpoch(int64_t epoch, std::stop_token stop);
    /// The accuracy of a network on the validation set, which must exist.
    ValidationResult validate(const Classifier& network, const PreparedAttention& attention, int64_t epoch,
                              std::stop_token stop) const;
    /// How far the student, or its average, is from the teacher. Requires a teacher and a validation set.
    DistillationState distillationState(std::stop_token stop) const;

    /// The resulting network: the average if there is one.
    const TrainableClassifier& result() const { return m_parts.average ? *m_parts.average : *m_parts.student; }

    /// "weights/…", "average/…", and the optimizer's "first/…", "second/…", "steps/…".
    std::map<std::string, at::Tensor> state() const;
    void restore(const std::map<std::string, at::Tensor>& state, const std::string& subject);

private:
    struct StepResult;

    void chooseTrained(int64_t epoch);
    bool trainsParametersOnly(int64_t epoch) const
    {
        return m_parts.teacher && epoch <= m_parts.plan.distillation.parameterEpochs;
    }
    BatchLoader::Plan loaderPlan(int64_t epoch) const;
    StepResult runStep(BatchLoader& loader, int64_t epoch, int64_t step, std::stop_token stop);
    at::Tensor lossOf(LoadedBatch& batch, int64_t epoch, uint64_t step, std::stop_token stop);
    at::Tensor distilledLoss(const at::Tensor& input, const at::Tensor& targets, const StochasticDepth& depth,
                             bool parametersOnly, std::stop_token stop);
    at::Tensor exitLoss(const at::Tensor& input, const at::Tensor& targets, std::stop_token stop) const;
    void drawNoise(uint64_t step, const std::vector<int64_t>& samples);
    void exchangeGradients();
    /// Throws Cancelled in all processes as soon as one should stop.
    void checkStop(const std::stop_token& stop) const;
    /// What may stop a step half way: nothing if others wait for its end.
    std::stop_token within(const std::stop_token& stop) const;
    /// Throws Error with `when` and the remedy.
    void requireFiniteWeights(const std::string& when, const std::string& remedy) const;
    /// `validate` of the student or its average, for the record. Throws Error if the loss is not finite.
    ValidationResult validated(const TrainableClassifier& network, int64_t epoch, std::stop_token stop) const;
    void followAverage();
    void noteUnreadable(const TrainingData& data, const LoadedBatch& batch) const;
    int64_t workers() const;

    TrainingParts m_parts;
    TrainingObserver& m_observer;
    std::vector<NamedWeight> m_weights;
    AdamW m_optimizer;
    PreparedAttention m_attention;  // in training mode
    int64_t m_stepsPerEpoch = 0;
    int64_t m_updates = 0;  // steps so far in all epochs
};

/// A view of the batch's values, on the network's device and in its dtype: for float32 on the CPU not a copy, so that the batch must
/// outlive it.
at::Tensor tensorOf(LoadedBatch& batch, const Classifier& network);

/// Switches every layer's attention to training or evaluation mode.
void setTraining(PreparedAttention& attention, bool on);

}

#pragma once

#include "core/run/observers.h"
#include "core/train/trainable_classifier.h"
#include "core/train/training_plan.h"

#include <ATen/ATen.h>

#include <memory>
#include <vector>

namespace attnscope {

/// The network to learn from, with the attention that its weights were trained with.
struct Teacher {
    std::shared_ptr<const Classifier> network;
    PreparedAttention attention;
};

/// Records inputs and outputs of each layer's attention.
class AttentionRecorder : public StoppableObserver {
public:
    using StoppableObserver::StoppableObserver;
    void afterAttention(int64_t, const AttentionInput& input, const at::Tensor& output) override
    {
        inputs.push_back(input);
        outputs.push_back(output);
    }

    std::vector<AttentionInput> inputs;
    std::vector<at::Tensor> outputs;
};

/// The teacher's results for a batch, without gradients.
struct TeacherView {
    at::Tensor logits;                   ///< (B, classes)
    std::vector<AttentionInput> inputs;  ///< q, k, v of each layer
    std::vector<at::Tensor> outputs;     ///< attention of each layer
};

TeacherView viewOf(const Teacher& teacher, const at::Tensor& input, std::stop_token stop);

/// Σ over the batch of the weighted mean over layers of ‖student − teacher‖² / ‖teacher‖² of a sample's attention outputs. → (). Throws
/// UsageError if the networks differ in layers or shapes.
at::Tensor attentionMatching(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher,
                             const std::vector<double>& layerWeights);

/// Σ over the batch of T² KL(softmax(teacher / T) ‖ softmax(student / T)) (Hinton et al., 2015): logits (B, classes) → ()
at::Tensor predictionMatching(const at::Tensor& student, const at::Tensor& teacher, double temperature);

/// Runs both on one input of zeros, like a step of `plan`, to detect mismatches before any work. Throws UsageError if the teacher can't
/// take the student's input, or their layers or shapes differ where the plan compares them.
void requireFit(const Teacher& teacher, const TrainableClassifier& student, const AttentionSpec& attention,
                const DistillationPlan& plan);

/// The student's attention on the teacher's q, k, v: only the attention's own parameters can learn from this. One output per layer.
std::vector<at::Tensor> attendAsTeacher(const TeacherView& view, const PreparedAttention& student);

}

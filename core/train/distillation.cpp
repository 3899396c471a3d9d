#include "core/train/distillation.h"

#include "core/attention/shapes.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <tuple>

namespace attnscope {

TeacherView viewOf(const Teacher& teacher, const at::Tensor& input, std::stop_token stop)
{
    const at::NoGradGuard guard;
    AttentionRecorder recorder(std::move(stop));
    const at::Tensor logits = teacher.network->logits(input, teacher.attention, &recorder);
    return {logits, std::move(recorder.inputs), std::move(recorder.outputs)};
}

at::Tensor attentionMatching(const std::vector<at::Tensor>& student, const std::vector<at::Tensor>& teacher,
                             const std::vector<double>& layerWeights)
{
    if (student.size() != teacher.size())
        throw UsageError("",
                         "the teacher has " + std::to_string(teacher.size()) + " attention layers and the student "
                             + std::to_string(student.size()),
                         "choose a teacher of the same architecture, or --attention-weight 0");
    at::Tensor total = at::zeros({}, student.front().options().dtype(at::kFloat));
    for (size_t layer = 0; layer < student.size(); ++layer) {
        if (student[layer].sizes() != teacher[layer].sizes())
            throw UsageError("",
                             "attention layer " + std::to_string(layer) + " gives "
                                 + describeShape(teacher[layer].sizes()) + " in the teacher and "
                                 + describeShape(student[layer].sizes()) + " in the student",
                             "choose a teacher of the same architecture, or --attention-weight 0");
        const at::Tensor wanted = teacher[layer].to(at::kFloat).flatten(1),
                         got = student[layer].to(at::kFloat).flatten(1);
        const auto relative = (got - wanted).square().sum(1)
                              / wanted.square().sum(1).clamp_min(1e-12);  // one per sample
        total = total + relative.sum() * (layer < layerWeights.size() ? layerWeights[layer] : 1.0);
    }
    return total / double(student.size());
}

at::Tensor predictionMatching(const at::Tensor& student, const at::Tensor& teacher, double temperature)
{
    const auto wanted = (teacher / temperature).log_softmax(1), got = (student / temperature).log_softmax(1);
    return (wanted.exp() * (wanted - got)).sum() * (temperature * temperature);
}

std::vector<at::Tensor> attendAsTeacher(const TeacherView& view, const PreparedAttention& student)
{
    if (view.inputs.size() != student.layers.size())
        throw UsageError("",
                         "the teacher has " + std::to_string(view.inputs.size())
                             + " attention layers and the student " + std::to_string(student.layers.size()),
                         "choose a teacher of the same architecture");
    std::vector<at::Tensor> outputs;
    for (size_t layer = 0; layer < view.inputs.size(); ++layer)
        outputs.push_back(student.layers[layer]->attend(view.inputs[layer], *student.noise[layer]));
    return outputs;
}

void requireFit(const Teacher& teacher, const TrainableClassifier& student, const AttentionSpec& attention,
                const DistillationPlan& plan)
{
    const at::NoGradGuard guard;
    const ModelSummary& model = student.describe();
    teacher.network->checkInput(model.input);
    std::vector<int64_t> shape{1};
    shape.insert(shape.end(), model.input.begin(), model.input.end());
    const at::Tensor input = at::zeros(shape, at::TensorOptions(student.device()).dtype(student.dtype()));
    const TeacherView view = viewOf(teacher, input, {});
    // Has its own noise: training uses the same random numbers with and without this check.
    const PreparedAttention prepared = student.prepare(attention, 0);
    if (plan.parameterEpochs > 0)
        std::ignore = attendAsTeacher(view, prepared);
    AttentionRecorder recorder(std::stop_token{});
    std::ignore = student.logits(input, prepared, &recorder);
    if (plan.attentionWeight > 0 || plan.parameterEpochs > 0)
        std::ignore = attentionMatching(recorder.outputs, view.outputs, plan.layerWeights);
    const auto layers = int64_t(recorder.outputs.size());
    if (!plan.layerWeights.empty() && std::ssize(plan.layerWeights) != layers)
        throw UsageError("--layer-weights",
                         counted(std::ssize(plan.layerWeights), "weight") + " for " + counted(layers, "layer"),
                         "give one for each layer, or none");
}

}

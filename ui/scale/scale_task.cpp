#include "ui/scale/scale_task.h"

#include "ui/engine/input_source.h"

#include "core/device/device.h"
#include "models/labels/model_classes.h"

namespace attnscope::ui {

namespace {

using Grew = ScaleTask::Grew;

/// A model and what it looks at, as the command line opens them: images as they are stored, one view of a video. `labels`: of labelled
/// samples.
NetworkInputs openNetwork(const SubjectRequest& request, TaskTurn& turn, std::vector<int64_t>& labels)
{
    const std::shared_ptr<Workbench> workbench = coreWorkbench();
    const auto model = turn.models().open(request.model);
    NetworkInputs network{model->classifier, {}};
    LabelledSample samples{.paths = request.inputs, .labels = std::move(labels)};
    if (!request.labelled.empty())
        samples = labelledSample(request.labelled, *model->classifier, request.samples);
    for (const std::string& path : samples.paths)
        network.inputs.push_back(
            inputSource(workbench, model, {toQt(path), {}, {}}, request.model.limits, turn.stop()));
    labels = std::move(samples.labels);
    return network;
}

LabSubject openSubject(const SubjectRequest& request, TaskTurn& turn)
{
    if (!request.file.empty())
        return TensorFile{.file = request.file, .device = request.model.device, .limits = request.model.limits};
    if (!request.random) {
        std::vector<int64_t> none;
        return openNetwork(request, turn, none);
    }
    RandomTensors random = *request.random;
    random.device = request.model.device;
    return random;
}

ScaleReport measured(ScaleRequest request, TaskTurn& turn, const Grew& grew)
{
    request.device = resolveDevice(request.device);
    return scale(request, grew, turn.progress(), turn.stop());
}

DecodeReport measured(const DecodeRequest& request, TaskTurn& turn, const Grew& grew)
{
    return decode(request, turn.progress(), turn.stop(), grew);
}

ApproximateReport measured(const ApproximateJob& job, TaskTurn& turn, const Grew&)
{
    return approximate(openSubject(job.subject, turn), job.request, turn.progress(), turn.stop());
}

KernelReport measured(const KernelJob& job, TaskTurn& turn, const Grew&)
{
    return plotKernel(openSubject(job.subject, turn), job.request, turn.stop());
}

PlanReport measured(const PlanJob& job, TaskTurn& turn, const Grew&)
{
    PlanRequest request = job.request;
    const NetworkInputs network = openNetwork(job.subject, turn, request.labels);
    return planAttention(*network.classifier, network.inputs, request, turn.progress(), turn.stop());
}

}

ScaleTask::Measure coreScale()
{
    return [](const ScaleQuestion& question, TaskTurn& turn, const Grew& grew) {
        return std::visit([&](const auto& request) -> ScaleResult { return measured(request, turn, grew); },
                          question);
    };
}

}

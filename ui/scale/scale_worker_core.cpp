#include "ui/engine/file_source.h"
#include "ui/scale/scale_worker.h"

#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "models/labels/model_classes.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// A model and what it looks at, as the command line opens them: images as they are stored, one view of a video. `labels`: of labelled
/// samples.
NetworkInputs openNetwork(const SubjectRequest& request, const std::stop_token& stop,
                          std::vector<std::int64_t>& labels)
{
    const std::shared_ptr<Workbench> workbench = coreWorkbench();
    const OpenedModel model = workbench->open(request.model);
    NetworkInputs network{model.classifier, {}};
    LabelledSample samples{.paths = request.inputs, .labels = std::move(labels)};
    if (!request.labelled.empty())
        samples = labelledSample(request.labelled, *model.classifier, request.samples);
    for (const std::string& path : samples.paths)
        network.inputs.push_back(fileSource(workbench, model, path, request.model.limits, stop));
    labels = std::move(samples.labels);
    return network;
}

LabSubject openSubject(const SubjectRequest& request, const std::stop_token& stop)
{
    if (!request.file.empty())
        return TensorFile{.file = request.file, .device = request.model.device, .limits = request.model.limits};
    if (!request.random) {
        std::vector<std::int64_t> none;
        return openNetwork(request, stop, none);
    }
    RandomTensors random = *request.random;
    random.device = request.model.device;
    return random;
}

PlanReport planOn(const PlanJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    const FreedMemoryReturn after;
    PlanRequest request = job.request;
    const NetworkInputs network = openNetwork(job.subject, stop, request.labels);
    return planAttention(*network.classifier, network.inputs, request, progress, stop);
}

}

ScaleBackend coreScale()
{
    ScaleBackend backend;
    backend.scale = [](const ScaleRequest& requested, const ScaleObserver& observer,
                       const ProgressCallback& progress, std::stop_token stop) {
        const FreedMemoryReturn after;
        ScaleRequest request = requested;
        request.device = resolveDevice(requested.device);
        return attnscope::scale(request, observer, progress, std::move(stop));
    };
    backend.decode = [](const DecodeRequest& request, const DecodeObserver& observer,
                        const ProgressCallback& progress, std::stop_token stop) {
        return attnscope::decode(request, progress, std::move(stop), observer);
    };
    backend.approximate = [](const ApproximateJob& job, const ProgressCallback& progress, std::stop_token stop) {
        const FreedMemoryReturn after;
        return attnscope::approximate(openSubject(job.subject, stop), job.request, progress, stop);
    };
    backend.kernel = [](const KernelJob& job, std::stop_token stop) {
        const FreedMemoryReturn after;
        return plotKernel(openSubject(job.subject, stop), job.request, stop);
    };
    backend.plan = planOn;
    backend.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return backend;
}

}

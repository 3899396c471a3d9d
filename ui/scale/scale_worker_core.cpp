// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/file_source.h"
#include "ui/scale/scale_worker.h"

#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "models/labels/model_classes.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// A model and what it looks at, as the command line opens them: images as they are stored, one view of a video.
struct OpenedLab {
    std::shared_ptr<Workbench> workbench = coreWorkbench();
    OpenedModel model;
    std::vector<InputSource> sources;

    OpenedLab(const ModelRequest& request, const std::vector<std::string>& inputs, const std::stop_token& stop)
        : model(workbench->open(request))
    {
        look(inputs, request.limits, stop);
    }

    void look(const std::vector<std::string>& inputs, const Limits& limits, const std::stop_token& stop)
    {
        for (const std::string& path : inputs)
            sources.push_back(fileSource(workbench, model, path, limits, stop));
    }
};

DumpedAttention dumpOf(const std::string& file, const ModelRequest& model)
{
    DumpedAttention dump;
    dump.file = file;
    dump.device = resolveDevice(model.device);
    dump.limits = model.limits;
    return dump;
}

RandomAttention placed(RandomAttention random, const ModelRequest& model)
{
    random.device = resolveDevice(model.device);
    return random;
}

ApproximateReport approximateOn(const ApproximateJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    const FreedMemoryReturn after;
    if (!job.dump.empty())
        return attnscope::approximate(dumpOf(job.dump, job.model), job.request, progress, stop);
    if (job.random)
        return attnscope::approximate(placed(*job.random, job.model), job.request, progress, stop);
    const OpenedLab lab(job.model, job.inputs, stop);
    return attnscope::approximate(*lab.model.classifier, lab.sources, job.request, progress, stop);
}

KernelReport plotOn(const KernelJob& job, std::stop_token stop)
{
    const FreedMemoryReturn after;
    if (!job.dump.empty())
        return plotKernel(dumpOf(job.dump, job.model), job.request, stop);
    if (job.random)
        return plotKernel(placed(*job.random, job.model), job.request, stop);
    const OpenedLab lab(job.model, {job.input}, stop);
    return plotKernel(*lab.model.classifier, lab.sources.front(), job.request, stop);
}

PlanReport planOn(const PlanJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    const FreedMemoryReturn after;
    if (job.labelled.empty()) {
        const OpenedLab lab(job.model, job.inputs, stop);
        return planAttention(*lab.model.classifier, lab.sources, job.request, progress, stop);
    }
    OpenedLab lab(job.model, {}, stop);
    LabelledSample sample = labelledSample(job.labelled, *lab.model.classifier, job.samples);
    lab.look(sample.paths, job.model.limits, stop);
    PlanRequest request = job.request;
    request.labels = std::move(sample.labels);
    return planAttention(*lab.model.classifier, lab.sources, request, progress, stop);
}

}  // namespace

ScaleBackend coreScale()
{
    ScaleBackend backend;
    backend.scale = [](const ScaleRequest& requested, const ScaleObserver& observer, const ProgressCallback& progress,
                     std::stop_token stop) {
        const FreedMemoryReturn after;
        ScaleRequest request = requested;
        request.device = resolveDevice(requested.device);
        return attnscope::scale(request, observer, progress, std::move(stop));
    };
    backend.decode = [](const DecodeRequest& request, const DecodeObserver& observer, const ProgressCallback& progress,
                        std::stop_token stop) { return attnscope::decode(request, progress, std::move(stop), observer); };
    backend.approximate = approximateOn;
    backend.kernel = plotOn;
    backend.plan = planOn;
    backend.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return backend;
}

}  // namespace attnscope::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/workbench.h"
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
        for (const std::string& path : inputs) {
            if (workbench->isVideo(path))
                sources.push_back({path, "video", [opened = workbench, network = model, path, limits, stop] {
                                       return LoadedInput(opened->views(network, path, {1, 1}, limits, stop));
                                   }});
            else
                sources.push_back({path, "image", [opened = workbench, path, limits] {
                                       return LoadedInput(opened->read(path, {}, {Orientation::Ignore, limits}));
                                   }});
        }
    }
};

ApproximateReport approximateOn(const ApproximateJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    const FreedMemoryReturn after;
    if (!job.dump.empty()) {
        DumpedAttention dump;
        dump.file = job.dump;
        dump.device = resolveDevice(job.model.device);
        dump.limits = job.model.limits;
        return attnscope::approximate(dump, job.request, progress, stop);
    }
    if (job.random) {
        RandomAttention random = *job.random;
        random.device = resolveDevice(job.model.device);
        return attnscope::approximate(random, job.request, progress, stop);
    }
    const OpenedLab lab(job.model, job.inputs, stop);
    return attnscope::approximate(*lab.model.classifier, lab.sources, job.request, progress, stop);
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
    backend.approximate = approximateOn;
    backend.plan = planOn;
    backend.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return backend;
}

}  // namespace attnscope::ui

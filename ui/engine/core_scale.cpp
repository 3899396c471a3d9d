// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/scale_bench.h"
#include "ui/engine/workbench.h"

#include "core/run/device.h"

#include <utility>

namespace attnscope::ui {

namespace {

/// A model and what it looks at, as the command line opens them: pictures as they are stored, one view of a video.
struct OpenedLab {
    std::shared_ptr<Workbench> bench = coreWorkbench();
    OpenedModel model;
    std::vector<InputSource> sources;
};

OpenedLab openLab(const ModelRequest& request, const std::vector<std::string>& inputs, std::stop_token stop)
{
    OpenedLab lab;
    lab.model = lab.bench->open(request);
    for (const std::string& path : inputs) {
        if (lab.bench->isVideo(path))
            lab.sources.push_back(
                {path, "video", [bench = lab.bench, model = lab.model, path, limits = request.limits, stop] {
                     return LoadedInput(bench->views(model, path, {1, 1}, limits, stop));
                 }});
        else
            lab.sources.push_back({path, "image", [bench = lab.bench, path, limits = request.limits] {
                                       return LoadedInput(bench->read(path, {}, {Orientation::Ignore, limits}));
                                   }});
    }
    return lab;
}

ApproximateReport approximateOn(const ApproximateJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    if (!job.dump.empty()) {
        DumpedAttention dump;
        dump.file = job.dump;
        dump.device = resolveDevice(job.model.device);
        dump.limits = job.model.limits;
        return attnscope::approximate(dump, job.request, progress, stop);
    }
    const OpenedLab lab = openLab(job.model, job.inputs, stop);
    return attnscope::approximate(*lab.model.classifier, lab.sources, job.request, progress, stop);
}

PlanReport planOn(const PlanJob& job, const ProgressCallback& progress, std::stop_token stop)
{
    const OpenedLab lab = openLab(job.model, job.inputs, stop);
    return planAttention(*lab.model.classifier, lab.sources, job.request, progress, stop);
}

}  // namespace

ScaleTools coreScale()
{
    ScaleTools tools;
    tools.scale = [](const ScaleRequest& asked, const ScaleObserver& observer, const ProgressCallback& progress,
                     std::stop_token stop) {
        ScaleRequest request = asked;
        request.device = resolveDevice(asked.device);
        return attnscope::scale(request, observer, progress, std::move(stop));
    };
    tools.approximate = approximateOn;
    tools.plan = planOn;
    tools.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return tools;
}

}  // namespace attnscope::ui

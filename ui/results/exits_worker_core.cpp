#include "ui/results/exits_worker.h"

#include "core/device/device.h"
#include "core/device/freed_memory.h"
#include "models/labelled_samples.h"

#include <utility>

namespace attnscope::ui {

ExitsBackend coreExits()
{
    ExitsBackend backend;
    backend.measure = [](const ExitsJob& job, const ProgressCallback& progress, std::stop_token stop) {
        const FreedMemoryReturn after;
        const auto classifier = openModel(job.model);
        const LabelledRequest samples{.folder = job.folder, .limit = job.limit, .limits = job.model.limits};
        return measureExits(*classifier, samples, job.request, progress, stop);
    };
    backend.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return backend;
}

}

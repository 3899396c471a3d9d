// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/evaluation_worker.h"
#include "ui/engine/demo_scenes.h"

#include "core/device/device.h"
#include "core/device/freed_memory.h"

#include <memory>

#ifdef ATTNSCOPE_STORE
#include "core/data/dataset/evaluation_folder.h"
#include "models/evaluation_set.h"
#endif

namespace attnscope::ui {

#ifdef ATTNSCOPE_STORE

namespace {

/// What the Batch screen tries: enough samples that intervals tell attentions apart, few enough for a minute.
constexpr DemoAmount demoAmount{1, 50};

/// An image, or a frame of a video, turned as a viewer turns it.
QImage imageOf(Workbench& workbench, const std::string& path)
{
    const Clip clip = workbench.isVideo(path) ? workbench.glance(path, {}).frame
                                              : workbench.read(path, {}, {Orientation::Apply, {}});
    return QImage(clip.frame(0), static_cast<int>(clip.width), static_cast<int>(clip.height),
                  static_cast<qsizetype>(clip.width) * 3, QImage::Format_RGB888)
        .copy();
}

}  // namespace

EvaluationBackend coreEvaluation(const std::string& photos)
{
    EvaluationBackend backend;
    backend.look = [](const std::string& folder) { return scanEvaluation(folder, FolderLayout::Auto); };
    backend.open = [](const ModelRequest& request) { return coreWorkbench()->open(request); };
    backend.scan = [](const EvaluationPlan& plan, const OpenedModel& model) {
        return evaluationSet(plan.folder, parseFolderLayout(plan.layout), *model.classifier);
    };
    backend.noteOrigin = noteOrigin;
    backend.estimate = [](const OpenedModel& model, const EvaluationRequest& request, std::stop_token stop) {
        return estimate(*model.classifier, request, std::move(stop));
    };
    backend.evaluate = [](const OpenedModel& model, const EvaluationRequest& request, EvaluationObserver& observer,
                        std::stop_token stop) {
        const FreedMemoryReturn after;
        return evaluate(*model.classifier, request, observer, std::move(stop));
    };
    backend.writeDemo = [photos](const std::string& folder, const ProgressCallback& progress, std::stop_token stop) {
        return writeDemoScenes(photos, folder, demoAmount, progress, std::move(stop)) + "/val";
    };
    // Of the thread that looks at samples alone: its decoder starts with the first one.
    backend.image = [workbench = std::shared_ptr<Workbench>(coreWorkbench())](const std::string& path) {
        return imageOf(*workbench, path);
    };
    backend.setThreads = [](std::int64_t threads) { setThreads(threads); };
    return backend;
}

#else

EvaluationBackend coreEvaluation(const std::string&)
{
    return {};
}

#endif

}  // namespace attnscope::ui

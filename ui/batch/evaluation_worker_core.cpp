// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/batch/evaluation_worker.h"
#include "ui/engine/demo_scenes.h"
#include "ui/gallery/thumbnails.h"

#include "core/device/device.h"
#include "core/device/freed_memory.h"

#ifdef ATTNSCOPE_STORE
#include "core/data/dataset/evaluation_folder.h"
#include "models/evaluation_set.h"
#endif

namespace attnscope::ui {

#ifdef ATTNSCOPE_STORE

namespace {

/// What the Batch screen tries: enough samples that intervals tell attentions apart, few enough for a minute.
constexpr DemoAmount demoAmount{1, 50};

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
    backend.image = sampleImages();
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

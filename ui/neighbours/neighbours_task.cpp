#include "ui/neighbours/neighbours_task.h"

#include "ui/engine/input_source.h"
#include "ui/gallery/thumbnails.h"

#include "core/base/atomic_file.h"

#include <filesystem>

namespace attnscope::ui {

namespace {

/// Enough that neighbours are of the same class, few enough for a minute.
constexpr DemoAmount neighboursDemo{20, 10};

/// What was searched last: one image after another is quick, as long as the model stays at hand.
struct LastSearch {
    std::shared_ptr<Workbench> workbench = coreWorkbench();
    std::weak_ptr<const Classifier> classifier;
    std::string attention;
    uint64_t seed = 0;
    std::unique_ptr<NeighbourSearcher> search;
};

NeighbourReport searchWith(LastSearch& last, const NeighbourQuestion& question, ModelCache& models,
                           const NeighbourCalls& calls)
{
    const auto model = models.open(question.model);
    if (!last.search || last.classifier.lock() != model->classifier
        || last.attention != question.attention.canonical() || last.seed != question.seed) {
        const std::shared_ptr<const Classifier> lent(std::shared_ptr<void>(), model->classifier.get());
        last.search = std::make_unique<NeighbourSearcher>(lent, question.model, question.attention, question.seed);
        last.classifier = model->classifier;
        last.attention = question.attention.canonical();
        last.seed = question.seed;
    }
    NeighbourJob job{.datastore = question.datastore,
                     .build = question.build,
                     .evaluate = question.evaluate,
                     .labelled = {},
                     .images = {},
                     .request = question.request};
    job.labelled.limit = question.limit;
    job.labelled.limits = question.model.limits;
    if (!question.image.empty())
        job.images.push_back(
            inputSource(last.workbench, model, {toQt(question.image), {}, {}}, question.model.limits, calls.stop));
    if (!job.build.empty())
        createFolders(std::filesystem::path(job.datastore).parent_path());
    return last.search->run(job, calls);
}

}

NeighboursBackend coreNeighbours(const std::string& photos)
{
    NeighboursBackend backend;
    backend.search = [last = std::make_shared<LastSearch>()](const NeighbourQuestion& question, ModelCache& models,
                                                             const NeighbourCalls& calls) {
        return searchWith(*last, question, models, calls);
    };
    backend.writeDemo = demoScenes(photos, neighboursDemo);
    backend.image = sampleImages();
    return backend;
}

}

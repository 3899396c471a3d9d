#include "ui/engine/file_source.h"
#include "ui/gallery/thumbnails.h"
#include "ui/neighbours/neighbours_worker.h"

#include "core/base/atomic_file.h"
#include "core/device/device.h"
#include "core/device/freed_memory.h"

#include <filesystem>

namespace attnscope::ui {

namespace {

/// Enough that neighbours are of the same class, few enough for a minute.
constexpr DemoAmount neighboursDemo{20, 10};

/// The network that was asked last, and what it has searched: one image after another is quick.
struct OpenedSearch {
    std::shared_ptr<Workbench> workbench = coreWorkbench();
    ModelRequest request;
    std::string attention;
    std::uint64_t seed = 0;
    OpenedModel model;
    std::unique_ptr<NeighbourSearcher> search;

    void open(const NeighbourQuestion& question)
    {
        if (search && request == question.model && attention == question.attention.canonical()
            && seed == question.seed)
            return;
        search.reset();
        model = workbench->open(question.model);
        search = std::make_unique<NeighbourSearcher>(model.classifier, question.model, question.attention,
                                                     question.seed);
        request = question.model, attention = question.attention.canonical(), seed = question.seed;
    }
};

NeighbourReport searchWith(OpenedSearch& opened, const NeighbourQuestion& question, const NeighbourCalls& calls)
{
    const FreedMemoryReturn after;
    opened.open(question);
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
            fileSource(opened.workbench, opened.model, question.image, question.model.limits, calls.stop));
    if (!job.build.empty())
        createFolders(std::filesystem::path(job.datastore).parent_path());
    return opened.search->run(job, calls);
}

}

NeighboursBackend coreNeighbours(const std::string& photos)
{
    NeighboursBackend backend;
    backend.search = [opened = std::make_shared<OpenedSearch>()](const NeighbourQuestion& question,
                                                                 const NeighbourCalls& calls) {
        return searchWith(*opened, question, calls);
    };
    backend.writeDemo = [photos](const std::string& folder, const ProgressCallback& progress,
                                 std::stop_token stop) {
        return writeDemoScenes(photos, folder, neighboursDemo, progress, std::move(stop));
    };
    backend.image = sampleImages();
    backend.setThreads = [](std::int64_t threads) { attnscope::setThreads(threads); };
    return backend;
}

}

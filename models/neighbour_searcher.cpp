#include "models/neighbour_searcher.h"

#include "core/base/error.h"
#include "core/lab/neighbours/neighbours.h"
#include "core/lab/sample_batches.h"
#include "core/run/classifier.h"
#include "models/feature_evaluator.h"
#include "models/labelled_samples.h"

#include <filesystem>
#include <optional>
#include <utility>

namespace attnscope {

namespace {

/// The folder of a job, read as the job says.
LabelledRequest folderOf(const NeighbourJob& job, const std::string& folder)
{
    LabelledRequest request = job.labelled;
    request.folder = folder;
    return request;
}

/// The same under another name.
ProgressCallback named(const char* what, const ProgressCallback& progress)
{
    return [what, &progress](const Progress& step) {
        if (progress)
            progress({what, step.done, step.total});
    };
}

}

struct NeighbourSearcher::State {
    std::shared_ptr<const Classifier> classifier;
    FeatureNetwork network;

    // What was searched last: its norms are known, and it is mapped.
    std::string datastore;
    std::filesystem::file_time_type written;
    NeighbourRequest request;
    std::optional<NeighbourClassifier> searcher;

    bool hasHead() const { return classifier->describe().classes > 0; }

    const NeighbourClassifier& open(const NeighbourJob& job)
    {
        std::error_code missing;
        const auto now = std::filesystem::last_write_time(job.datastore, missing);
        if (!searcher || missing || datastore != job.datastore || written != now || !(request == job.request)) {
            searcher.reset();
            searcher.emplace(network, std::make_shared<FeatureStore>(job.datastore), job.request);
            datastore = job.datastore, written = now, request = job.request;
        }
        return *searcher;
    }
};

NeighbourSearcher::NeighbourSearcher(std::shared_ptr<const Classifier> classifier, const ModelRequest& model,
                                     const AttentionSpec& attention, uint64_t seed)
    : m_state(new State{classifier, featureNetwork(*classifier, model, attention, seed), {}, {}, {}, {}})
{}

NeighbourSearcher::~NeighbourSearcher() = default;

NeighbourReport NeighbourSearcher::run(const NeighbourJob& job, const NeighbourCalls& calls)
{
    State& state = *m_state;
    std::optional<BuiltDatastore> built;
    if (!job.build.empty()) {
        state.searcher.reset();
        const auto labelled = state.hasHead() ? state.classifier : withClassesOf(state.classifier, job.build);
        LabelledReader reader(folderOf(job, job.build), *labelled, calls.stop);
        built = buildDatastore(state.network, reader.samples(), job.datastore, named("features", calls.progress),
                               calls.stop);
        if (calls.built)
            calls.built(*built);
    }
    const NeighbourClassifier& searcher = state.open(job);
    NeighbourReport report = searcher.report();
    report.built = std::move(built);
    if (state.classifier->describe().weights == WeightsKind::Untrained)
        report.notes.emplace_back("the weights are random: their features and predictions are not meaningful");
    try {
        if (!job.evaluate.empty()) {
            const auto labelled = state.hasHead()
                                      ? state.classifier
                                      : withClasses(state.classifier, report.origin.folder, report.origin.classes);
            LabelledReader reader(folderOf(job, job.evaluate), *labelled, calls.stop);
            const LabelledSamples samples = reader.samples();
            if (calls.evaluating)
                calls.evaluating(samples.data);
            report.accuracy = searcher.accuracy(samples, named("accuracy", calls.progress), calls.stop);
            report.complete = report.accuracy->complete;
            if (samples.data.root == report.origin.folder)
                report.notes.emplace_back("the datastore is made of this folder, so this is not a held-out test");
            report.notes.insert(report.notes.end(), samples.data.notes.begin(), samples.data.notes.end());
        }
        searcher.neighbours(job.images, report, calls.stop);
    } catch (const Cancelled&) {
        if (!report.built && !report.accuracy && report.images.empty())
            throw;
        report.complete = false;
    }
    return report;
}

}

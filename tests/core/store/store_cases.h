#pragma once

#include "core/base/random.h"
#include "core/store/result_store.h"
#include "tests/support/folder.h"

#include <filesystem>
#include <functional>
#include <random>
#include <string>

/// Made-up evaluations whose every prediction follows from its run and sample.
namespace attnscope::testing {

inline LabelledSet madeUpData(int64_t files, int64_t classes, const std::string& root = "/data/val")
{
    LabelledSet data;
    data.root = root;
    data.layout = FolderLayout::ImageNet;
    for (int64_t i = 0; i < classes; ++i)
        data.classes.push_back("class " + std::to_string(i));
    for (int64_t i = 0; i < files; ++i) {
        const int64_t label = i * classes / files;
        data.files.push_back({root + "/c" + std::to_string(label) + "/" + std::to_string(i) + ".jpg", label});
    }
    return data;
}

inline EvaluationSettings madeUpSettings(int64_t batch = 32)
{
    EvaluationSettings settings;
    settings.model = "deit_tiny_patch16_224";
    settings.weights = "weights.safetensors";
    settings.weightsHash = "abc";
    settings.dtype = "float32";
    settings.device = "cpu";
    settings.batch = batch;
    settings.command = "attnscope-cli evaluate val --store runs.sqlite";
    return settings;
}

inline std::vector<StoredRun> madeUpRuns(int64_t count)
{
    const std::array<const char*, 4> names{"softmax", "performer", "lara", "ra"};
    std::vector<StoredRun> runs;
    for (int64_t i = 0; i < count; ++i) {
        StoredRun run;
        run.backend = names[size_t(i) % names.size()];
        run.attention = i < 4 ? run.backend : run.backend + ":samples=" + std::to_string(i);
        run.resolved = run.attention;
        run.weights = i == 0 ? WeightsKind::Trained : WeightsKind::Swapped;
        runs.push_back(run);
    }
    return runs;
}

/// Right in about seven of ten cases, else another class; every seventh wrong one among the first five.
inline SamplePrediction madeUpPrediction(int64_t run, int64_t sample, int64_t label, int64_t classes)
{
    std::mt19937_64 draw(uint64_t(run * 1'000'003 + sample));
    SamplePrediction prediction;
    const bool right = draw() % 10 < 7;
    const auto first = int32_t(right ? label : (label + 1 + int64_t(draw() % 3)) % classes);
    for (size_t i = 0; i < SamplePrediction::kept; ++i) {
        prediction.classes[i] = int32_t((first + int32_t(i)) % int32_t(classes));
        prediction.probabilities[i] = float(draw() % 1000) / 1000 / float(1 << i);
    }
    prediction.labelRank = first == label ? 0 : int32_t(1 + draw() % 8);
    prediction.labelProbability = prediction.probabilities[first == label ? 0 : 4];
    prediction.squaredProbabilities = float(draw() % 1000) / 1000;
    return prediction;
}

/// Every `bad`-th sample (0: none) cannot be read.
inline FinishedBatch madeUpBatch(int64_t number, const EvaluationSettings& settings, const LabelledSet& data,
                                 int64_t runs, int64_t bad = 50)
{
    FinishedBatch batch;
    batch.number = number;
    batch.predictions.resize(size_t(runs));
    batch.seconds.assign(size_t(runs), 0.25);
    const auto files = int64_t(data.files.size());
    for (int64_t i = number * settings.batch; i < std::min(files, (number + 1) * settings.batch); ++i) {
        if (bad > 0 && i % bad == bad - 1) {
            batch.unreadable.push_back({i, "it is empty."});
            continue;
        }
        batch.samples.push_back(i);
        for (int64_t run = 0; run < runs; ++run)
            batch.predictions[size_t(run)].push_back(
                madeUpPrediction(run, i, data.files[size_t(i)].label, int64_t(data.classes.size())));
    }
    return batch;
}

inline int64_t batchesOf(const EvaluationSettings& settings, const LabelledSet& data)
{
    return (int64_t(data.files.size()) + settings.batch - 1) / settings.batch;
}

/// Adds what is missing, at most `limit` batches (−1: all). Returns the evaluation's id.
inline int64_t evaluateMadeUp(ResultStore& store, const EvaluationSettings& settings, const LabelledSet& data,
                              const std::vector<StoredRun>& runs, int64_t limit = -1)
{
    const int64_t id = store.begin(settings, data, runs, true);
    const auto finished = store.finishedBatches(id);
    for (int64_t number = 0; number < batchesOf(settings, data); ++number) {
        const bool mine = number % settings.shard.count == settings.shard.index - 1;
        if (!mine || std::find(finished.begin(), finished.end(), number) != finished.end())
            continue;
        if (limit-- == 0) {
            store.setState(id, EvaluationState::Interrupted);
            return id;
        }
        store.add(id, madeUpBatch(number, settings, data, int64_t(runs.size())));
    }
    store.setState(id, EvaluationState::Finished);
    return id;
}

}

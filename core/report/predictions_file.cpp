#include "core/report/predictions_file.h"

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/figure/markup.h"
#include "core/report/npz.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace attnscope {

namespace {

constexpr size_t kept = SamplePrediction::kept;

struct ChosenRun {
    const StoredEvaluation* evaluation = nullptr;
    const StoredRun* run = nullptr;
};

std::vector<ChosenRun> chosenRuns(const std::vector<StoredEvaluation>& evaluations, const ReportOptions& options)
{
    std::vector<ChosenRun> chosen;
    for (const StoredEvaluation& evaluation : evaluations)
        for (const StoredRun& run : evaluation.runs)
            if (run.attention.starts_with(options.attention))
                chosen.push_back({&evaluation, &run});
    return chosen;
}

/// Writes a text in blocks.
class TextFile {
public:
    explicit TextFile(const std::filesystem::path& target)
        : m_file(target)
    {}

    void write(std::string_view text)
    {
        constexpr size_t block = size_t{1} << 20;
        m_waiting += text;
        if (m_waiting.size() >= block)
            flush();
    }
    void commit()
    {
        flush();
        m_file.commit();
    }

private:
    void flush()
    {
        m_file.write(std::as_bytes(std::span(m_waiting)));
        m_waiting.clear();
    }

    AtomicFile m_file;
    std::string m_waiting;
};

/// Nothing for what is not there: a sample whose logits were not finite has no class, a network of three classes no fourth.
std::string classNumber(int32_t number)
{
    return number < 0 ? "" : std::to_string(number);
}

std::string probabilityText(float probability, bool there)
{
    return !there ? "" : std::isnan(probability) ? "nan" : fmt::format("{}", probability);
}

std::string className(const std::vector<std::string>& names, int64_t number)
{
    return number >= 0 && number < std::ssize(names) ? names[size_t(number)] : "";
}

PredictionCounts writeCsv(const ResultStore& store, const std::vector<ChosenRun>& runs,
                          const std::filesystem::path& out)
{
    TextFile file(out);
    std::vector<std::string> header{"evaluation", "model", "weights_file", "attention",        "path",
                                    "label",      "class", "rank",         "label_probability"};
    for (size_t place = 1; place <= kept; ++place)
        for (const char* what : {"prediction", "class", "probability"})
            header.push_back(what + std::to_string(place));
    header.emplace_back("squared_probabilities");
    file.write(csvLine(header));
    PredictionCounts counts;
    for (const auto& [evaluation, run] : runs) {
        const std::vector<std::string> names = store.classes(evaluation->id);
        const std::vector<std::string> origin{std::to_string(evaluation->id), evaluation->settings.model,
                                              evaluation->settings.weights, run->attention};
        store.eachPrediction(run->id, [&](const StoredSample& sample) {
            const SamplePrediction& prediction = *sample.predictions.front();
            const bool finite = prediction.classes.front() >= 0;
            std::vector<std::string> cells = origin;
            cells.insert(cells.end(), {sample.path, std::to_string(sample.label), className(names, sample.label),
                                       finite ? std::to_string(prediction.labelRank) : "",
                                       probabilityText(prediction.labelProbability, finite)});
            for (size_t place = 0; place < kept; ++place)
                cells.insert(cells.end(),
                             {classNumber(prediction.classes[place]), className(names, prediction.classes[place]),
                              probabilityText(prediction.probabilities[place], prediction.classes[place] >= 0)});
            const float squares = prediction.squaredProbabilities;
            cells.push_back(probabilityText(squares, finite && !std::isnan(squares)));
            file.write(csvLine(cells));
            ++counts.predictions;
        });
        ++counts.runs;
    }
    file.commit();
    return counts;
}

Json predictionJson(const StoredSample& sample)
{
    const SamplePrediction& prediction = *sample.predictions.front();
    const bool finite = prediction.classes.front() >= 0;
    Json classes = Json::array(), probabilities = Json::array();
    for (size_t place = 0; place < kept && prediction.classes[place] >= 0; ++place) {
        classes.push_back(prediction.classes[place]);
        probabilities.push_back(finiteOrNull(prediction.probabilities[place]));
    }
    return {{"path", jsonPath(sample.path)},
            {"label", sample.label},
            {"rank", finite ? Json(prediction.labelRank) : Json(nullptr)},
            {"label_probability", finite ? finiteOrNull(prediction.labelProbability) : Json(nullptr)},
            {"squared_probabilities", finite ? finiteOrNull(prediction.squaredProbabilities) : Json(nullptr)},
            {"classes", std::move(classes)},
            {"probabilities", std::move(probabilities)}};
}

PredictionCounts writeJson(const ResultStore& store, const std::vector<ChosenRun>& runs,
                           const std::filesystem::path& out)
{
    TextFile file(out);
    PredictionCounts counts;
    file.write("{\"runs\": [");
    for (const auto& [evaluation, run] : runs) {
        Json json{{"evaluation", evaluation->id},
                  {"model", evaluation->settings.model},
                  {"weights", jsonPath(evaluation->settings.weights)},
                  {"weights_sha256", evaluation->settings.weightsHash},
                  {"data", jsonPath(evaluation->dataRoot)},
                  {"data_sha256", evaluation->dataHash},
                  {"attention", run->attention},
                  {"keep", evaluation->settings.keep},
                  {"class_names", store.classes(evaluation->id)}};
        std::string head = json.dump();
        head.pop_back();
        file.write((counts.runs == 0 ? "\n" : ",\n") + head + ", \"predictions\": [");
        bool first = true;
        store.eachPrediction(run->id, [&](const StoredSample& sample) {
            file.write((first ? "\n " : ",\n ") + predictionJson(sample).dump());
            first = false;
            ++counts.predictions;
        });
        file.write("]}");
        ++counts.runs;
    }
    file.write("]}\n");
    file.commit();
    return counts;
}

/// Those of the runs that keep them, if there is one; NaN for the others.
void addLogits(NpzFile& file, const ResultStore& store, const std::vector<ChosenRun>& runs,
               const std::map<int64_t, size_t>& places)
{
    if (std::ranges::all_of(runs, [](const ChosenRun& run) { return run.evaluation->settings.keep.empty(); }))
        return;
    size_t classes = 0;
    std::vector<float> all;
    for (size_t run = 0; run < runs.size(); ++run)
        store.eachLogits(runs[run].run->id, [&](int64_t sample, const std::vector<float>& logits) {
            const auto place = places.find(sample);
            if (all.empty()) {
                classes = logits.size();
                file.requireRoom(runs.size() * places.size() * classes * sizeof(float));
                all.assign(runs.size() * places.size() * classes, std::numeric_limits<float>::quiet_NaN());
            }
            if (place != places.end() && logits.size() == classes)
                std::ranges::copy(logits,
                                  all.begin() + ptrdiff_t((run * places.size() + place->second) * classes));
        });
    file.add("logits", {std::ssize(runs), std::ssize(places), int64_t(classes)}, all);
}

PredictionCounts writeNpz(const ResultStore& store, const std::vector<ChosenRun>& runs,
                          const std::filesystem::path& out)
{
    NpzFile file(out);
    std::vector<int64_t> evaluationIds;
    std::vector<std::string> models, weights, attention;
    std::map<int64_t, std::pair<std::string, int64_t>> samples;  // path and label
    PredictionCounts counts;
    for (const auto& [evaluation, run] : runs) {
        if (evaluation->dataHash != runs.front().evaluation->dataHash)
            throw UsageError(out.string(),
                             "the selected evaluations are of different data, which arrays cannot hold",
                             "select those of one data set with --evaluation, or write .csv or .json");
        evaluationIds.push_back(evaluation->id);
        models.push_back(evaluation->settings.model);
        weights.push_back(jsonPath(evaluation->settings.weights));
        attention.push_back(run->attention);
        store.eachPrediction(run->id, [&](const StoredSample& sample) {
            samples.try_emplace(sample.sample, jsonPath(sample.path), sample.label);
            ++counts.predictions;
        });
        ++counts.runs;
    }
    std::vector<std::string> paths;
    std::vector<int64_t> labels;
    std::map<int64_t, size_t> places;
    for (const auto& [sample, pathAndLabel] : samples) {
        places[sample] = paths.size();
        paths.push_back(pathAndLabel.first);
        labels.push_back(pathAndLabel.second);
    }
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    const size_t count = paths.size(), all = count * runs.size();
    std::vector<int32_t> ranks(all, -1), classes(all * kept, -1);
    std::vector<float> labelProbabilities(all, none), squares(all, none), probabilities(all * kept, none);
    for (size_t run = 0; run < runs.size(); ++run)
        store.eachPrediction(runs[run].run->id, [&](const StoredSample& sample) {
            const SamplePrediction& prediction = *sample.predictions.front();
            if (prediction.classes.front() < 0)
                return;
            const size_t place = run * count + places.at(sample.sample);
            ranks[place] = prediction.labelRank;
            labelProbabilities[place] = prediction.labelProbability;
            squares[place] = prediction.squaredProbabilities;
            for (size_t i = 0; i < kept && prediction.classes[i] >= 0; ++i) {
                classes[place * kept + i] = prediction.classes[i];
                probabilities[place * kept + i] = prediction.probabilities[i];
            }
        });
    const auto runCount = std::ssize(runs), sampleCount = int64_t(count);
    file.add("evaluation", {runCount}, evaluationIds);
    file.add("model", models);
    file.add("weights", weights);
    file.add("attention", attention);
    file.add("path", paths);
    file.add("label", {sampleCount}, labels);
    file.add("class_names", store.classes(runs.front().evaluation->id));
    file.add("rank", {runCount, sampleCount}, ranks);
    file.add("label_probability", {runCount, sampleCount}, labelProbabilities);
    file.add("squared_probabilities", {runCount, sampleCount}, squares);
    file.add("classes", {runCount, sampleCount, int64_t(kept)}, classes);
    file.add("probabilities", {runCount, sampleCount, int64_t(kept)}, probabilities);
    addLogits(file, store, runs, places);
    file.commit();
    return counts;
}

}

void checkPredictionsName(const std::filesystem::path& out)
{
    const std::string suffix = out.extension().string();
    if (suffix != ".csv" && suffix != ".json" && suffix != ".npz")
        throw UsageError(out.string(), "the file extension selects the format: CSV, JSON or NumPy's arrays",
                         "use .csv, .json or .npz");
}

PredictionCounts writePredictions(const ResultStore& store, const ReportOptions& options,
                                  const std::filesystem::path& out)
{
    checkPredictionsName(out);
    const std::vector<StoredEvaluation> evaluations = chosenEvaluations(store, options);
    const std::vector<ChosenRun> runs = chosenRuns(evaluations, options);
    const std::string suffix = out.extension().string();
    return suffix == ".csv"    ? writeCsv(store, runs, out)
           : suffix == ".json" ? writeJson(store, runs, out)
                               : writeNpz(store, runs, out);
}

}

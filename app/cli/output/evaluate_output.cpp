#include "app/cli/output/evaluate_output.h"

#include "app/cli/output/table_output.h"
#include "core/attention/network/attention_title.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/report/published_accuracy.h"
#include "core/report/result_tables.h"
#include "core/run/record_json.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace attnscope::cli {

namespace {

/// Of a run: of forward passes alone, since several attentions share the reading.
double perSecond(int64_t samples, double seconds)
{
    return seconds > 0 ? double(samples) / seconds : 0;
}

Json calibrationJson(const Accuracy& accuracy, const Calibration& calibration)
{
    Json json = Json::object();
    const Measurements measured{.accuracy = accuracy, .calibration = &calibration};
    for (const Measure& each : calibrationMeasures()) {
        const auto value = each.of(measured);
        json[std::string(each.key)] = value ? finiteOrNull(value->mid) : Json(nullptr);
    }
    json["calibration"] = {{"samples", calibration.samples()},
                           {"zero_probabilities", calibration.zeroProbabilities()},
                           {"bins", jsonList(calibration.bins(), [](const CalibrationBin& bin) {
                                return Json{{"samples", bin.accuracy.samples},
                                            {"confidence", finiteOrNull(bin.confidence())},
                                            {"accuracy", bin.accuracy.value()}};
                            })}};
    return json;
}

Json runJson(const ScoreReader& reader, const StoredRun& run, const StoredEvaluation& evaluation,
             const Json& unreadable)
{
    const ScoreReader::Scores& scores = reader.of(run, evaluation);
    const Accuracy accuracy = reader.store.accuracy(run.id);
    const Interval interval = accuracy.interval(), interval5 = accuracy.top5().interval();
    Json json{{"attention", run.attention}, {"model", evaluation.settings.model}};
    json.update(accuracyJson(accuracy));
    json.update(calibrationJson(accuracy, scores.calibration));
    json.update({{"unreadable", unreadable},
                 {"not_finite", reader.store.notFinite(run.id)},
                 {"interval95", {interval.low, interval.high}},
                 {"interval95_top5", {interval5.low, interval5.high}},
                 {"resolved", run.resolved},
                 {"weights", toText(run.weights)},
                 {"images_per_second", perSecond(accuracy.samples, run.seconds)},
                 {"latency_ms", run.latency ? toJson(*run.latency) : Json()},
                 {"memory_bytes", run.memory ? toJson(*run.memory) : Json()}});
    addPartsOfNetwork(run.resolved, json);
    if (scores.protocol)
        json["protocol"] = toJson(*scores.protocol);
    if (const Cell published = publishedCell(evaluation, run); published.value)
        json["published"] = {{"top1", *published.value}, {"source", english(published.small)}};
    if (run.error)
        json["error"] = {{"mse", run.error->mse}, {"relative", run.error->relative}};
    if (run.emptyRows)
        json["empty_rows"] = *run.emptyRows;
    if (!run.notes.empty())
        json["notes"] = run.notes;
    if (!run.failure.empty())
        json["failure"] = run.failure;
    return json;
}

std::vector<RunPair> pairsOf(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations)
{
    std::vector<int64_t> runs;
    for (const StoredEvaluation& evaluation : evaluations)
        std::ranges::transform(evaluation.runs, std::back_inserter(runs), &StoredRun::id);
    return store.pairs(runs);
}

std::map<int64_t, std::string> namesOf(const std::vector<StoredEvaluation>& evaluations)
{
    std::map<int64_t, std::string> names;
    for (const StoredEvaluation& evaluation : evaluations)
        for (const StoredRun& run : evaluation.runs)
            names[run.id] = run.attention;
    return names;
}

Json pairsJson(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations)
{
    const auto names = namesOf(evaluations);
    return jsonList(pairsOf(store, evaluations), [&](const RunPair& pair) {
        return Json{{"a", names.at(pair.a)},
                    {"b", names.at(pair.b)},
                    {"difference", pair.difference()},
                    {"interval95", {pair.difference95.low, pair.difference95.high}},
                    {"mcnemar_p", pair.mcnemarP},
                    {"mcnemar_p_holm", pair.holmP},
                    {"samples", pair.samples()},
                    {"both_right", pair.bothRight},
                    {"only_a", pair.onlyA},
                    {"only_b", pair.onlyB},
                    {"both_wrong", pair.bothWrong},
                    {"same_answer", pair.samePrediction}};
    });
}

Json samplesJson(const std::vector<UnreadableSample>& samples)
{
    return jsonList(samples, [](const UnreadableSample& sample) {
        return Json{{"path", jsonPath(sample.path)}, {"reason", sample.reason}};
    });
}

Json evaluationSettings(const ResultStore& store, const StoredEvaluation& evaluation)
{
    const EvaluationSettings& settings = evaluation.settings;
    return {{"id", evaluation.id},
            {"state", toText(evaluation.state)},
            {"data", jsonPath(evaluation.dataRoot)},
            {"layout", folderLayoutName(evaluation.layout)},
            {"data_hash", evaluation.dataHash},
            {"samples", evaluation.samples},
            {"done", evaluation.done},
            {"unreadable", evaluation.unreadable},
            {"weights", jsonPath(settings.weights)},
            {"weights_hash", settings.weightsHash},
            {"transform", settings.transform},
            {"views", settings.views},
            {"sampling", settings.sampling},
            {"reading", settings.reading},
            {"protocol", settings.protocol},
            {"keep", settings.keep},
            {"dtype", settings.dtype},
            {"device", settings.device},
            {"threads", settings.threads},
            {"batch", settings.batch},
            {"limit", settings.limit},
            {"seed", settings.seed},
            {"shard", fmt::format("{}/{}", settings.shard.index, settings.shard.count)},
            {"decoder", settings.decoder},
            {"notes", settings.notes},
            {"issues", toJson(settings.issues)},
            {"partial", samplesJson(store.partial(evaluation.id))},
            {"seconds", evaluation.seconds},
            {"samples_per_second", perSecond(evaluation.done, evaluation.seconds)}};
}

std::string runTable(const ResultStore& store, const StoredEvaluation& evaluation)
{
    Table table{.columns = runColumns()};
    table.columns.insert(table.columns.begin(), {"Attention"});
    table.columns.insert(table.columns.end(),
                         {{"Unreadable", {}, true}, {"Samples/s", {}, true}, {"Published top-1", {}, true}});
    const std::vector<Cell> names = attentionCellsOf(evaluation.runs);
    for (const StoredRun& run : evaluation.runs) {
        const Accuracy accuracy = store.accuracy(run.id);
        std::vector<Cell> cells = runCells(run, accuracy);
        // Neighbours in a list have much in common: of some batches an interval would be too narrow.
        if (evaluation.done != evaluation.samples)
            cells[1].small = "so far", cells[2].small = {};
        cells.insert(cells.begin(), names[table.rows.size()]);
        const double speed = perSecond(accuracy.samples, run.seconds);
        cells.insert(cells.end(), {countCell(evaluation.unreadable),
                                   speed > 0 ? numberCell(speed, fmt::format("{:.3g}", speed)) : Cell(),
                                   publishedCell(evaluation, run)});
        table.add(std::move(cells));
    }
    return terminalTable(table);
}

/// Of protocols that define more than accuracy.
std::string protocolTable(const ScoreReader& reader, const StoredEvaluation& evaluation)
{
    std::vector<ProtocolScores> scores;
    for (const StoredRun& run : evaluation.runs)
        if (const auto& one = reader.of(run, evaluation).protocol)
            scores.push_back(*one);
    return scores.empty()
               ? ""
               : "\n" + terminalTable(attnscope::protocolTable(scores, attentionCellsOf(evaluation.runs)));
}

std::string calibrationTable(const ScoreReader& reader, const StoredEvaluation& evaluation)
{
    std::vector<NamedRun> runs;
    const std::vector<Cell> names = attentionCellsOf(evaluation.runs);
    std::string notes;
    for (const StoredRun& run : evaluation.runs) {
        const Calibration& calibration = reader.of(run, evaluation).calibration;
        runs.push_back({names[runs.size()], measurementsOf(run, reader.store.accuracy(run.id))});
        runs.back().measured.calibration = &calibration;
        if (calibration.zeroProbabilities() > 0)
            notes += fmt::format(
                "  {}: the true class of {} has the probability 0; NLL takes the smallest float\n", run.attention,
                formatCounted(calibration.zeroProbabilities(), "sample"));
    }
    const Table table = calibrationTable(runs);
    return table.rows.empty() ? "" : "\n" + terminalTable(table) + notes;
}

std::string pairTable(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations)
{
    std::vector<RunPair> pairs = pairsOf(store, evaluations);
    std::erase_if(pairs, [](const RunPair& pair) { return pair.samples() == 0; });
    std::map<int64_t, Cell> names;
    for (const auto& [run, name] : namesOf(evaluations))
        names[run] = {name};
    return pairs.empty() ? "" : "\n" + terminalTable(pairTable(pairs, names));
}

/// " · 1x3 views, ssv2 sampling · --rotation apply": of videos, and where something is not the default.
std::string readingText(const EvaluationSettings& settings)
{
    std::string text;
    if (!settings.views.empty())
        text = " · " + settings.views + " views"
               + (settings.sampling.empty() ? "" : ", " + settings.sampling + " sampling");
    return text + (settings.reading.empty() ? "" : " · " + settings.reading);
}

std::string headline(const ResultStore& store, const StoredEvaluation& evaluation)
{
    const EvaluationSettings& settings = evaluation.settings;
    std::string text = fmt::format("{} on {}: {} of {}", emphasised(printable(settings.model)),
                                   printable(evaluation.dataRoot), formatCount(evaluation.done),
                                   formatCounted(evaluation.samples, "sample"));
    if (settings.shard.count > 1)
        text += fmt::format(", part {} of {}", settings.shard.index, settings.shard.count);
    text += fmt::format(", {}\n", toText(evaluation.state));
    text += fmt::format("weights {} · {}, {} · {} · seed {} · {}{} · batch size {}\n", printable(settings.weights),
                        settings.device, counted(settings.threads, "thread"), settings.dtype, settings.seed,
                        settings.transform, readingText(settings), settings.batch);
    for (const std::string& note : settings.notes)
        text += "  " + printable(note) + "\n";
    if (const auto partial = store.partial(evaluation.id); !partial.empty())
        text += fmt::format("  {} read in part, of which the first is {}: {}\n",
                            formatCounted(std::ssize(partial), "video was", "videos were"),
                            printable(partial.front().path), partial.front().reason);
    return text + "\n";
}

std::string notesOf(const ResultStore& store, const StoredEvaluation& evaluation)
{
    std::string text;
    for (const StoredRun& run : evaluation.runs)
        if (const int64_t samples = store.notFinite(run.id); samples > 0)
            text += fmt::format("  {}: {} of {} without a prediction, because logits are not finite\n",
                                run.attention, formatCount(samples),
                                counted(store.accuracy(run.id).samples, "sample"));
    for (const std::string& note : notesOnce(evaluation.runs))
        text += "  " + note + "\n";
    for (const StoredRun& run : evaluation.runs)
        if (!run.failure.empty())
            text += fmt::format("  {} stopped: {}\n", run.attention, run.failure);
    return text;
}

}

const ScoreReader::Scores& ScoreReader::of(const StoredRun& run, const StoredEvaluation& evaluation) const
{
    const auto [known, isNew] = m_known.try_emplace(run.id);
    if (isNew)
        known->second = {store.calibration(run.id), protocolScores(store, evaluation, run)};
    return known->second;
}

Json evaluationJson(const ScoreReader& reader, const StoredEvaluation& evaluation)
{
    const ResultStore& store = reader.store;
    const Json unreadable = samplesJson(store.unreadable(evaluation.id, 0, -1));
    Json runs = Json::array();
    for (const StoredRun& run : evaluation.runs)
        runs.push_back(runJson(reader, run, evaluation, unreadable));
    return {{"evaluation", evaluationSettings(store, evaluation)},
            {"runs", std::move(runs)},
            {"pairs", pairsJson(store, {evaluation})}};
}

Json evaluationsJson(const ScoreReader& reader, const std::vector<StoredEvaluation>& evaluations)
{
    return jsonList(evaluations,
                    [&](const StoredEvaluation& evaluation) { return evaluationJson(reader, evaluation); });
}

Json networksJson(const ScoreReader& reader, const std::vector<StoredEvaluation>& networks)
{
    Json json = evaluationJson(reader, networks.front());
    if (networks.size() > 1) {
        json["evaluations"] = evaluationsJson(reader, {networks.begin() + 1, networks.end()});
        json["pairs"] = pairsJson(reader.store, networks);
    }
    return json;
}

std::string evaluationTables(const ScoreReader& reader, const std::vector<StoredEvaluation>& networks)
{
    const ResultStore& store = reader.store;
    std::string text;
    for (const StoredEvaluation& evaluation : networks)
        text += (text.empty() ? "" : "\n") + headline(store, evaluation) + runTable(store, evaluation)
                + notesOf(store, evaluation) + calibrationTable(reader, evaluation)
                + protocolTable(reader, evaluation);
    return text + pairTable(store, networks);
}

Json estimateJson(const EvaluationEstimate& estimate, const EvaluationRequest& request)
{
    Json attentions = Json::array();
    for (size_t i = 0; i < request.attention.size(); ++i)
        attentions.push_back(
            {{"attention", request.attention[i].canonical()}, {"seconds", estimate.secondsOfAttention[i]}});
    return {{"dry_run", true},
            {"samples", estimate.samples},
            {"done", estimate.done},
            {"unreadable", estimate.unreadable},
            {"seconds", estimate.secondsPerSample * double(estimate.samples - estimate.done)},
            {"seconds_per_sample", estimate.secondsPerSample},
            {"attentions", std::move(attentions)},
            {"store_bytes", estimate.storeBytes},
            {"free_bytes", estimate.freeBytes},
            {"notes", estimate.notes},
            {"issues", toJson(request.data.issues)}};
}

std::string describeEstimate(const EvaluationEstimate& estimate, const EvaluationRequest& request)
{
    const LabelledSet& data = request.data;
    std::string text = fmt::format("{}: {} {} to evaluate, layout {}", printable(data.root),
                                   formatCount(estimate.samples), data.video ? "videos" : "images",
                                   folderLayoutName(data.layout));
    if (estimate.done > 0)
        text += fmt::format(", {} already done", formatCount(estimate.done));
    text += "\n";
    for (const std::string& note : estimate.notes)
        text += "  " + printable(note) + "\n";
    for (const std::string& sentence : estimate.unreadable)
        text += "  unreadable: " + sentence + "\n";
    Table table = tableOf({"attention", ">for all samples"});
    for (size_t i = 0; i < request.attention.size(); ++i)
        table.addTexts({request.attention[i].canonical(), formatRemaining(estimate.secondsOfAttention[i])});
    text += "\n" + terminalTable(table) + "\n";
    text += fmt::format("total including reading: {}; results take {} of the {} available\n",
                        formatRemaining(estimate.secondsPerSample * double(estimate.samples - estimate.done)),
                        formatBytes(estimate.storeBytes).text(),
                        formatBytes(std::max<int64_t>(estimate.freeBytes, 0)).text());
    return text;
}

}

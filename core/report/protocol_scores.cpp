#include "core/report/protocol_scores.h"

#include "core/data/dataset/imagenet_metadata.h"
#include "core/data/dataset/list_text.h"
#include "core/data/dataset/protocol.h"
#include "core/store/data_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace attnscope {

namespace {

/// Σ over thresholds of (recall − recall before) · precision; samples of one score are taken together.
std::optional<double> averagePrecision(std::vector<std::pair<float, bool>> scores)
{
    std::ranges::sort(scores, std::greater<>(), &std::pair<float, bool>::first);
    const auto all = std::ranges::count(scores, true, &std::pair<float, bool>::second);
    if (all == 0 || all == std::ssize(scores))
        return std::nullopt;
    double sum = 0;
    int64_t seen = 0, found = 0;
    for (auto group = scores.begin(); group != scores.end();) {
        const auto end = std::find_if(group, scores.end(),
                                      [&](const auto& sample) { return sample.first != group->first; });
        const auto here = std::count_if(group, end, [](const auto& sample) { return sample.second; });
        seen += end - group;
        found += here;
        sum += double(here) / double(all) * double(found) / double(seen);
        group = end;
    }
    return sum;
}

using Counts = std::map<std::string, Accuracy>;  // by corruption and severity

std::vector<CorruptionErrors> errorsOf(const Counts& counts)
{
    std::vector<CorruptionErrors> all;
    for (const Corruption& corruption : corruptions()) {
        CorruptionErrors errors{.name = corruption.name};
        double sum = 0;
        size_t found = 0;
        for (size_t i = 0; i < CorruptionErrors::severities; ++i) {
            const auto count = counts.find(fmt::format("{}/{}", corruption.name, i + 1));
            if (count == counts.end())
                continue;
            errors.top1[i] = 1 - count->second.value();
            sum += *errors.top1[i];
            ++found;
        }
        if (found == CorruptionErrors::severities)
            errors.relative = 100 * sum / double(found) / corruption.reference;
        if (found > 0)
            all.push_back(errors);
    }
    return all;
}

/// Negative: there is no prediction.
void countAction(std::array<Proportion, 3>& counts, int64_t prediction, int64_t label)
{
    const bool verb = prediction >= 0 && prediction / kitchenNouns == label / kitchenNouns;
    const bool noun = prediction >= 0 && prediction % kitchenNouns == label % kitchenNouns;
    for (size_t i = 0; const bool right : {verb, noun, verb && noun}) {
        ++counts[i].samples;
        counts[i++].correct += right ? 1 : 0;
    }
}

Cell tenthsCell(const std::optional<double>& percent)
{
    return percent ? numberCell(*percent, fmt::format("{:.1f}", *percent)) : Cell();
}

}

std::optional<ProtocolScores> protocolScores(const ResultStore& store, const StoredEvaluation& evaluation,
                                             const StoredRun& run)
{
    const std::string& protocol = evaluation.settings.protocol;
    Counts counts;
    std::vector<std::pair<float, bool>> outliers;
    const bool pairs = protocol == "epic100";
    if (!hasGroups(protocol) && !pairs)
        return std::nullopt;
    ProtocolScores scores;
    if (pairs)
        scores.actions.emplace();
    store.eachPrediction(run.id, [&](const StoredSample& sample) {
        const SamplePrediction& prediction = *sample.predictions.front();
        if (pairs)
            return countAction(*scores.actions, prediction.classes.front(), sample.label);
        const std::string stored = storedPath(sample.path, baseFolder(evaluation.dataRoot, evaluation.layout));
        const std::string group = protocolGroup(protocol, stored);
        counts[group].count(prediction.labelRank);
        outliers.emplace_back(-prediction.probabilities.front(), group == outlierGroup);
    });
    scores.corruptions = errorsOf(counts);
    const auto& all = scores.corruptions;
    if (all.size() == corruptions().size()
        && std::ranges::all_of(all, [](const auto& one) { return one.relative.has_value(); }))
        scores.meanCorruptionError = std::accumulate(
                                         all.begin(), all.end(), 0.0,
                                         [](double sum, const auto& one) { return sum + *one.relative; })
                                     / double(all.size());
    if (counts.contains(outlierGroup))
        scores.outlierPrecision = averagePrecision(std::move(outliers));
    return scores;
}

Json toJson(const ProtocolScores& scores)
{
    const auto optional = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    Json json = Json::object();
    if (scores.outlierPrecision)
        json["aupr"] = *scores.outlierPrecision;
    for (size_t i = 0; const char* key : {"verb_top1", "noun_top1", "action_top1"})
        if (scores.actions)
            json[key] = (*scores.actions)[i++].value();
    if (scores.corruptions.empty())
        return json;
    json["mce"] = optional(scores.meanCorruptionError);
    json["corruptions"] = jsonList(scores.corruptions, [&](const CorruptionErrors& errors) {
        return Json{{"corruption", errors.name},
                    {"errors", jsonList(errors.top1, optional)},
                    {"ce", optional(errors.relative)}};
    });
    return json;
}

Table protocolTable(const std::vector<ProtocolScores>& runs, const std::vector<Cell>& names)
{
    Table table{.columns = {{ATTN_TEXT("Corruption")}}};
    for (const Cell& name : names)
        table.columns.push_back({.title = name.text, .number = true});
    const auto addRow = [&](const Text& title, const auto& value) {
        std::vector<Cell> cells{{title}};
        for (const ProtocolScores& run : runs)
            cells.push_back(tenthsCell(value(run)));
        table.add(std::move(cells));
    };
    if (runs.empty())
        return table;
    for (const CorruptionErrors& errors : runs.front().corruptions)
        addRow(errors.name, [&](const ProtocolScores& run) {
            const auto same = std::ranges::find(run.corruptions, errors.name, &CorruptionErrors::name);
            return same == run.corruptions.end() ? std::nullopt : same->relative;
        });
    if (!runs.front().corruptions.empty())
        addRow(ATTN_TEXT("Mean corruption error (mCE, %)"),
               [](const ProtocolScores& run) { return run.meanCorruptionError; });
    if (runs.front().actions) {
        const auto part = [](size_t i) {
            return [i](const ProtocolScores& run) {
                return run.actions ? std::optional(100 * (*run.actions)[i].value()) : std::nullopt;
            };
        };
        table.columns.front() = {ATTN_TEXT("Actions")};
        addRow(ATTN_TEXT("Verb top-1 (%)"), part(0));
        addRow(ATTN_TEXT("Noun top-1 (%)"), part(1));
        addRow(ATTN_TEXT("Action top-1 (%)"), part(2));
    }
    if (runs.front().outlierPrecision) {
        table.columns.front() = {ATTN_TEXT("Outliers")};
        addRow(ATTN_TEXT("Area under precision and recall (%)"), [](const ProtocolScores& run) {
            return run.outlierPrecision ? std::optional(100 * *run.outlierPrecision) : std::nullopt;
        });
    }
    return table;
}

}

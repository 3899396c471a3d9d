#include "core/base/error.h"
#include "core/base/text.h"
#include "core/lab/networks/network_comparison.h"
#include "core/run/record_json.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attnscope {

namespace {

/// The block of the second network that this one is most alike to; the end: no CKA is a number.
std::vector<double>::const_iterator mostAlike(const std::vector<double>& row)
{
    auto best = row.end();
    for (auto one = row.begin(); one != row.end(); ++one)
        if (std::isfinite(*one) && (best == row.end() || *one > *best))
            best = one;
    return best;
}

}

Table blockTable(const NetworkComparison& comparison)
{
    Table table{
        .columns = {{ATTN_TEXT("Block")},
                    {ATTN_TEXT("Drift"), ATTN_TEXT("Relative difference of the block's output"), true},
                    {ATTN_TEXT("CKA, same place"),
                     ATTN_TEXT("Linear centred kernel alignment with the block of the same number"), true},
                    {ATTN_TEXT("Most alike"), ATTN_TEXT("The block of the other network with the largest CKA")},
                    {.title = ATTN_TEXT("CKA"), .number = true}}};
    for (size_t i = 0; i < comparison.firstBlocks.size(); ++i) {
        std::vector<Cell> cells(5);
        cells[0] = {comparison.firstBlocks[i]};
        if (i < comparison.drift.size())
            cells[1] = errorCell(comparison.drift[i]);
        if (i < comparison.cka.size()) {
            const std::vector<double>& row = comparison.cka[i];
            if (i < row.size())
                cells[2] = decimalCell(row[i], 4);
            if (const auto best = mostAlike(row); best != row.end()) {
                cells[3] = {comparison.secondBlocks[size_t(best - row.begin())]};
                cells[4] = decimalCell(*best, 4);
            }
        }
        table.add(std::move(cells));
    }
    return table;
}

Table weightTable(const NetworkComparison& comparison, size_t count)
{
    std::vector<const TensorDifference*> different;
    for (const TensorDifference& one : comparison.weights)
        if (one.largest != 0)
            different.push_back(&one);
    std::ranges::stable_sort(different, std::greater(), &TensorDifference::relative);
    different.resize(std::min(different.size(), count));
    Table table{.columns = {{ATTN_TEXT("Tensor")},
                            {ATTN_TEXT("Shape")},
                            {ATTN_TEXT("Relative difference"),
                             ATTN_TEXT("Norm of the difference over the first's norm"), true},
                            {.title = ATTN_TEXT("Largest change"), .number = true}}};
    for (const TensorDifference* one : different)
        table.add({{one->name}, {joinedSizes(one->shape)}, errorCell(one->relative), errorCell(one->largest)});
    return table;
}

Table descriptionTable(const NetworkComparison& comparison)
{
    Table table{.columns = {{ATTN_TEXT("Key")}, {ATTN_TEXT("First network")}, {ATTN_TEXT("Second network")}}};
    for (const DescriptionDifference& one : comparison.description)
        table.addTexts({one.key, one.first, one.second});
    return table;
}

Chart blockDrift(const NetworkComparison& comparison)
{
    Chart chart{.title = "Drift of every block's output",
                .caption = "relative difference of block outputs, mean over "
                           + counted(std::ssize(comparison.inputs), "input"),
                .x = {.title = "block"},
                .y = {.title = "relative difference", .low = 0}};
    ChartSeries series{.name = comparison.second.name + ", " + comparison.secondAttention,
                       .backend = AttentionSpec::parse(comparison.secondAttention).layer(0).backend()};
    for (size_t i = 0; i < comparison.drift.size(); ++i)
        series.points.push_back(
            {.x = double(i),
             .y = comparison.drift[i],
             .title = comparison.firstBlocks[i] + ": " + english(errorCell(comparison.drift[i]).text)});
    chart.series.push_back(std::move(series));
    return chart;
}

HeatMap ckaMap(const NetworkComparison& comparison)
{
    if (comparison.cka.empty())
        throw UsageError("--figure", comparison.whyNoCka, "give more of them");
    HeatMap map{.title = "Linear CKA of " + comparison.first.name + " and " + comparison.second.name,
                .caption = "unbiased, over " + counted(std::ssize(comparison.inputs), "input"),
                .rowTitle = comparison.first.name + ", " + comparison.firstAttention,
                .columnTitle = comparison.second.name + ", " + comparison.secondAttention,
                .rows = comparison.firstBlocks,
                .columns = comparison.secondBlocks,
                .low = 0,
                .high = 1};
    for (const std::vector<double>& row : comparison.cka)
        for (const double value : row) {
            map.values.push_back(value);
            map.labels.push_back(std::isfinite(value) ? english(decimalCell(value, 2).text) : "");
        }
    return map;
}

Json toJson(const NetworkComparison& comparison)
{
    const auto side = [](const ModelSummary& model, const std::string& attention, const std::string& dtype) {
        return Json{{"model", model.name},
                    {"family", model.family},
                    {"weights", jsonPath(model.weightsSource)},
                    {"attention", attention},
                    {"dtype", dtype}};
    };
    Json json{
        {"first", side(comparison.first, comparison.firstAttention, comparison.firstDtype)},
        {"second", side(comparison.second, comparison.secondAttention, comparison.secondDtype)},
        {"inputs", jsonList(comparison.inputs, [](const InputRecord& input) { return jsonPath(input.path); })},
        {"unreadable", toJson(comparison.unreadable)},
        {"blocks", {{"first", comparison.firstBlocks}, {"second", comparison.secondBlocks}}},
        {"drift", finiteOrNull(comparison.drift)}};
    json["cka"] = comparison.cka.empty()
                      ? Json(nullptr)
                      : jsonList(comparison.cka, [](const std::vector<double>& row) { return finiteOrNull(row); });
    if (!comparison.whyNoCka.empty())
        json["why_no_cka"] = comparison.whyNoCka;
    json["matched_classes"] = comparison.matchedClasses;
    json["kl"] = finiteOrNull(comparison.kl);
    json["top1_agreement"] = finiteOrNull(comparison.agreement);
    json["weights"] = jsonList(comparison.weights, [](const TensorDifference& one) {
        return Json{{"name", one.name},
                    {"shape", one.shape},
                    {"relative", finiteOrNull(one.relative)},
                    {"largest", finiteOrNull(one.largest)}};
    });
    json["only_in_first"] = comparison.onlyInFirst;
    json["only_in_second"] = comparison.onlyInSecond;
    json["description"] = jsonList(comparison.description, [](const DescriptionDifference& one) {
        return Json{{"key", one.key}, {"first", textOrNull(one.first)}, {"second", textOrNull(one.second)}};
    });
    if (!comparison.complete)
        json["interrupted"] = true;
    return json;
}

}

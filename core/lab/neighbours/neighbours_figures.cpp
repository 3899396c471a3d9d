#include "core/lab/neighbours/neighbours_figures.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/data/dataset/data_title.h"
#include "core/figure/marks.h"
#include "core/lab/neighbours/feature_fields.h"
#include "core/run/measures.h"
#include "core/run/record_json.h"

#include <algorithm>
#include <string>

namespace attnscope {

namespace {

Json toJson(const BuiltDatastore& built)
{
    return {
        {"entries", built.entries}, {"bytes", built.bytes}, {"unreadable", attnscope::toJson(built.unreadable)}};
}

Json toJson(const NeighbourAccuracy& accuracy)
{
    return {{"folder", jsonPath(accuracy.folder)},
            {"samples", accuracy.samples},
            {"left_out", accuracy.leftOut},
            {"k", accuracy.k},
            {"mix", accuracy.mix},
            {"points", jsonList(accuracy.points,
                                [&](const NeighbourAccuracyPoint& point) {
                                    const Interval interval = accuracy.at(point).interval();
                                    return Json{{"k", point.k},
                                                {"mix", point.mix},
                                                {"correct", point.correct},
                                                {"top1", accuracy.at(point).value()},
                                                {"interval", {interval.low, interval.high}}};
                                })},
            {"unreadable", attnscope::toJson(accuracy.unreadable)}};
}

Json toJson(const std::vector<Prediction>& predictions)
{
    return jsonList(predictions, [](const Prediction& one) {
        return Json{{"index", one.index}, {"label", one.label}, {"probability", finiteOrNull(one.probability)}};
    });
}

Json toJson(const ImageNeighbours& image)
{
    return {{"path", jsonPath(image.path)},
            {"k", image.k},
            {"mix", image.mix},
            {"left_out", image.leftOut},
            {"neighbours", jsonList(image.neighbours,
                                    [](const ShownNeighbour& one) {
                                        return Json{{"entry", one.entry},       {"path", jsonPath(one.path)},
                                                    {"class", one.label},       {"label", one.className},
                                                    {"distance", one.distance}, {"weight", one.weight}};
                                    })},
            {"model", toJson(image.model)},
            {"retrieved", toJson(image.retrieved)},
            {"mixed", toJson(image.mixed)}};
}

std::string nameOf(const Prediction& prediction)
{
    return printable(prediction.label.empty() ? std::to_string(prediction.index) : prediction.label);
}

Row predictionRow(const Text& by, const std::vector<Prediction>& predictions,
                  const std::optional<std::string>& truth)
{
    const Prediction& first = predictions.front();
    const std::string name = nameOf(first);
    std::vector<std::string> all;
    for (const Prediction& each : predictions)
        all.push_back(nameOf(each) + " " + formatProbability(each.probability));
    return {{{by},
             {.text = truth && printable(*truth) != name ? "≠ " + name : name,
              .fraction = first.probability,
              .help = joined(all, "\n")},
             probabilityCell(first.probability)},
            {},
            by};
}

}

const NeighbourAccuracyPoint* modelAlone(const NeighbourAccuracy& accuracy)
{
    const auto found = std::ranges::find(accuracy.points, 0, &NeighbourAccuracyPoint::mix);
    return found == accuracy.points.end() ? nullptr : &*found;
}

Table neighbourAccuracies(const NeighbourAccuracy& accuracy)
{
    Table table{
        .columns = {
            {"k", ATTN_TEXT("Number of neighbours"), true},
            {"λ", ATTN_TEXT("Weight of the neighbours: 0 is the model alone, 1 the neighbours alone"), true},
            {ATTN_TEXT("Top-1"), ATTN_TEXT("With the 95 % interval (Wilson)"), true},
            {ATTN_TEXT("Gain"), ATTN_TEXT("Difference to the model alone, in percentage points"), true}}};
    const NeighbourAccuracyPoint* model = modelAlone(accuracy);
    for (const NeighbourAccuracyPoint& point : accuracy.points) {
        const double reached = accuracy.at(point).value();
        const std::string mix = axisNumber(point.mix, AxisNumbers::Plain);
        Cell gain;
        if (const double alone = model == nullptr ? 0 : accuracy.at(*model).value();
            model != nullptr && point.mix != 0)
            gain = numberCell(reached - alone, formatPoints(alone, reached));
        table.rows.push_back(
            {{countCell(point.k), numberCell(point.mix, mix), accuracyCell(accuracy.at(point)), gain},
             {},
             ATTN_TEXT("k %1, λ %2").arg(std::to_string(point.k), mix)});
    }
    return table;
}

Table neighbourPredictions(const ImageNeighbours& image, const std::optional<std::string>& truth)
{
    const Row retrieved = predictionRow(ATTN_COUNT("%1 neighbour(s)").of(image.k), image.retrieved, truth);
    Table table{.columns = {{ATTN_TEXT("By")},
                            {ATTN_TEXT("Predicts")},
                            {.title = ATTN_TEXT("Probability"), .number = true}},
                .rows = {retrieved}};
    if (!image.model.empty()) {
        const Text mixed = ATTN_TEXT("mixed, λ = %1").arg(axisNumber(image.mix, AxisNumbers::Plain));
        table.rows = {predictionRow(ATTN_TEXT("model alone"), image.model, truth), retrieved,
                      predictionRow(mixed, image.mixed, truth)};
    }
    return table;
}

Table nearestNeighbours(const ImageNeighbours& image)
{
    Table table{.columns = {{.title = ATTN_TEXT("Distance"), .number = true},
                            {.title = ATTN_TEXT("Weight"), .number = true},
                            {ATTN_TEXT("Class")},
                            {ATTN_TEXT("File")}}};
    for (const ShownNeighbour& one : image.neighbours)
        table.add({errorCell(one.distance),
                   probabilityCell(one.weight),
                   {printable(one.className)},
                   {printable(one.path)}});
    return table;
}

Json toJson(const NeighbourReport& report)
{
    Json json = toJson(report.model);
    json.erase("inputs");
    json["datastore"] = {{"path", jsonPath(report.datastore)},
                         {"folder", jsonPath(report.origin.folder)},
                         {"entries", report.entries},
                         {"mapped_bytes", report.bytes},
                         {"identity", writeFields(report.origin.identity)}};
    json["distance"] = toText(report.distance);
    json["temperature"] = report.temperature;
    json["built"] = report.built ? toJson(*report.built) : Json(nullptr);
    json["accuracy"] = report.accuracy ? toJson(*report.accuracy) : Json(nullptr);
    json["inputs"] = jsonList(report.images, [](const ImageNeighbours& image) { return toJson(image); });
    json["notes"] = report.notes;
    json["unreadable"] = toJson(report.unreadable);
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

Chart mixChart(const NeighbourAccuracy& accuracy)
{
    Chart chart{.title = "kNN-augmented classification, after kNN-LM",
                .caption = counted(accuracy.samples, "sample") + " of " + accuracy.folder
                           + "; bands: 95 % intervals (Wilson)",
                .x = {.title = "λ (0: the model, 1: the neighbours)", .low = 0, .high = 1, .name = "λ"},
                .y = {.title = "top-1 accuracy", .numbers = AxisNumbers::Percent, .least = 0, .most = 1}};
    for (const NeighbourAccuracyPoint& point : accuracy.points) {
        const std::string name = "k = " + std::to_string(point.k);
        if (chart.series.empty() || chart.series.back().name != name)
            chart.series.push_back({.name = name, .backend = variantKey("", chart.series.size())});
        const Interval interval = accuracy.at(point).interval();
        const double reached = accuracy.at(point).value();
        chart.series.back().points.push_back({.x = point.mix,
                                              .y = reached,
                                              .low = interval.low,
                                              .high = interval.high,
                                              .title = name + ", λ = " + axisNumber(point.mix, AxisNumbers::Plain)
                                                       + ": " + axisNumber(reached, AxisNumbers::Percent)});
    }
    return chart;
}

const NeighbourAccuracyPoint* bestOf(const NeighbourAccuracy& accuracy)
{
    const auto found = std::ranges::max_element(accuracy.points, {}, &NeighbourAccuracyPoint::correct);
    return found == accuracy.points.end() ? nullptr : &*found;
}

Text verdict(const NeighbourReport& report)
{
    if (!report.accuracy || report.accuracy->samples == 0)
        return ATTN_TEXT("%1 features from %2")
            .arg(formatCount(report.entries), printable(dataTitle(report.origin.folder)));
    const NeighbourAccuracy& accuracy = *report.accuracy;
    const NeighbourAccuracyPoint *best = bestOf(accuracy), *model = modelAlone(accuracy);
    const Text where =
        ATTN_TEXT("k = %1, λ = %2").arg(std::to_string(best->k), axisNumber(best->mix, AxisNumbers::Plain));
    const std::string reached = formatPercent(accuracy.at(*best).value());
    if (model == nullptr)
        return ATTN_TEXT("Best with %1: %2").arg(where, reached);
    const std::string alone = formatPercent(accuracy.at(*model).value());
    if (best->correct == model->correct)
        return ATTN_TEXT("Neighbours do not help: the model alone gets %1 right").arg(alone);
    return (accuracy.at(*best).interval().low > accuracy.at(*model).interval().high
                ? ATTN_TEXT("Neighbours help: %1 gets %2 right, the model alone %3")
                : ATTN_TEXT("No clear gain: %1 gets %2 right, the model alone %3"))
        .arg(where, reached, alone);
}

Text conditions(const NeighbourReport& report)
{
    std::vector<Text> parts;
    if (report.accuracy)
        parts.push_back(ATTN_TEXT("top-1 of %1 from %2")
                            .arg(ATTN_COUNT("%1 sample(s)").of(report.accuracy->samples),
                                 printable(dataTitle(report.accuracy->folder))));
    if (report.accuracy && report.accuracy->leftOut > 0)
        parts.push_back(ATTN_TEXT("%1 left themselves out").arg(formatCount(report.accuracy->leftOut)));
    parts.insert(parts.end(),
                 {ATTN_TEXT("%1 features of %2 numbers from %3")
                      .arg(formatCount(report.entries), std::to_string(report.origin.identity.width),
                           printable(dataTitle(report.origin.folder))),
                  ATTN_TEXT("%1 distance, temperature %2")
                      .arg(toText(report.distance), axisNumber(report.temperature, AxisNumbers::Plain)),
                  report.model.dtype, report.model.device.description});
    parts.insert(parts.end(), report.notes.begin(), report.notes.end());
    return joined(parts, " · ");
}

}

#include "core/lab/neighbours/neighbours_figures.h"

#include "core/base/text.h"
#include "core/figure/marks.h"
#include "core/lab/neighbours/feature_fields.h"
#include "core/run/record_json.h"

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
                                    const Interval interval = accuracy.interval(point);
                                    return Json{{"k", point.k},
                                                {"mix", point.mix},
                                                {"correct", point.correct},
                                                {"top1", accuracy.accuracy(point)},
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
        const Interval interval = accuracy.interval(point);
        const double top1 = accuracy.accuracy(point);
        chart.series.back().points.push_back({.x = point.mix,
                                              .y = top1,
                                              .low = interval.low,
                                              .high = interval.high,
                                              .title = name + ", λ = " + axisNumber(point.mix, AxisNumbers::Plain)
                                                       + ": " + axisNumber(top1, AxisNumbers::Percent)});
    }
    return chart;
}

}

#include "app/cli/output/feature_output.h"

#include "app/cli/output/evaluate_output.h"
#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/run/measures.h"
#include "core/run/record_json.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace attnscope::cli {

namespace {

Json probeJson(const ProbeTraining& probe)
{
    return {{"protocol", "L2-regularised logistic regression with L-BFGS, a protocol of ours"},
            {"c", probe.c},
            {"iterations", probe.iterations},
            {"converged", probe.converged},
            {"trials", jsonList(probe.trials, [](const ProbeTrial& trial) {
                 return Json{{"c", trial.c}, {"correct", trial.correct}, {"samples", trial.samples}};
             })}};
}

}

std::string featureTables(const ResultStore& store, const FeatureReport& report)
{
    std::string text = fmt::format("{}  {} ({}), {} {} of {}, by {}\n", emphasised("features"),
                                   describe(report.kind), counted(report.width, "number"),
                                   formatCount(report.trainingSamples), "training samples",
                                   printable(report.trainingFolder), printable(report.exact));
    if (report.probe)
        text += fmt::format("  linear probe: a protocol of ours, C = {:g}\n", report.probe->c);
    std::vector<std::string> titles{"attention"};
    std::vector<StoredEvaluation> stored;
    for (const FeatureEvaluation& one : report.evaluations) {
        stored.push_back(store.evaluation(one.evaluation));
        titles.push_back(one.readout.k > 0 ? fmt::format(">kNN, k = {}", one.readout.k)
                                           : ">" + toText(one.readout));
    }
    Table table = tableOf(titles);
    for (size_t run = 0; run < stored.front().runs.size(); ++run) {
        std::vector<Cell> cells{{stored.front().runs[run].attention}};
        for (const StoredEvaluation& evaluation : stored)
            cells.push_back(accuracyCell(store.accuracy(evaluation.runs[run].id)));
        table.add(std::move(cells));
    }
    text += "  top-1, with 95 % intervals\n" + terminalTable(table, 2);
    for (const std::string& note : report.notes)
        text += "  " + note + "\n";
    return text;
}

void addFeatures(Json& json, const ResultStore& store, const FeatureReport& report)
{
    Json evaluations = Json::array();
    for (const FeatureEvaluation& one : report.evaluations) {
        for (const StoredRun& run : store.evaluation(one.evaluation).runs) {
            const auto own = std::ranges::find_if(
                json["runs"], [&](const Json& each) { return each["attention"] == run.attention; });
            if (own == json["runs"].end())
                continue;
            const Accuracy counted = store.accuracy(run.id);
            const Interval interval = counted.interval();
            Json accuracy = accuracyJson(counted);
            accuracy["interval95"] = {interval.low, interval.high};
            if (!run.failure.empty())
                accuracy["failure"] = run.failure;
            if (one.readout.k > 0) {
                accuracy["k"] = one.readout.k;
                (*own)["knn"].push_back(std::move(accuracy));
            } else {
                (*own)["probe"] = std::move(accuracy);
            }
        }
        evaluations.push_back({{"id", one.evaluation},
                               {"readout", toText(one.readout)},
                               {"k", one.readout.k > 0 ? Json(one.readout.k) : Json()},
                               {"pairs", evaluationJson(store, store.evaluation(one.evaluation))["pairs"]}});
    }
    Json features{
        {"kind", toText(report.kind)},
        {"width", report.width},
        {"exact", report.exact},
        {"exact_meaning", report.exactMeaning},
        {"training",
         {{"folder", jsonPath(report.trainingFolder)},
          {"samples", report.trainingSamples},
          {"classes", report.classes},
          {"unreadable", jsonList(report.trainingUnreadable,
                                  [](const UnreadableInput& sample) {
                                      return Json{{"path", jsonPath(sample.path)}, {"reason", sample.reason}};
                                  })}}},
        {"evaluations", std::move(evaluations)},
        {"notes", report.notes}};
    if (report.probe)
        features["probe"] = probeJson(*report.probe);
    json["features"] = std::move(features);
}

}

#include "core/figure/markup.h"
#include "core/report/group.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace attnscope {

namespace {

constexpr const char* header =
    "evaluation,state,model,weights_file,weights_sha256,data,data_sha256,attention,"
    "resolved,weights,samples,correct1,"
    "correct5,top1,top1_low,top1_high,top5,top5_low,top5_high,latency_ms,latency_ms_"
    "p05,latency_ms_p95,attention_ms,"
    "memory_bytes,attention_memory_bytes,weights_bytes,error_mse,error_relative,error_"
    "relative_sd,seconds,unreadable,"
    "device,dtype,threads,seed,attnscope,torch,failure,transform,views,sampling,"
    "reading,batch,limit,shard,decoder,started,not_finite,protocol,macro_top1,nll,ece,brier\r\n";

/// Non-finite numbers are "nan" or "inf": empty means not measured.
std::string number(double value)
{
    return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

std::string number(int64_t value)
{
    return fmt::format("{}", value);
}

void addAccuracy(std::vector<std::string>& cells, const GroupRun& row)
{
    const bool predicted = row.accuracy.samples > 0;
    cells.insert(cells.end(),
                 {number(row.accuracy.samples), number(row.accuracy.correct), number(row.accuracy.correct5)});
    for (const char* key : {"top1", "top5"}) {
        const auto value = measure(key).of({.accuracy = row.accuracy}).value_or(Measured());
        for (const double each : {value.mid, value.low, value.high})
            cells.push_back(predicted ? number(each) : "");
    }
}

void addCosts(std::vector<std::string>& cells, const StoredRun& run)
{
    const Latency latency = run.latency.value_or(Latency());
    const auto [median, low, high] = modelTime(latency);
    for (const double part : {median, low, high, attentionTime(latency).mid})
        cells.push_back(run.latency ? number(part) : "");
    for (int64_t Memory::*part : {&Memory::peakBytes, &Memory::attentionPeakBytes, &Memory::weightsBytes})
        cells.push_back(run.memory ? number((*run.memory).*part) : "");
    for (double ErrorValue::*part : {&ErrorValue::mse, &ErrorValue::relative, &ErrorValue::relativeStddev})
        cells.push_back(run.error ? number((*run.error).*part) : "");
    cells.push_back(number(run.seconds));
}

/// A line begins with the evaluation and the attention; `linesOf(run, class names, add)` adds those of a run.
template <typename LinesOf>
std::string linesOfRuns(const ResultStore& store, const ReportOptions& options, const char* columns,
                        const LinesOf& linesOf)
{
    std::string text = fmt::format("evaluation,attention,{}\r\n", columns);
    for (const StoredEvaluation& evaluation : chosenEvaluations(store, options)) {
        const std::vector<std::string> names = store.classes(evaluation.id);
        for (const StoredRun& run : evaluation.runs)
            if (run.attention.starts_with(options.attention))
                linesOf(run, names, [&](std::vector<std::string> cells) {
                    cells.insert(cells.begin(), {number(evaluation.id), run.attention});
                    text += csvLine(cells);
                });
    }
    return text;
}

}

std::string classesCsv(const ResultStore& store, const ReportOptions& options)
{
    return linesOfRuns(store, options, "label,class,samples,correct1,correct5,top1,top5",
                       [&](const StoredRun& run, const std::vector<std::string>&, const auto& add) {
                           for (const ClassAccuracy& one : store.classAccuracies(run.id))
                               add({number(one.label), one.name, number(one.accuracy.samples),
                                    number(one.accuracy.correct), number(one.accuracy.correct5),
                                    number(one.accuracy.value()), number(one.accuracy.top5().value())});
                       });
}

std::string confusionsCsv(const ResultStore& store, const ReportOptions& options)
{
    return linesOfRuns(
        store, options, "label,class,prediction,predicted_class,samples",
        [&](const StoredRun& run, const std::vector<std::string>& names, const auto& add) {
            std::vector<Confusion> all = store.worstConfusions(run.id, -1);
            for (const ClassAccuracy& one : store.classAccuracies(run.id))
                if (one.accuracy.correct > 0)
                    all.push_back({one.label, one.label, one.accuracy.correct});
            std::ranges::sort(all, {}, [](const Confusion& one) { return std::pair(one.label, one.prediction); });
            for (const Confusion& one : all)
                add({number(one.label), english(className(one.label, names)), number(one.prediction),
                     english(className(one.prediction, names)), number(one.samples)});
        });
}

std::string reportCsv(const ResultStore& store, const ReportOptions& options)
{
    std::string text = header;
    for (const StoredEvaluation& evaluation : chosenEvaluations(store, options)) {
        const EvaluationSettings& settings = evaluation.settings;
        for (const StoredRun& run : evaluation.runs) {
            if (!run.attention.starts_with(options.attention))
                continue;
            const GroupRun row{&evaluation, run, store.accuracy(run.id), store.calibration(run.id), {}, {}};
            std::vector<std::string> cells{number(evaluation.id), stateText(evaluation), settings.model,
                                           settings.weights,      settings.weightsHash,  evaluation.dataRoot,
                                           evaluation.dataHash,   run.attention,         run.resolved,
                                           toText(run.weights)};
            addAccuracy(cells, row);
            addCosts(cells, run);
            cells.insert(cells.end(),
                         {number(evaluation.unreadable), settings.device, settings.dtype, number(settings.threads),
                          fmt::format("{}", settings.seed), settings.environment.attnscope,
                          settings.environment.torch, run.failure, settings.transform, settings.views,
                          settings.sampling, settings.reading, number(settings.batch), number(settings.limit),
                          fmt::format("{}/{}", settings.shard.index, settings.shard.count), settings.decoder,
                          evaluation.started, number(store.notFinite(run.id)), settings.protocol});
            for (const Measure& each : calibrationMeasures()) {
                const auto value = each.of(measurementsOf(row));
                cells.push_back(value ? number(value->mid) : "");
            }
            text += csvLine(cells);
        }
    }
    return text;
}

}

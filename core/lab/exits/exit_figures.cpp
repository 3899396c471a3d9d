#include "core/lab/exits/exit_figures.h"

#include "core/base/format.h"
#include "core/figure/series_keys.h"
#include "core/run/record_json.h"

#include <algorithm>
#include <string>

namespace attnscope {

namespace {

Json bounds(const Interval& interval)
{
    return {interval.low, interval.high};
}

Json pointsJson(const AttentionExits& exits, const std::vector<ExitPoint>& points, const char* setting)
{
    return jsonList(points, [&](const ExitPoint& point) {
        const ExitOutcome& outcome = point.outcome;
        return Json{{setting, point.setting},
                    {"mean_blocks", outcome.meanBlocks()},
                    {"mean_blocks_interval95", bounds(outcome.blocksInterval())},
                    {"correct", outcome.correct},
                    {"top1", outcome.top1()},
                    {"interval95", bounds(outcome.top1Interval())},
                    {"agreement", outcome.agreement()},
                    {"macs", point.macs},
                    {"macs_ratio", exits.macs > 0 ? Json(point.macs / exits.macs) : Json(nullptr)},
                    {"per_block", outcome.perBlock}};
    });
}

Json toJson(const AttentionExits& exits)
{
    return {{"attention", exits.attention},
            {"resolved", exits.resolved},
            {"backend", exits.backend},
            {"weights", toText(exits.weights)},
            {"macs", exits.macs},
            {"not_finite", exits.notFinite},
            {"depth", pointsJson(exits, exits.depth, "block")},
            {"confidence", pointsJson(exits, exits.confidence, "threshold")},
            {"oracle_likelihood", pointsJson(exits, exits.likelihood, "penalty")},
            {"oracle_correctness", pointsJson(exits, exits.correctness, "penalty")},
            {"notes", exits.notes}};
}

/// `symbol`: what the setting is.
ChartSeries seriesOf(const std::string& name, const std::string& look, const std::vector<ExitPoint>& points,
                     const std::string& symbol)
{
    ChartSeries series{.name = name, .backend = look};
    for (const ExitPoint& point : points) {
        const ExitOutcome& outcome = point.outcome;
        const Interval interval = outcome.top1Interval();
        const std::string blocks = axisNumber(outcome.meanBlocks(), AxisNumbers::Plain);
        series.points.push_back({.x = outcome.meanBlocks(),
                                 .y = outcome.top1(),
                                 .low = interval.low,
                                 .high = interval.high,
                                 .title = name + ", " + symbol + axisNumber(point.setting, AxisNumbers::Plain)
                                          + ": " + blocks + " blocks, top-1 " + formatProbability(outcome.top1())
                                          + " [" + formatProbability(interval.low) + ", "
                                          + formatProbability(interval.high) + "]"});
    }
    return series;
}

/// Looks for `each` curves of every attention, those of an attention one behind the other.
std::vector<std::string> looksOf(const ExitReport& report, std::size_t each)
{
    std::vector<std::string> names;
    for (const AttentionExits& exits : report.attention)
        for (std::size_t i = 0; i < each; ++i)
            names.push_back(i == 0 ? exits.resolved : exits.resolved + ":" + std::to_string(i));
    return seriesKeys(names);
}

Chart accuracyChart(const ExitReport& report, const std::string& title, const std::string& caption)
{
    Chart chart{.title = title,
                .caption = formatCounted(report.samples, "sample") + " of " + report.folder
                           + (report.trained ? "; heads trained for each exit" : "; untrained exits") + caption
                           + " Bands: 95 % intervals (Wilson)."};
    chart.x = {.title = "blocks run, mean over samples",
               .low = 1,
               .high = double(report.blocks.size()),
               .name = "blocks"};
    chart.y = {.title = "top-1 accuracy", .numbers = AxisNumbers::Percent, .least = 0, .most = 1};
    return chart;
}

}

Json toJson(const ExitReport& report)
{
    Json json = toJson(report.model);
    json.erase("inputs");
    json["folder"] = jsonPath(report.folder);
    json["samples"] = report.samples;
    json["blocks"] = report.blocks;
    json["trained_heads"] = report.trained;
    json["runs"] = jsonList(report.attention, [](const AttentionExits& exits) { return toJson(exits); });
    json["notes"] = report.notes;
    json["unreadable"] = toJson(report.unreadable);
    if (!report.complete)
        json["interrupted"] = true;
    return json;
}

Chart exitChart(const ExitReport& report)
{
    Chart chart = accuracyChart(report, "Early exits", ". Fixed depth: every sample runs as many blocks.");
    const std::vector<std::string> looks = looksOf(report, 2);
    for (std::size_t i = 0; i < report.attention.size(); ++i) {
        const AttentionExits& exits = report.attention[i];
        chart.series.push_back(seriesOf(exits.attention + ", confidence", looks[2 * i], exits.confidence, "τ = "));
        chart.series.push_back(
            seriesOf(exits.attention + ", fixed depth", looks[2 * i + 1], exits.depth, "block "));
    }
    return chart;
}

Chart oracleChart(const ExitReport& report)
{
    Chart chart = accuracyChart(report, "Early exits and their oracles",
                                ". Oracles know the label, and bound what a rule without it can do.");
    const std::vector<std::string> looks = looksOf(report, 3);
    for (std::size_t i = 0; i < report.attention.size(); ++i) {
        const AttentionExits& exits = report.attention[i];
        const auto add = [&](const std::string& name, std::size_t look, const std::vector<ExitPoint>& points,
                             const std::string& symbol) {
            chart.series.push_back(seriesOf(exits.attention + ", " + name, looks[3 * i + look], points, symbol));
        };
        add("confidence", 0, exits.confidence, "τ = ");
        add("correctness oracle", 1, exits.correctness, "λ = ");
        add("likelihood oracle", 2, exits.likelihood, "λ = ");
    }
    return chart;
}

HeatMap exitMap(const ExitReport& report)
{
    HeatMap map{.title = "Where samples leave",
                .caption = "Fraction of " + formatCounted(report.samples, "sample")
                           + " that leave behind each block.",
                .rowTitle = "threshold",
                .columnTitle = "block"};
    for (std::size_t block = 1; block <= report.blocks.size(); ++block)
        map.columns.push_back(std::to_string(block));
    for (const AttentionExits& exits : report.attention)
        for (const ExitPoint& point : exits.confidence) {
            const std::string setting = axisNumber(point.setting, AxisNumbers::Plain);
            map.rows.push_back(report.attention.size() > 1 ? exits.attention + " " + setting : setting);
            for (std::size_t block = 0; block < report.blocks.size(); ++block) {
                const double fraction = double(point.outcome.perBlock[block])
                                        / double(std::max<std::int64_t>(point.outcome.samples, 1));
                map.values.push_back(fraction);
                map.labels.push_back(point.outcome.perBlock[block] > 0 ? formatProbability(fraction) : "");
                map.titles.push_back(exits.attention + ", τ = " + setting + ", block " + map.columns[block] + ": "
                                     + formatCounted(point.outcome.perBlock[block], "sample"));
            }
        }
    return map;
}

}

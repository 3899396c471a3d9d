#include "core/lab/exits/exit_figures.h"

#include "core/attention/network/attention_title.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/data/dataset/data_title.h"
#include "core/figure/series_keys.h"
#include "core/run/measures.h"
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
                    {"top1", outcome.value()},
                    {"interval95", bounds(outcome.interval())},
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
        const Interval interval = outcome.interval();
        const std::string blocks = axisNumber(outcome.meanBlocks(), AxisNumbers::Plain);
        series.points.push_back({.x = outcome.meanBlocks(),
                                 .y = outcome.value(),
                                 .low = interval.low,
                                 .high = interval.high,
                                 .title = name + ", " + symbol + axisNumber(point.setting, AxisNumbers::Plain)
                                          + ": " + blocks + " blocks, top-1 " + formatProbability(outcome.value())
                                          + " [" + formatProbability(interval.low) + ", "
                                          + formatProbability(interval.high) + "]"});
    }
    return series;
}

/// Looks for `each` curves of every attention, those of an attention one behind the other.
std::vector<std::string> looksOf(const ExitReport& report, size_t each)
{
    std::vector<std::string> names;
    for (const AttentionExits& exits : report.attention)
        for (size_t i = 0; i < each; ++i)
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

Table exitTable(const ExitReport& report, std::vector<ExitPoint> AttentionExits::*rule)
{
    Table table{
        .columns = {
            rule == &AttentionExits::depth
                ? Column{ATTN_TEXT("Depth"), ATTN_TEXT("Blocks that every sample runs"), true}
            : rule == &AttentionExits::confidence
                ? Column{ATTN_TEXT("Threshold"),
                         ATTN_TEXT("A sample leaves behind the first block whose largest probability is above it"),
                         true}
                : Column{ATTN_TEXT("Penalty"), ATTN_TEXT("What a block costs the oracle"), true}}};
    const std::vector<ExitPoint>& settings = report.attention.front().*rule;
    for (const ExitPoint& point : settings) {
        const std::string setting = axisNumber(point.setting, AxisNumbers::Plain);
        table.rows.push_back({.cells = {numberCell(point.setting, setting)},
                              .name = joined({table.columns.front().title, setting}, " ")});
    }
    for (const AttentionExits& exits : report.attention) {
        const auto add = [&](const Text& what, const Text& help) {
            table.columns.push_back(
                {report.attention.size() > 1 ? joined({attentionTitle(exits.attention), what}, ": ") : what, help,
                 true});
        };
        add(ATTN_TEXT("top-1"), ATTN_TEXT("Accuracy at the exits, with its 95 % interval"));
        add(ATTN_TEXT("blocks"), ATTN_TEXT("Blocks run, mean over samples"));
        add(ATTN_TEXT("multiply-adds"), ATTN_TEXT("With a prediction behind every block on the way, and as a "
                                                  "fraction of the whole network's; not a measured time"));
        for (size_t i = 0; i < settings.size(); ++i) {
            const ExitPoint& point = (exits.*rule)[i];
            Cell work = numberCell(point.macs, formatQuantity(point.macs).text());
            work.small = formatPercent(point.macs / exits.macs);
            std::vector<Cell>& cells = table.rows[i].cells;
            cells.insert(cells.end(),
                         {accuracyCell(point.outcome), decimalCell(point.outcome.meanBlocks()), work});
        }
    }
    return table;
}

Chart exitChart(const ExitReport& report)
{
    Chart chart = accuracyChart(report, "Early exits", ". Fixed depth: every sample runs as many blocks.");
    const std::vector<std::string> looks = looksOf(report, 2);
    for (size_t i = 0; i < report.attention.size(); ++i) {
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
    for (size_t i = 0; i < report.attention.size(); ++i) {
        const AttentionExits& exits = report.attention[i];
        const auto add = [&](const std::string& name, size_t look, const std::vector<ExitPoint>& points,
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
    for (size_t block = 1; block <= report.blocks.size(); ++block)
        map.columns.push_back(std::to_string(block));
    for (const AttentionExits& exits : report.attention)
        for (const ExitPoint& point : exits.confidence) {
            const std::string setting = axisNumber(point.setting, AxisNumbers::Plain);
            map.rows.push_back(report.attention.size() > 1 ? exits.attention + " " + setting : setting);
            for (size_t block = 0; block < report.blocks.size(); ++block) {
                const double fraction = double(point.outcome.perBlock[block])
                                        / double(std::max<int64_t>(point.outcome.samples, 1));
                map.values.push_back(fraction);
                map.labels.push_back(point.outcome.perBlock[block] > 0 ? formatProbability(fraction) : "");
                map.titles.push_back(exits.attention + ", τ = " + setting + ", block " + map.columns[block] + ": "
                                     + formatCounted(point.outcome.perBlock[block], "sample"));
            }
        }
    return map;
}

Text verdict(const ExitReport& report)
{
    if (report.samples == 0)
        return ATTN_TEXT("No sample could be read");
    const AttentionExits& first = report.attention.front();
    const double whole = first.depth.back().outcome.value();
    // The lowest threshold whose interval reaches the accuracy of the whole network; the highest one if none does.
    const auto useful = std::ranges::find_if(
        first.confidence, [&](const ExitPoint& point) { return point.outcome.interval().high >= whole; });
    const ExitPoint& point = useful == first.confidence.end() ? first.confidence.back() : *useful;
    return ATTN_TEXT("%1: threshold %2 runs %3 of %4 blocks, %5 top-1 instead of %6")
        .arg(attentionTitle(first.attention), axisNumber(point.setting, AxisNumbers::Plain),
             decimalCell(point.outcome.meanBlocks(), 1).text, std::to_string(report.blocks.size()),
             formatPercent(point.outcome.value()), formatPercent(whole));
}

Text conditions(const ExitReport& report)
{
    std::vector<Text> parts{report.trained ? ATTN_TEXT("Heads trained for each exit")
                                           : ATTN_TEXT("Untrained exits: the network's own norm and head"),
                            report.model.model.name, printable(dataTitle(report.folder)),
                            ATTN_COUNT("%1 sample(s)").of(report.samples)};
    if (!report.unreadable.empty())
        parts.push_back(ATTN_TEXT("%1 unreadable").arg(formatCount(std::ssize(report.unreadable))));
    return joined(parts, " · ");
}

}

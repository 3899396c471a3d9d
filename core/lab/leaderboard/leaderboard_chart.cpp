#include "core/lab/leaderboard/leaderboard_chart.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/run/measures.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double minDrawn = 1e-6;  // a log scale has no zero

std::string costText(const LeaderboardRow& row, LeaderboardCost cost)
{
    return cost == LeaderboardCost::Time
               ? timeText(row.latency) + ", " + formatGain(row.timeRatio()) + " of exact"
               : formatBytes(row.peakBytes).text() + ", " + formatGain(row.memoryRatio()) + " of exact";
}

ChartPoint boardPoint(const LeaderboardReport& report, size_t index, LeaderboardError error, LeaderboardCost cost)
{
    const LeaderboardRow& row = report.rows[index];
    const double value = errorOf(row, error);
    return {.x = relativeCostOf(row, cost),
            .y = std::isfinite(value) ? std::max(value, minDrawn) : value,
            .title = row.attention + ": " + nameOf(report, error) + " " + formatError(value) + ", "
                     + costText(row, cost),
            .key = int64_t(index)};
}

std::string captionOf(const LeaderboardReport& report, LeaderboardCost cost)
{
    std::string text = printable(report.source) + ", " + formatCounted(report.tokens, "token") + ", "
                       + counted(report.inputs, "input") + ". ";
    text += cost == LeaderboardCost::Time ? "Time of attention alone, median of interleaved runs."
                                          : "Largest tensors of one layer's attention.";
    return text + " Dashed: the front of attentions that no other beats in both.";
}

}

Chart leaderboardChart(const LeaderboardReport& report, LeaderboardError error, LeaderboardCost cost)
{
    const bool time = cost == LeaderboardCost::Time;
    Chart chart{.title = time ? "Replacements of softmax: error vs. time"
                              : "Replacements of softmax: error vs. memory"};
    chart.caption = captionOf(report, cost);
    chart.x = {.title = time ? "time of attention relative to exact"
                             : "peak memory of attention relative to exact",
               .scale = AxisScale::Log};
    chart.y = {.title = nameOf(report, error)
                        + (error == LeaderboardError::EndToEnd && report.hasClasses ? ", nats" : ""),
               .scale = AxisScale::Log,
               .name = nameOf(report, error)};
    std::vector<ChartPoint> all;
    for (size_t i = 0; i < report.rows.size(); ++i) {
        ChartPoint point = boardPoint(report, i, error, cost);
        if (!std::isfinite(point.x) || !std::isfinite(point.y))
            continue;
        const std::string& backend = report.rows[i].backend;
        auto series = std::ranges::find_if(chart.series,
                                           [&](const ChartSeries& one) { return one.backend == backend; });
        if (series == chart.series.end())
            series = chart.series.insert(chart.series.end(),
                                         {.name = backend, .backend = backend, .joined = false});
        series->points.push_back(point);
        all.push_back(std::move(point));
    }
    for (const size_t index : paretoFront(all, Better::Lower, Better::Lower))
        chart.front.push_back(all[index]);
    return chart;
}

Chart leaderboardChart(const LeaderboardReport& report, LeaderboardCost cost)
{
    return leaderboardChart(report, report.error(), cost);
}

}

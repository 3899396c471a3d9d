// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lab_charts.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

ChartSeries horizontal(const std::string& name, const std::string& backend, double from, double to, double y)
{
    ChartSeries line{.name = name, .backend = backend};
    for (const double x : {from, to})
        line.points.push_back({.x = x, .y = y, .title = name + ": " + formatError(y)});
    return line;
}

ChartPoint errorPoint(const CurvePoint& point)
{
    ChartPoint shown{.x = static_cast<double>(point.samples), .y = point.error.mse};
    if (point.error.mseDeviation > 0 && point.error.mseDeviation < point.error.mse) {
        shown.low = point.error.mse - point.error.mseDeviation;
        shown.high = point.error.mse + point.error.mseDeviation;
    }
    shown.title = point.attention + ": mse " + formatError(point.error.mse) + " ± "
                  + formatError(point.error.mseDeviation) + ", bias² " + formatError(point.parts.biasSquared)
                  + ", variance " + formatError(point.parts.variance);
    shown.missing = point.unavailable;
    return shown;
}

std::string tokensText(std::int64_t tokens)
{
    return formatCount(tokens) + " tokens";
}

double valueOf(const ScalePoint& point, ScaleFigure figure)
{
    return figure == ScaleFigure::Time            ? point.latency.medianMs
           : figure == ScaleFigure::AttentionTime ? point.latency.attentionMedianMs
                                                  : static_cast<double>(point.peakBytes);
}

std::optional<double> ratioOf(const ScalePoint& point, ScaleFigure figure)
{
    return figure == ScaleFigure::Time            ? point.timeRatio
           : figure == ScaleFigure::AttentionTime ? point.attentionTimeRatio
                                                  : point.memoryRatio;
}

std::string valueText(double value, ScaleFigure figure)
{
    return figure == ScaleFigure::Memory ? formatBytes(static_cast<std::int64_t>(value)).text()
                                         : formatMilliseconds(value).text();
}

ChartPoint scalePoint(const ScaleRow& row, const ScalePoint& point, ScaleFigure figure, ScaleValues values)
{
    ChartPoint shown{.x = static_cast<double>(point.tokens)};
    shown.missing = point.stopped;
    shown.title = row.attention + ", " + tokensText(point.tokens);
    if (!point.stopped.empty()) {
        shown.y = std::numeric_limits<double>::quiet_NaN();
        return shown;
    }
    const auto ratio = ratioOf(point, figure);
    shown.y = values == ScaleValues::Absolute ? valueOf(point, figure)
                                              : ratio.value_or(std::numeric_limits<double>::quiet_NaN());
    shown.title += ": " + valueText(valueOf(point, figure), figure)
                   + (ratio ? ", " + formatRatio(*ratio) + " of explicit softmax" : "");
    if (values == ScaleValues::Absolute && figure == ScaleFigure::Time)
        shown.low = point.latency.p05Ms, shown.high = point.latency.p95Ms;
    if (values == ScaleValues::Absolute && figure == ScaleFigure::AttentionTime)
        shown.low = point.latency.attentionP05Ms, shown.high = point.latency.attentionP95Ms;
    return shown;
}

ChartSeries publishedSeries(const ScaleRow& row, ScaleFigure figure)
{
    ChartSeries series{
        .name = row.backend + ", published", .backend = row.backend, .joined = false, .published = true};
    for (const PublishedRatio& ratio : row.published)
        series.points.push_back({.x = static_cast<double>(ratio.tokens),
                                 .y = figure == ScaleFigure::Memory ? ratio.memory : ratio.time,
                                 .title = row.backend + ", " + tokensText(ratio.tokens) + ", published: "
                                          + formatRatio(figure == ScaleFigure::Memory ? ratio.memory : ratio.time)
                                          + " of softmax"});
    return series;
}

const char* titleOf(ScaleFigure figure)
{
    return figure == ScaleFigure::Time            ? "Time of the encoder"
           : figure == ScaleFigure::AttentionTime ? "Time inside attention"
                                                  : "Peak memory of the encoder";
}

std::string backendOf(const Plan& plan)
{
    return plan.uniform ? plan.attention.substr(0, plan.attention.find(':')) : "mixed";
}

ChartPoint planPoint(const Plan& plan)
{
    ChartPoint point{.x = plan.latency->medianMs, .y = *plan.error};
    point.title = plan.attention + ": " + formatMilliseconds(point.x).text() + ", relative error "
                  + formatError(point.y);
    return point;
}

}  // namespace

Chart errorChart(const ApproximateReport& report)
{
    Chart chart{.title = "Approximation error against samples"};
    chart.caption = "Mean squared difference to " + report.exact + ", the same q, k, v; mean over heads, "
                    + formatCount(report.layers) + " layers and " + formatCount(report.inputs)
                    + " inputs; bands: standard deviation over seeds. " + tokensText(report.tokens) + ".";
    chart.x = {.title = "samples", .scale = AxisScale::Log, .numbers = AxisNumbers::Quantity};
    chart.y = {.title = "mean squared error", .scale = AxisScale::Log};
    double from = std::numeric_limits<double>::infinity(), to = 0;
    for (const Curve& curve : report.curves)
        for (const CurvePoint& point : curve.points)
            if (point.samples > 0)
                from = std::min(from, static_cast<double>(point.samples)),
                to = std::max(to, static_cast<double>(point.samples));
    if (to == 0)
        from = 1, to = 10;
    for (const Curve& curve : report.curves) {
        if (curve.flat && !curve.points.empty() && curve.points.front().unavailable.empty()) {
            chart.series.push_back(
                horizontal(curve.attention, curve.backend, from, to, curve.points.front().error.mse));
            continue;
        }
        ChartSeries series{.name = curve.attention, .backend = curve.backend};
        for (const CurvePoint& point : curve.points)
            if (point.unavailable.empty())
                series.points.push_back(errorPoint(point));
        chart.series.push_back(std::move(series));
    }
    chart.series.push_back(horizontal("mean of the values", "", from, to, report.meanOfValues.mse));
    chart.series.push_back(horizontal("zero", "", from, to, report.meanSquare));
    return chart;
}

Chart scaleChart(const ScaleReport& report, ScaleFigure figure, ScaleValues values)
{
    const ScaleRequest& r = report.request;
    Chart chart{.title = std::string(titleOf(figure))
                         + (values == ScaleValues::OverSoftmax ? " over explicit softmax's" : "")};
    chart.caption = formatCount(r.layers) + " layers, " + formatCount(r.width) + " wide, " + formatCount(r.heads)
                    + " heads; " + (r.backward ? "forward and backward" : "forward") + ", batch 1, " + r.dtype
                    + ", " + report.device.description
                    + ". Hollow marks: published (LARA paper, table 6; 16 landmarks or samples).";
    chart.x = {.title = "tokens", .scale = AxisScale::Log, .numbers = AxisNumbers::Quantity};
    chart.y = {.title = values == ScaleValues::OverSoftmax ? "times softmax"
                        : figure == ScaleFigure::Memory    ? "memory"
                                                           : "time",
               .scale = AxisScale::Log,
               .numbers = values == ScaleValues::OverSoftmax ? AxisNumbers::Plain
                          : figure == ScaleFigure::Memory    ? AxisNumbers::Bytes
                                                             : AxisNumbers::Milliseconds};
    for (const ScaleRow& row : report.rows) {
        ChartSeries series{.name = row.attention, .backend = row.backend};
        for (const ScalePoint& point : row.points)
            series.points.push_back(scalePoint(row, point, figure, values));
        chart.series.push_back(std::move(series));
        if (values == ScaleValues::OverSoftmax && figure != ScaleFigure::AttentionTime && !row.published.empty())
            chart.series.push_back(publishedSeries(row, figure));
    }
    return chart;
}

Chart planChart(const PlanReport& report)
{
    Chart chart{.title = "Plans: latency against attention error"};
    chart.caption = "Measured: one attention in every layer, and plans that mix them ("
                    + std::string(toText(report.kind))
                    + " budget). "
                      "Relative error: mean over layers and heads at the same q, k, v.";
    chart.x = {.title = "latency of the model", .numbers = AxisNumbers::Milliseconds};
    chart.y = {.title = "relative error of attention"};
    std::vector<ChartPoint> all;
    const auto add = [&](const std::vector<Plan>& plans, bool uniform) {
        for (const Plan& plan : plans) {
            if (!plan.latency || !plan.error || plan.uniform != uniform)
                continue;
            const std::string backend = backendOf(plan), name = uniform ? backend : "mixed plans";
            auto series = std::find_if(chart.series.begin(), chart.series.end(),
                                       [&](const ChartSeries& s) { return s.name == name; });
            if (series == chart.series.end())
                series = chart.series.insert(chart.series.end(),
                                             {.name = name, .backend = backend, .joined = false});
            series->points.push_back(planPoint(plan));
            all.push_back(planPoint(plan));
        }
    };
    add(report.uniform, true);
    add(report.front, false);
    for (const std::size_t index : paretoFront(all, Better::Lower, Better::Lower))
        chart.front.push_back(all[index]);
    return chart;
}

HeatMap errorMap(const InspectedAttention& attention, InspectionMode mode)
{
    const bool forced = mode == InspectionMode::TeacherForced;
    HeatMap map{.title = "Relative error of " + attention.attention,
                .caption = forced ? "Each layer given the q, k, v of the exact pass."
                                  : "The attention in every layer, against the exact pass.",
                .rowTitle = "layer",
                .columnTitle = "head"};
    const auto& layers = forced ? attention.teacherForced : attention.endToEnd;
    std::size_t heads = 0;
    for (const InspectedLayer& layer : layers)
        heads = std::max(heads, layer.heads.size());
    for (std::size_t head = 0; head < heads; ++head)
        map.columns.push_back(std::to_string(head));
    for (const InspectedLayer& layer : layers) {
        map.rows.push_back(layer.name.empty() ? std::to_string(layer.layer) : layer.name);
        for (std::size_t head = 0; head < heads; ++head) {
            const bool there = head < layer.heads.size();
            const double value = there ? layer.heads[head].error.relative
                                       : std::numeric_limits<double>::quiet_NaN();
            map.values.push_back(value);
            map.labels.push_back(there ? formatError(value) : "");
            map.titles.push_back("layer " + map.rows.back() + ", head " + std::to_string(head)
                                 + ", relative error " + formatError(value));
        }
    }
    map.scale = AxisScale::Log;
    return map;
}

}  // namespace attnscope

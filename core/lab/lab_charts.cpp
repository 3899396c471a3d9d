#include "core/lab/lab_charts.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/figure/series_keys.h"
#include "core/measure/proportions.h"
#include "core/run/measures.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

ChartSeries horizontal(const std::string& name, const std::string& backend, double from, double to, double y)
{
    ChartSeries line{.name = name, .backend = backend};
    for (const double x : {from, to})
        line.points.push_back({.x = x, .y = y, .title = name + ": " + formatError(y)});
    return line;
}

/// How an error part is shown.
struct PartShown {
    const char *title, *axis;
};

const PartShown& shownOf(ErrorPart part)
{
    static constexpr PartShown parts[] = {{"Approximation error vs. samples", "mean squared error"},
                                          {"Squared bias vs. samples", "bias²"},
                                          {"Variance vs. samples", "variance"}};
    return parts[size_t(part)];
}

double valueOf(const CurvePoint& point, ErrorPart part)
{
    const double values[] = {point.error.mse, point.parts.biasSquared, point.parts.variance};
    return values[size_t(part)];
}

ChartPoint errorPoint(const CurvePoint& point, ErrorPart part)
{
    ChartPoint shown{.x = double(point.samples), .y = valueOf(point, part)};
    const ErrorValue& error = point.error;
    if (part == ErrorPart::Total && error.mseStddev > 0 && error.mseStddev < error.mse) {
        shown.low = error.mse - error.mseStddev;
        shown.high = error.mse + error.mseStddev;
    }
    shown.title = point.attention + ": mse " + formatError(error.mse) + " ± " + formatError(error.mseStddev)
                  + ", bias² " + formatError(point.parts.biasSquared) + ", variance "
                  + formatError(point.parts.variance);
    if (point.emptyRows > 0.0)
        shown.title += "; " + formatPercentage(*point.emptyRows) + " of queries saw no key and used all";
    shown.missing = point.unavailable;
    return shown;
}

/// The range of samples with points: 1 to 10 if there are none.
std::pair<double, double> samplesRange(const ApproximateReport& report)
{
    double from = std::numeric_limits<double>::infinity(), to = 0;
    for (const Curve& curve : report.curves)
        for (const CurvePoint& point : curve.points)
            if (point.samples > 0)
                from = std::min(from, double(point.samples)), to = std::max(to, double(point.samples));
    return to == 0 ? std::pair(1.0, 10.0) : std::pair(from, to);
}

/// What pure averaging over more samples would give: variance times samples is constant, from the first point on.
ChartSeries overSamples(const Curve& curve, double from, double to)
{
    ChartSeries line{.name = curve.attention + ", 1/samples", .backend = ""};
    for (const double x : {from, to})
        line.points.push_back({.x = x,
                               .y = *curve.varianceTimesSamples / x,
                               .title = line.name + ": " + formatError(*curve.varianceTimesSamples / x)});
    return line;
}

/// Positive and hyperbolic features have Performer's colours, the others those of RFA; every angle, and `measured` as the last, a mark of
/// its own.
std::string lookOfFeatures(size_t features, size_t which)
{
    const size_t kinds = kernelAngles.size() + 1;
    return variantKey(features < 2 ? "performer" : "rfa", which + (features % 2) * kinds);
}

std::string kernelTitle(const std::string& name, const KernelPoint& point, size_t features)
{
    const KernelEstimate& one = point.estimates[features];
    return name + ": norm " + formatError(point.normX) + ", exact " + formatError(point.exact) + ", estimate "
           + formatError(one.estimate) + ", variance of one feature " + formatError(one.variance);
}

std::string tokensText(int64_t tokens)
{
    return formatCounted(tokens, "token");
}

bool isTime(ScaleMetric figure)
{
    return figure == ScaleMetric::Time || figure == ScaleMetric::AttentionTime;
}

Measured measuredAt(const ScalePoint& point, ScaleMetric figure)
{
    const Measured values[] = {modelTime(point.latency),
                               attentionTime(point.latency),
                               {double(point.peakBytes)},
                               {double(point.attentionPeakBytes)}};
    return values[size_t(figure)];
}

std::optional<double> ratioOf(const ScalePoint& point, ScaleMetric figure)
{
    const std::optional<double> ratios[] = {point.timeRatio, point.attentionTimeRatio, point.memoryRatio,
                                            point.attentionMemoryRatio};
    return ratios[size_t(figure)];
}

std::string valueText(double value, ScaleMetric figure)
{
    return isTime(figure) ? formatMilliseconds(value).text() : formatBytes(int64_t(value)).text();
}

/// A style for each row of a report.
template <typename Rows>
std::vector<std::string> looksOfRows(const Rows& rows)
{
    std::vector<std::string> attentions;
    for (const auto& row : rows)
        attentions.push_back(row.attention);
    return seriesKeys(attentions);
}

ChartPoint scalePoint(const ScaleRow& row, const ScalePoint& point, ScaleMetric figure, ScaleValues values)
{
    ChartPoint shown{.x = double(point.tokens)};
    shown.missing = point.stopped;
    shown.title = row.attention + ", " + tokensText(point.tokens);
    if (!point.stopped.empty()) {
        shown.y = std::numeric_limits<double>::quiet_NaN();
        return shown;
    }
    const auto ratio = ratioOf(point, figure);
    const auto [mid, low, high] = measuredAt(point, figure);
    const bool absolute = values == ScaleValues::Absolute;
    shown.y = absolute ? mid : ratio.value_or(std::numeric_limits<double>::quiet_NaN());
    shown.title += ": " + valueText(mid, figure)
                   + (ratio ? ", " + formatRatio(*ratio) + " of explicit softmax" : "");
    if (absolute && isTime(figure))
        shown.low = low, shown.high = high;
    return shown;
}

ChartSeries publishedSeries(const ScaleRow& row, ScaleMetric figure)
{
    ChartSeries series{
        .name = row.backend + ", published", .backend = row.backend, .joined = false, .published = true};
    for (const PublishedRatio& ratio : row.published)
        series.points.push_back({.x = double(ratio.tokens),
                                 .y = figure == ScaleMetric::Memory ? ratio.memory : ratio.time,
                                 .title = row.backend + ", " + tokensText(ratio.tokens) + ", published: "
                                          + formatRatio(figure == ScaleMetric::Memory ? ratio.memory : ratio.time)
                                          + " of softmax"});
    return series;
}

const char* titleOf(ScaleMetric figure)
{
    constexpr const char* titles[] = {"Time of the encoder", "Time inside attention", "Peak memory of the encoder",
                                      "Peak memory of one attention"};
    return titles[size_t(figure)];
}

/// Whether the plans concern accuracy rather than the error of attention.
bool isOfAccuracy(const PlanReport& report)
{
    return report.labelled > 0 && needsLabels(report.kind);
}

ChartPoint accuracyPoint(const Plan& plan, int64_t labelled)
{
    const Interval bounds = wilson95(std::llround(*plan.accuracy * double(labelled)), labelled);
    ChartPoint point{
        .x = modelTime(*plan.latency).mid, .y = *plan.accuracy, .low = bounds.low, .high = bounds.high};
    point.title = plan.attention + ": " + formatMilliseconds(point.x).text() + ", top-1 "
                  + formatProbability(point.y) + " [" + formatProbability(bounds.low) + ", "
                  + formatProbability(bounds.high) + "] of " + std::to_string(labelled);
    return point;
}

ChartPoint planPoint(const Plan& plan)
{
    ChartPoint point{.x = modelTime(*plan.latency).mid, .y = *plan.error};
    point.title = plan.attention + ": " + formatMilliseconds(point.x).text() + ", relative error "
                  + formatError(point.y);
    return point;
}

/// Lines end where the standard deviation is so many times the kernel: more says nothing, and would hide what is measured.
double endOfLines(const KernelReport& report)
{
    double most = 1e4;
    for (const KernelHead& head : report.heads)
        for (const double stddev : head.relativeStddev)
            most = std::max(most, std::isfinite(stddev) ? 10 * stddev : 0);
    return most;
}

}

Chart errorChart(const ApproximateReport& report, ErrorPart part)
{
    Chart chart{.title = shownOf(part).title};
    chart.caption = "Mean squared difference from " + report.exact + ", the same q, k, v; mean over heads, "
                    + formatCounted(report.layers, "layer") + " and " + formatCount(report.inputs)
                    + " inputs; bands: standard deviation over seeds. " + tokensText(report.tokens) + ".";
    chart.x = {.title = "samples", .scale = AxisScale::Log, .numbers = AxisNumbers::Quantity};
    chart.y = {.title = shownOf(part).axis, .scale = AxisScale::Log};
    const auto [from, to] = samplesRange(report);
    const std::vector<std::string> looks = looksOfRows(report.curves);
    for (size_t i = 0; i < report.curves.size(); ++i) {
        const Curve& curve = report.curves[i];
        if (curve.flat && !curve.points.empty() && curve.points.front().unavailable.empty()) {
            chart.series.push_back(
                horizontal(curve.attention, looks[i], from, to, valueOf(curve.points.front(), part)));
            continue;
        }
        ChartSeries series{.name = curve.attention, .backend = looks[i]};
        for (const CurvePoint& point : curve.points)
            if (point.unavailable.empty())
                series.points.push_back(errorPoint(point, part));
        chart.series.push_back(std::move(series));
        if (part == ErrorPart::Variance && curve.varianceTimesSamples)
            chart.series.push_back(overSamples(curve, from, to));
    }
    if (part == ErrorPart::Total) {
        chart.series.push_back(horizontal("mean of the values", "", from, to, report.meanOfValues.mse));
        chart.series.push_back(horizontal("zero", "", from, to, report.meanSquare));
    }
    return chart;
}

Chart kernelChart(const KernelReport& report)
{
    Chart chart{.title = "Random features vs. norm"};
    chart.caption =
        "Standard deviation of the estimate of exp(x·y) from " + formatCount(report.samples)
        + " features, relative to its exact value; ‖x‖ = ‖y‖. Positive and hyperbolic features are exact for y = "
          "−x, "
          "trigonometric ones for y = x, and have no line there."
        + (report.heads.empty() ? "" : " Single marks: measured heads, medians over pairs of queries and keys.");
    chart.x = {.title = "norm of x and y, scaled as features see them", .name = "norm"};
    chart.y = {.title = "relative standard deviation, " + counted(report.samples, "feature"),
               .scale = AxisScale::Log,
               .name = "relative standard deviation"};
    const double most = endOfLines(report);
    for (size_t f = 0; f < kernelFeatures.size(); ++f) {
        const std::string name = toText(kernelFeatures[f]);
        for (const KernelCurve& curve : report.curves) {
            ChartSeries series{.name = kernelSeries(f, curve.angle), .backend = kernelLook(f, curve.angle)};
            for (const KernelPoint& point : curve.points)
                if (const double y = point.estimates[f].relativeStddev; y > 0 && y <= most)
                    series.points.push_back(
                        {.x = point.normX, .y = y, .title = kernelTitle(series.name, point, f)});
            if (!series.points.empty())
                chart.series.push_back(std::move(series));
        }
        ChartSeries heads{
            .name = name + ", measured", .backend = lookOfFeatures(f, kernelAngles.size()), .joined = false};
        for (const KernelHead& head : report.heads)
            if (const double y = head.relativeStddev[f]; y > 0 && std::isfinite(y))
                heads.points.push_back({.x = head.normQuery,
                                        .y = y,
                                        .title = name + ", layer " + formatCount(head.layer) + ", head "
                                                 + formatCount(head.head) + ": ‖q‖ " + formatError(head.normQuery)
                                                 + ", ‖k‖ " + formatError(head.normKey) + ", " + formatError(y)});
        if (!heads.points.empty())
            chart.series.push_back(std::move(heads));
    }
    return chart;
}

std::string kernelSeries(size_t features, KernelAngle angle)
{
    return std::string(toText(kernelFeatures[features])) + ", " + describe(angle);
}

std::string kernelLook(size_t features, KernelAngle angle)
{
    return lookOfFeatures(features, static_cast<size_t>(angle));
}

Chart kernelEstimateChart(const KernelReport& report, KernelAngle angle)
{
    Chart chart{.title = std::string("exp(x·y) and its estimates, ") + describe(angle)};
    chart.caption = "‖x‖ = ‖y‖; estimates from " + formatCount(report.samples)
                    + " features, bands: one standard deviation.";
    chart.x = {.title = "norm of x and y, scaled as features see them", .name = "norm"};
    chart.y = {.title = "exp(x·y)", .scale = AxisScale::Log};
    for (const KernelCurve& curve : report.curves) {
        if (curve.angle != angle)
            continue;
        ChartSeries exact{.name = "exact", .backend = "softmax"};
        double low = 1, high = 1;
        for (const KernelPoint& point : curve.points) {
            low = std::min(low, point.exact), high = std::max(high, point.exact);
            exact.points.push_back(
                {.x = point.normX,
                 .y = point.exact,
                 .title = "exact: norm " + formatError(point.normX) + ", exp(x·y) " + formatError(point.exact)});
        }
        // The variance of some features grows beyond all bounds: the exact values keep their place in the middle.
        constexpr double room = 100;
        chart.y.low = low /= room, chart.y.high = high *= room;
        chart.series.push_back(std::move(exact));
        for (size_t f = 0; f < kernelFeatures.size(); ++f) {
            ChartSeries series{.name = kernelSeries(f, angle), .backend = kernelLook(f, angle)};
            for (const KernelPoint& point : curve.points) {
                const double y = point.estimates[f].estimate,
                             stddev = point.estimates[f].relativeStddev * point.exact;
                if (y > low && y < high)
                    series.points.push_back({.x = point.normX,
                                             .y = y,
                                             .low = std::max(y - stddev, low),
                                             .high = std::min(y + stddev, high),
                                             .title = kernelTitle(series.name, point, f)});
            }
            if (!series.points.empty())
                chart.series.push_back(std::move(series));
        }
    }
    return chart;
}

Chart scaleChart(const ScaleReport& report, ScaleMetric figure, ScaleValues values)
{
    const ScaleRequest& r = report.request;
    Chart chart{.title = std::string(titleOf(figure))
                         + (values == ScaleValues::OverSoftmax ? " relative to explicit softmax" : "")};
    chart.caption = formatCounted(r.layers, "layer") + ", " + formatCount(r.width) + " dimensions, "
                    + formatCount(r.heads) + " heads; " + (r.backward ? "forward and backward" : "forward")
                    + ", batch 1, " + r.dtype + ", " + report.device.description
                    + (values == ScaleValues::OverSoftmax
                           ? ". Hollow markers: published (LARA paper, table 6; 16 landmarks or samples)."
                           : ".");
    chart.x = {.title = "tokens", .scale = AxisScale::Log, .numbers = AxisNumbers::Quantity};
    chart.y = {.title = values == ScaleValues::OverSoftmax ? "times softmax"
                        : isTime(figure)                   ? "time"
                                                           : "memory",
               .scale = AxisScale::Log,
               .numbers = values == ScaleValues::OverSoftmax ? AxisNumbers::Plain
                          : isTime(figure)                   ? AxisNumbers::Milliseconds
                                                             : AxisNumbers::Bytes};
    const std::vector<std::string> looks = looksOfRows(report.rows);
    for (size_t i = 0; i < report.rows.size(); ++i) {
        const ScaleRow& row = report.rows[i];
        ChartSeries series{.name = row.attention, .backend = looks[i]};
        for (const ScalePoint& point : row.points)
            series.points.push_back(scalePoint(row, point, figure, values));
        chart.series.push_back(std::move(series));
        const bool whole = figure == ScaleMetric::Time || figure == ScaleMetric::Memory;
        if (values == ScaleValues::OverSoftmax && whole && !row.published.empty())
            chart.series.push_back(publishedSeries(row, figure));
    }
    return chart;
}

Chart planChart(const PlanReport& report)
{
    const bool accuracy = isOfAccuracy(report);
    Chart chart{.title = accuracy ? "Plans: accuracy vs. latency" : "Plans: attention error vs. latency"};
    chart.caption = "Measured: one attention in all layers, and plans that mix attentions ("
                    + std::string(toText(report.kind)) + " budget). "
                    + (accuracy ? "Top-1 of " + std::to_string(report.labelled)
                                      + " labelled inputs, with the 95 % Wilson interval."
                                : "Relative error: mean over layers and heads on the same q, k, v.");
    chart.x = {.title = "latency of the model", .numbers = AxisNumbers::Milliseconds};
    chart.y = accuracy ? ChartAxis{.title = "top-1", .numbers = AxisNumbers::Percent}
                       : ChartAxis{.title = "relative error of attention"};
    std::vector<ChartPoint> all;
    const auto add = [&](const std::vector<Plan>& plans, bool uniform) {
        const std::vector<std::string> looks = looksOfRows(plans);
        for (size_t i = 0; i < plans.size(); ++i) {
            const Plan& plan = plans[i];
            if (!plan.latency || plan.uniform != uniform || !(accuracy ? plan.accuracy : plan.error))
                continue;
            const ChartPoint point = accuracy ? accuracyPoint(plan, report.labelled) : planPoint(plan);
            const std::string backend = uniform ? looks[i] : "mixed";
            const bool variant = backend.find('#') != std::string::npos;
            const std::string name = !uniform ? "mixed plans" : variant ? plan.attention : backend;
            auto series = std::ranges::find_if(chart.series, [&](const ChartSeries& s) { return s.name == name; });
            if (series == chart.series.end())
                series = chart.series.insert(chart.series.end(),
                                             {.name = name, .backend = backend, .joined = false});
            series->points.push_back(point);
            all.push_back(point);
        }
    };
    add(report.uniform, true);
    add(report.front, false);
    std::vector<double> across, up;
    for (const ChartPoint& point : all) {
        across.push_back(point.x);
        up.push_back(point.y);
    }
    fitScale(chart.x, across);
    if (!accuracy)
        fitScale(chart.y, up);
    for (const size_t index : paretoFront(all, Better::Lower, accuracy ? Better::Higher : Better::Lower))
        chart.front.push_back(all[index]);
    return chart;
}

std::string nameOf(HeadMetric figure)
{
    constexpr const char* names[] = {"relative error",
                                     "mean squared error",
                                     "bias²",
                                     "variance over seeds",
                                     "relative error of the class token",
                                     "relative error of the patches"};
    return names[size_t(figure)];
}

double valueOf(const HeadErrors& errors, HeadMetric figure)
{
    const auto relative = [](const std::optional<ErrorValue>& rows) {
        return rows ? rows->relative : std::numeric_limits<double>::quiet_NaN();
    };
    const double values[] = {errors.error.relative,       errors.error.mse,
                             errors.parts.biasSquared,    errors.parts.variance,
                             relative(errors.classToken), relative(errors.patches)};
    return values[size_t(figure)];
}

std::string titleOf(const InspectedLayer& layer)
{
    return layer.name.empty() ? "layer " + std::to_string(layer.layer) : layer.name;
}

HeatMap errorMap(const InspectedAttention& attention, InspectionMode mode, HeadMetric figure)
{
    const bool forced = mode == InspectionMode::TeacherForced;
    std::string name = nameOf(figure);
    HeatMap map{.caption = forced ? "Each layer receives the q, k, v of the exact pass."
                                  : "With the attention in every layer, compared with the exact pass.",
                .rowTitle = "layer",
                .columnTitle = "head"};
    const auto& layers = forced ? attention.teacherForced : attention.endToEnd;
    size_t heads = 0;
    for (const InspectedLayer& layer : layers)
        heads = std::max(heads, layer.heads.size());
    for (size_t head = 0; head < heads; ++head)
        map.columns.push_back(std::to_string(head));
    for (const InspectedLayer& layer : layers) {
        map.rows.push_back(layer.name.empty() ? std::to_string(layer.layer) : layer.name);
        for (size_t head = 0; head < heads; ++head) {
            const bool there = head < layer.heads.size();
            const double value = there ? valueOf(layer.heads[head], figure)
                                       : std::numeric_limits<double>::quiet_NaN();
            map.values.push_back(value);
            map.labels.push_back(std::isfinite(value) ? formatError(value) : "");
            map.titles.push_back(titleOf(layer) + ", head " + std::to_string(head) + ", " + name + " "
                                 + formatError(value));
        }
    }
    map.scale = AxisScale::Log;
    name.front() = char(std::toupper(static_cast<unsigned char>(name.front())));
    map.title = name + " of " + attention.attention;
    return map;
}

Chart driftChart(const LayerInspection& inspection)
{
    Chart chart{.title = "Drift of every block's output"};
    chart.caption = "With the attention in every layer, compared with the exact pass: relative difference of "
                    "block outputs, mean "
                    "over seeds.";
    chart.x = {.title = "layer"};
    chart.y = {.title = "relative difference", .low = 0};
    const std::vector<std::string> looks = looksOfRows(inspection.attention);
    size_t number = 0;
    for (const InspectedAttention& one : inspection.attention) {
        ChartSeries series{.name = one.attention, .backend = looks[number++]};
        for (size_t i = 0; i < one.drift.size(); ++i)
            series.points.push_back(
                {.x = double(i),
                 .y = one.drift[i],
                 .title = one.attention + ", layer " + std::to_string(i) + ": " + formatError(one.drift[i])});
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    return chart;
}

}

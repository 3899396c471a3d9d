#include "core/base/format.h"
#include "core/report/group.h"
#include "core/report/published_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// The costs that accuracy is plotted against.
constexpr const char* costs[] = {"latency", "memory", "error"};

std::optional<double> costOf(const Measure& cost, const GroupRun& run)
{
    const auto value = cost.of(measurementsOf(run));
    return value && std::isfinite(value->mid) && run.accuracy.known() ? std::optional(value->mid) : std::nullopt;
}

/// Published accuracies refer to the whole ImageNet-1k validation set, and are only shown for it.
bool isImageNet(const Group& group)
{
    return group.classes.size() == 1000 && group.first().samples == 50'000;
}

std::string hover(const GroupRun& run, const Measure& cost, double x)
{
    const Cell accuracy = accuracyCell(run.accuracy);
    return fmt::format("{} ({}): top-1 {} {}, {} {}, {}", run.name, toText(run.run.weights),
                       english(accuracy.text), english(accuracy.small), cost.key, quantityOf(cost.unit, x).text(),
                       formatCounted(run.accuracy.samples, "sample"));
}

void addPublished(Chart& chart, const Group& group, const Measure& cost)
{
    for (const GroupRun& run : group.runs) {
        const auto x = costOf(cost, run);
        if (!x)
            continue;
        ChartSeries series{"published, " + run.run.backend, run.run.backend, false, true, {}};
        if (const auto percent = timmPercent(*run.evaluation, run.run))
            series.points.push_back({.x = *x,
                                     .y = *percent / 100,
                                     .low = {},
                                     .high = {},
                                     .title = fmt::format("published: {:.3f} % ({})", *percent, timmSource),
                                     .missing = {}});
        for (const PublishedAccuracy& known : publishedAccuracies(run.evaluation->settings.model)) {
            if (known.backend != run.run.backend || !isImageNet(group))
                continue;
            ChartPoint point{.x = *x, .y = known.percent / 100};
            point.title = fmt::format("published: {} of {}, {} ({})", formatPercent(point.y), known.network,
                                      known.setting, publishedSource);
            series.points.push_back(point);
        }
        if (!series.points.empty())
            chart.series.push_back(series);
    }
}

ReportFigure costFigure(const Group& group, const Measure& cost, const std::string& prefix)
{
    Chart chart;
    chart.title = fmt::format("Accuracy vs. {}", cost.key);
    chart.x = {.title = english(cost.axis),
               .numbers = cost.unit == MeasureUnit::Milliseconds ? AxisNumbers::Milliseconds
                          : cost.unit == MeasureUnit::Bytes      ? AxisNumbers::Bytes
                                                                 : AxisNumbers::Plain};
    chart.y = {.title = "top-1", .numbers = AxisNumbers::Percent};
    std::vector<ChartPoint> all;
    std::vector<double> across;
    for (const GroupRun& run : group.runs) {
        const auto x = costOf(cost, run);
        if (!x)
            continue;
        const auto [low, high] = run.accuracy.interval();
        all.push_back(
            {.x = *x, .y = run.accuracy.value(), .low = low, .high = high, .title = hover(run, cost, *x)});
        across.push_back(*x);
        chart.series.push_back({run.name, run.look, false, false, {all.back()}});
    }
    fitScale(chart.x, across);
    if (all.size() > 1)
        for (const size_t i : paretoFront(all, Better::Lower, Better::Higher))
            chart.front.push_back(all[i]);
    addPublished(chart, group, cost);
    chart.caption = fmt::format(
        "Upper left is better; bars are 95 % Wilson intervals, the dashed line is the Pareto front.{}",
        chart.series.back().published ? " Hollow: published accuracy at the cost measured here." : "");
    return {prefix + "accuracy-" + std::string(cost.key), chart, chart.caption};
}

constexpr size_t maxClasses = 30;

}

std::vector<ReportFigure> costFigures(const Group& group, const std::string& prefix)
{
    std::vector<ReportFigure> figures;
    for (const char* cost : costs)
        if (std::ranges::any_of(group.runs,
                                [&](const GroupRun& run) { return costOf(measure(cost), run).has_value(); }))
            figures.push_back(costFigure(group, measure(cost), prefix));
    return figures;
}

std::optional<ReportFigure> calibrationFigure(const Group& group, const std::string& prefix)
{
    Chart chart;
    chart.title = "Reliability";
    chart.caption = "Accuracy in 15 bins of the first class's probability. Below the faint diagonal a network is "
                    "overconfident; bins of few samples scatter.";
    chart.x = {.title = "predicted probability", .numbers = AxisNumbers::Percent, .low = 0, .high = 1};
    chart.y = {.title = "accuracy", .numbers = AxisNumbers::Percent, .low = 0, .high = 1};
    for (const GroupRun& run : group.runs) {
        ChartSeries series{.name = run.name, .backend = run.look, .points = {}};
        for (const CalibrationBin& bin : run.calibration.bins())
            if (bin.accuracy.known() && std::isfinite(bin.confidence()))  // a store of others may have NaN
                series.points.push_back(
                    {.x = bin.confidence(),
                     .y = bin.accuracy.value(),
                     .low = {},
                     .high = {},
                     .title = fmt::format("{}: {} of {} right at {}", run.name, bin.accuracy.correct,
                                          bin.accuracy.samples, formatPercent(bin.confidence())),
                     .missing = {}});
        if (!series.points.empty())
            chart.series.push_back(std::move(series));
    }
    if (chart.series.empty())
        return {};
    chart.series.push_back(
        {.name = {}, .backend = {}, .points = {{.x = 0, .y = 0}, {.x = 1, .y = 1}}, .line = SeriesLine::Faint});
    return ReportFigure{prefix + "reliability", chart, chart.caption};
}

std::optional<ReportFigure> classFigure(const Group& group, const ResultStore& store, const std::string& prefix)
{
    if (group.classes.size() > maxClasses || group.classes.size() < 2)
        return {};
    HeatMap map;
    map.title = "Accuracy by class";
    map.columns = group.classes;
    for (const GroupRun& run : group.runs) {
        if (run.accuracy.samples == 0)
            continue;
        map.rows.push_back(run.name);
        std::vector<double> row(group.classes.size(), std::numeric_limits<double>::quiet_NaN());
        std::vector<std::string> titles(group.classes.size());
        for (const ClassAccuracy& found : store.classAccuracies(run.run.id)) {
            if (found.label < 0 || found.label >= int64_t(row.size()))
                continue;
            row[size_t(found.label)] = found.accuracy.value();
            titles[size_t(found.label)] = fmt::format("{}, {}: {} of {}", run.name,
                                                      english(className(found.label, group.classes)),
                                                      found.accuracy.correct, found.accuracy.samples);
        }
        for (size_t i = 0; i < row.size(); ++i) {
            map.values.push_back(row[i]);
            map.labels.push_back(std::isfinite(row[i]) ? fmt::format("{:.0f}", row[i] * 100) : "");
            map.titles.push_back(titles[i]);
        }
    }
    return ReportFigure{prefix + "classes", map, "Top-1 in percent; yellow is higher."};
}

std::vector<ReportFigure> confusionFigures(const Group& group, const ResultStore& store, const std::string& prefix)
{
    constexpr size_t maxRuns = 4;
    std::vector<ReportFigure> figures;
    if (group.classes.size() > maxClasses || group.classes.size() < 2)
        return figures;
    const size_t count = group.classes.size();
    for (const GroupRun& run : group.runs) {
        if (run.accuracy.samples == 0 || figures.size() == maxRuns)
            continue;
        HeatMap map;
        map.title = run.name;
        map.rowTitle = "true class";
        map.columnTitle = "predicted class";
        map.rows = map.columns = group.classes;
        map.values.assign(count * count, 0);
        std::vector<double> totals(count, 0);
        const auto inside = [&](int64_t value) { return value >= 0 && value < int64_t(count); };
        for (const ClassAccuracy& found : store.classAccuracies(run.run.id)) {
            if (!inside(found.label))
                continue;
            const auto label = size_t(found.label);
            totals[label] = double(found.accuracy.samples);
            map.values[label * count + label] = double(found.accuracy.correct);
        }
        for (const Confusion& found : store.worstConfusions(run.run.id, -1))
            if (inside(found.label) && inside(found.prediction))
                map.values[size_t(found.label) * count + size_t(found.prediction)] = double(found.samples);
        for (size_t cell = 0; cell < map.values.size(); ++cell) {
            const double total = totals[cell / count], samples = map.values[cell];
            map.titles.push_back(fmt::format("{} predicted as {}: {} of {}", group.classes[cell / count],
                                             group.classes[cell % count], samples, total));
            map.labels.push_back(
                count <= 12 && total > 0 && samples > 0 ? fmt::format("{:.0f}", 100 * samples / total) : "");
            map.values[cell] = total > 0 ? samples / total : std::numeric_limits<double>::quiet_NaN();
        }
        figures.push_back({fmt::format("{}confusion-{}", prefix, figures.size() + 1), map,
                           "Percentage of each true class's samples."});
    }
    return figures;
}

}

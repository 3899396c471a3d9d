#include "core/base/format.h"
#include "core/report/group.h"
#include "core/report/published_accuracy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

/// One of the costs that accuracy is plotted against.
struct Cost {
    const char* name;
    ChartAxis axis;
    std::optional<double> (*of)(const StoredRun&);
    std::string (*text)(double);
};

const std::vector<Cost>& costs()
{
    static const std::vector<Cost> all{
        {"latency",
         {.title = "latency of one forward pass", .numbers = AxisNumbers::Milliseconds},
         [](const StoredRun& run) { return run.latency ? std::optional(run.latency->medianMs) : std::nullopt; },
         [](double value) { return formatMilliseconds(value).text(); }},
        {"memory",
         {.title = "peak memory of one forward pass", .numbers = AxisNumbers::Bytes},
         [](const StoredRun& run) {
             return run.memory ? std::optional(double(run.memory->peakBytes)) : std::nullopt;
         },
         [](double value) { return formatBytes(std::int64_t(value)).text(); }},
        {"error",
         {.title = "relative error of the attention output"},
         [](const StoredRun& run) { return run.error ? std::optional(run.error->relative) : std::nullopt; },
         [](double value) { return formatError(value); }}};
    return all;
}

/// Published accuracies refer to the whole ImageNet-1k validation set, and are only shown for it.
bool isImageNet(const Group& group)
{
    return group.classes.size() == 1000 && group.first().samples == 50'000;
}

std::string hover(const GroupRun& run, const Cost& cost, double x)
{
    return fmt::format("{} ({}): top-1 {} {}, {} {}, {}", run.name, toText(run.run.weights),
                       percent(run.accuracy.top1()), intervalText(run.top1()), cost.name, cost.text(x),
                       formatCounted(run.accuracy.samples, "sample"));
}

void addPublished(Chart& chart, const Group& group, const Cost& cost)
{
    if (!isImageNet(group))
        return;
    for (const GroupRun& run : group.runs) {
        const auto x = cost.of(run.run);
        if (!x || run.accuracy.samples == 0)
            continue;
        ChartSeries series{"published, " + run.run.backend, run.run.backend, false, true, {}};
        for (const PublishedAccuracy& known : publishedAccuracies(run.evaluation->settings.model)) {
            if (known.backend != run.run.backend)
                continue;
            ChartPoint point{.x = *x, .y = known.percent / 100};
            point.title = fmt::format("published: {} of {}, {} ({})", percent(point.y), known.network,
                                      known.setting, publishedSource);
            series.points.push_back(point);
        }
        if (!series.points.empty())
            chart.series.push_back(series);
    }
}

ReportFigure costFigure(const Group& group, const Cost& cost, const std::string& prefix)
{
    Chart chart;
    chart.title = fmt::format("Accuracy vs. {}", cost.name);
    chart.x = cost.axis;
    chart.y = {.title = "top-1", .numbers = AxisNumbers::Percent};
    std::vector<ChartPoint> all;
    std::vector<double> across;
    for (const GroupRun& run : group.runs) {
        const auto x = cost.of(run.run);
        if (!x || !std::isfinite(*x) || run.accuracy.samples == 0)
            continue;
        const auto [low, high] = run.top1();
        all.push_back(
            {.x = *x, .y = run.accuracy.top1(), .low = low, .high = high, .title = hover(run, cost, *x)});
        across.push_back(*x);
        chart.series.push_back({run.name, run.look, false, false, {all.back()}});
    }
    fitScale(chart.x, across);
    if (all.size() > 1)
        for (const std::size_t i : paretoFront(all, Better::Lower, Better::Higher))
            chart.front.push_back(all[i]);
    addPublished(chart, group, cost);
    chart.caption = fmt::format(
        "Upper left is better; bars are 95 % Wilson intervals, the dashed line is the Pareto front.{}",
        isImageNet(group) ? " Hollow: published accuracy at the cost measured here." : "");
    return {prefix + "accuracy-" + cost.name, chart, chart.caption};
}

constexpr std::size_t mostClasses = 30;

}

std::vector<ReportFigure> costFigures(const Group& group, const std::string& prefix)
{
    std::vector<ReportFigure> figures;
    for (const Cost& cost : costs()) {
        const auto isMeasured = [&](const GroupRun& run) {
            return run.accuracy.samples > 0 && std::isfinite(cost.of(run.run).value_or(NAN));
        };
        if (std::ranges::any_of(group.runs, isMeasured))
            figures.push_back(costFigure(group, cost, prefix));
    }
    return figures;
}

std::optional<ReportFigure> classFigure(const Group& group, const ResultStore& store, const std::string& prefix)
{
    if (group.classes.size() > mostClasses || group.classes.size() < 2)
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
            if (found.label < 0 || found.label >= std::int64_t(row.size()))
                continue;
            row[std::size_t(found.label)] = found.accuracy.top1();
            titles[std::size_t(found.label)] = fmt::format("{}, {}: {} of {}", run.name,
                                                           group.className(found.label), found.accuracy.correct1,
                                                           found.accuracy.samples);
        }
        for (std::size_t i = 0; i < row.size(); ++i) {
            map.values.push_back(row[i]);
            map.labels.push_back(std::isfinite(row[i]) ? fmt::format("{:.0f}", row[i] * 100) : "");
            map.titles.push_back(titles[i]);
        }
    }
    return ReportFigure{prefix + "classes", map, "Top-1 in percent; yellow is higher."};
}

std::vector<ReportFigure> confusionFigures(const Group& group, const ResultStore& store, const std::string& prefix)
{
    constexpr std::size_t mostRuns = 4;
    std::vector<ReportFigure> figures;
    if (group.classes.size() > mostClasses || group.classes.size() < 2)
        return figures;
    const std::size_t count = group.classes.size();
    for (const GroupRun& run : group.runs) {
        if (run.accuracy.samples == 0 || figures.size() == mostRuns)
            continue;
        HeatMap map;
        map.title = run.name;
        map.rowTitle = "true class";
        map.columnTitle = "predicted class";
        map.rows = map.columns = group.classes;
        map.values.assign(count * count, 0);
        std::vector<double> totals(count, 0);
        const auto inside = [&](std::int64_t value) { return value >= 0 && value < std::int64_t(count); };
        for (const ClassAccuracy& found : store.classAccuracies(run.run.id)) {
            if (!inside(found.label))
                continue;
            const auto label = std::size_t(found.label);
            totals[label] = double(found.accuracy.samples);
            map.values[label * count + label] = double(found.accuracy.correct1);
        }
        for (const Confusion& found : store.worstConfusions(run.run.id, -1))
            if (inside(found.label) && inside(found.prediction))
                map.values[std::size_t(found.label) * count + std::size_t(found.prediction)] = double(
                    found.samples);
        for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
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

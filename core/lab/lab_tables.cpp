#include "core/lab/lab_tables.h"

#include "core/attention/network/attention_title.h"
#include "core/base/format.h"
#include "core/figure/chart.h"
#include "core/measure/paired_ratio.h"
#include "core/measure/proportions.h"
#include "core/run/measures.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

namespace attnscope {

namespace {

const ScalePoint* lastMeasured(const ScaleRow& row)
{
    const auto found = std::ranges::find_if(std::views::reverse(row.points),
                                            [](const ScalePoint& point) { return point.stopped.empty(); });
    return found == row.points.rend() ? nullptr : &*found;
}

/// Where a row is faster than `other`; "≈" if only its medians are.
Cell fasterCell(const ScaleRow& row, const ScaleRow& other, const std::optional<double>& from)
{
    Cell cell = &row == &other ? Cell() : fromCell(from);
    if (from && !clearlyFaster(row, other)) {
        cell.text = joined({"≈", cell.text}, " ");
        cell.dim = true;
        cell.help = ATTN_TEXT("Based on medians; at the longest length the difference is not clear");
    }
    return cell;
}

Cell publishedCell(const ScaleRow& row, int64_t tokens)
{
    for (const PublishedRatio& one : row.published)
        if (one.tokens == tokens)
            return numberCell(one.time, formatGain(one.time) + " · " + formatGain(one.memory));
    return {};
}

std::vector<Cell> scaleNames(const ScaleReport& report)
{
    std::vector<Cell> names = attentionCellsOf(report.rows);
    for (Cell& name : names)
        name.title = scaleTitle(english(name.text));
    return names;
}

Row scalePoint(const Cell& name, const ScaleRow& row, const ScalePoint& point)
{
    Row made{{name, countCell(point.tokens)}};
    if (!point.stopped.empty()) {
        made.cells.resize(10);
        made.cells.insert(made.cells.end(),
                          {publishedCell(row, point.tokens), Cell(),
                           Cell{.text = ATTN_TEXT("stopped: %1").arg(point.stopped), .help = point.stopped}});
        return made;
    }
    made.cells.insert(made.cells.end(),
                      {millisecondsCell(modelTime(point.latency)), ratioCell(point.timeRatio),
                       millisecondsCell(attentionTime(point.latency)), ratioCell(point.attentionTimeRatio),
                       bytesCell(point.peakBytes), ratioCell(point.memoryRatio),
                       bytesCell(point.attentionPeakBytes), ratioCell(point.attentionMemoryRatio),
                       publishedCell(row, point.tokens), countCell(point.latency.repetitions),
                       millisecondsRange(modelTime(point.latency))});
    return made;
}

Row errorRow(const Cell& name, const CurvePoint& point)
{
    Row made{{name, point.samples > 0 ? countCell(point.samples) : Cell{ATTN_TEXT("any")}}};
    if (!point.unavailable.empty()) {
        made.cells.resize(7);
        made.cells.push_back({.text = point.unavailable, .help = point.unavailable});
        return made;
    }
    const auto ofSeeds = [&](double value) { return point.seeds > 1 ? errorCell(value) : Cell(); };
    made.cells.insert(
        made.cells.end(),
        {errorCell(point.error.mse), ofSeeds(point.error.mseStddev), ofSeeds(point.parts.biasSquared),
         ofSeeds(point.parts.variance), errorCell(point.error.relative),
         Cell{point.deterministic ? ATTN_TEXT("deterministic") : ATTN_COUNT("%1 seed(s)").of(point.seeds)}});
    return made;
}

void addFeatureColumns(Table& table, const Text& help)
{
    for (const KernelFeatures features : kernelFeatures)
        table.columns.push_back({.title = toText(features), .help = help, .number = true});
}

}

Text scaleTitle(const std::string& attention)
{
    if (attention == AttentionSpec::explicitReference().canonical())
        return ATTN_TEXT("softmax, explicit");
    return attention == referenceBackend ? ATTN_TEXT("softmax, fused") : attentionTitle(attention);
}

bool clearlyFaster(const ScaleRow& row, const ScaleRow& other)
{
    const ScalePoint *a = lastMeasured(row), *b = lastMeasured(other);
    if (a == nullptr || b == nullptr || a->tokens != b->tokens)
        return a != nullptr && b != nullptr && a->tokens > b->tokens;
    // By the longest length with enough rounds for a verdict.
    for (const ScalePoint& ours : std::views::reverse(row.points))
        for (const ScalePoint& theirs : other.points)
            if (const SpeedVerdict verdict = compareSpeed(ours.latency, theirs.latency);
                ours.tokens == theirs.tokens && verdict.ratio)
                return verdict.speed == Speed::Faster;
    return false;
}

Table scaleExponents(const ScaleReport& report)
{
    Table table{
        .columns = {
            {ATTN_TEXT("Attention")},
            {ATTN_TEXT("Time ∝ Nᵖ, p ="), ATTN_TEXT("Exponent of encoder time over the longest lengths"), true},
            {ATTN_TEXT("attention only"), ATTN_TEXT("Exponent of the time inside attention"), true},
            {ATTN_TEXT("memory"), ATTN_TEXT("Exponent of the peak memory of one attention"), true},
            {ATTN_TEXT("theoretical"), ATTN_TEXT("Exponents of time and memory stated in its paper"), true},
            {ATTN_TEXT("Faster than explicit"),
             ATTN_TEXT("Length from which its encoder is faster than with explicit softmax"), true},
            {ATTN_TEXT("than fused"), ATTN_TEXT("Length from which its encoder is faster than with fused softmax"),
             true},
            {ATTN_TEXT("Smaller"),
             ATTN_TEXT("Length from which its encoder needs less memory than with explicit softmax"), true}}};
    const std::vector<Cell> names = scaleNames(report);
    for (size_t i = 0; i < names.size(); ++i) {
        const ScaleRow& row = report.rows[i];
        table.rows.push_back({{names[i],
                               decimalCell(row.exponents.time),
                               decimalCell(row.exponents.attentionTime),
                               decimalCell(row.exponents.attentionMemory),
                               {axisNumber(row.claimedTime, AxisNumbers::Plain) + ", "
                                + axisNumber(row.claimedMemory, AxisNumbers::Plain)},
                               fasterCell(row, report.rows[0], row.breakEvenExplicit),
                               fasterCell(row, report.rows[1], row.breakEvenFused),
                               i == 0 ? Cell() : fromCell(row.breakEvenMemory)},
                              row.attention});
    }
    return table;
}

Table scalePoints(const ScaleReport& report)
{
    const Column ratio{ATTN_TEXT("ratio"), ATTN_TEXT("Relative to explicit softmax at the same length"), true};
    Table table{
        .columns = {
            {ATTN_TEXT("Attention")},
            {.title = ATTN_TEXT("Tokens"), .number = true},
            {ATTN_TEXT("Encoder"), ATTN_TEXT("Median time of a pass"), true},
            ratio,
            {ATTN_TEXT("Attention only"), ATTN_TEXT("Median time inside attention"), true},
            ratio,
            {ATTN_TEXT("Peak memory"), ATTN_TEXT("Peak tensor memory of a pass, above the level before it"), true},
            ratio,
            {ATTN_TEXT("attention peak"), ATTN_TEXT("Peak memory of the attention in the largest layer"), true,
             true},
            ratio,
            {ATTN_TEXT("Published"),
             ATTN_TEXT("Time and memory relative to softmax, LARA paper, table 6, 16 samples"), true},
            {ATTN_TEXT("Passes"), ATTN_TEXT("Number of timed passes"), true},
            {ATTN_TEXT("5 % – 95 %"), ATTN_TEXT("Percentiles of the time of a pass, or why there is none"),
             true}}};
    table.columns[9].detail = true;
    const std::vector<Cell> names = scaleNames(report);
    for (size_t i = 0; i < report.request.lengths.size(); ++i)
        for (size_t row = 0; row < names.size(); ++row)
            if (i < report.rows[row].points.size())
                table.rows.push_back(scalePoint(names[row], report.rows[row], report.rows[row].points[i]));
    return table;
}

Text curveTitle(const Curve& curve)
{
    const std::string behind = " · ", title = english(attentionTitle(curve.attention));
    const size_t options = title.find(behind);
    if (curve.flat)
        return attentionTitle(curve.attention);
    return backendOfSpec(curve.attention) + (options == std::string::npos ? "" : title.substr(options));
}

Table approximationErrors(const ApproximateReport& report)
{
    Table table{
        .columns = {
            {ATTN_TEXT("Attention")},
            {ATTN_TEXT("Samples S"), ATTN_TEXT("Number of random features or landmarks"), true},
            {ATTN_TEXT("MSE"), ATTN_TEXT("Mean squared error with respect to exact attention; mean over seeds"),
             true},
            {ATTN_TEXT("std. dev."), ATTN_TEXT("Standard deviation over seeds"), true},
            {ATTN_TEXT("bias²"), ATTN_TEXT("The part that more seeds do not average out"), true},
            {.title = ATTN_TEXT("variance"), .number = true},
            {ATTN_TEXT("relative"), ATTN_TEXT("Norm of the difference over the norm of the exact output"), true},
            {ATTN_TEXT("Seeds")}}};
    std::vector<Cell> names = attentionCellsOf(report.curves);
    for (size_t i = 0; i < names.size(); ++i) {
        names[i].title = curveTitle(report.curves[i]);
        for (const CurvePoint& point : report.curves[i].points)
            table.rows.push_back(errorRow(names[i], point));
    }
    const auto baseline = [&](const Text& title, double mse, double relative) {
        table.add({{title}, {}, errorCell(mse), {}, {}, {}, errorCell(relative), {ATTN_TEXT("baseline")}});
    };
    baseline(ATTN_TEXT("mean of the values"), report.meanOfValues.mse, report.meanOfValues.relative);
    baseline(ATTN_TEXT("zero"), report.meanSquare, 1);
    return table;
}

Cell planAccuracy(const Plan& plan, int64_t labelled)
{
    if (!plan.accuracy)
        return {};
    return accuracyCell({labelled, std::llround(*plan.accuracy * double(labelled))});
}

Text planTitle(const PlanReport& report, const Plan& plan)
{
    if (plan.uniform)
        return scaleTitle(plan.attention);
    std::vector<Text> parts;
    std::set<size_t> seen;
    for (const size_t choice : plan.choice)
        if (seen.insert(choice).second)
            parts.push_back(joined({std::to_string(std::ranges::count(plan.choice, choice)) + "×",
                                    attentionTitle(report.candidates[choice])},
                                   " "));
    return joined(parts, ", ");
}

Table measuredPlans(const PlanReport& report)
{
    Table table{.columns = {{ATTN_TEXT("Plan")},
                            {ATTN_TEXT("Latency"), ATTN_TEXT("Median latency of the whole model"), true},
                            {ATTN_TEXT("Error"),
                             ATTN_TEXT("Relative error, mean over layers with the same q, k, v"), true},
                            {ATTN_TEXT("KL"), ATTN_TEXT("KL divergence of the class distribution, in nats"), true},
                            {ATTN_TEXT("top-1 agreement"),
                             ATTN_TEXT("Fraction of inputs with the same top-1 class as softmax"), true},
                            {ATTN_TEXT("predicted latency"),
                             ATTN_TEXT("Sum over the layers, and what is outside attention"), true},
                            {ATTN_TEXT("predicted error"), ATTN_TEXT("Mean over the layers"), true}}};
    if (report.labelled > 0)
        table.columns.insert(table.columns.begin() + 2,
                             {ATTN_TEXT("Top-1"),
                              ATTN_COUNT("Of %1 labelled input(s), with the 95 % interval").of(report.labelled),
                              true});
    std::vector<const Plan*> measured;
    for (const auto* list : {&report.uniform, &report.front})
        for (const Plan& plan : *list)
            if (plan.latency && (list == &report.uniform || !plan.uniform))
                measured.push_back(&plan);
    std::ranges::stable_sort(measured, {}, [](const Plan* plan) { return modelTime(*plan->latency).mid; });
    const std::vector<Cell> uniform = attentionCellsOf(report.uniform);
    for (const Plan* plan : measured) {
        const bool chosen = report.chosen && report.chosen->attention == plan->attention;
        const auto same = std::ranges::find(report.uniform, plan->attention, &Plan::attention);
        const Text title = planTitle(report, *plan);
        Row row{{{.text = plan->attention,
                  .title = chosen ? joined({"★", title}, " ") : title,
                  .look = plan->uniform ? uniform[size_t(same - report.uniform.begin())].look : "mixed",
                  .help = plan->attention},
                 millisecondsCell(modelTime(*plan->latency)),
                 errorCell(plan->error),
                 errorCell(plan->divergence),
                 probabilityCell(plan->agreement),
                 millisecondsCell(plan->predictedMs),
                 errorCell(plan->predictedError)},
                plan->attention};
        if (report.labelled > 0)
            row.cells.insert(row.cells.begin() + 2, planAccuracy(*plan, report.labelled));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table planLayers(const PlanReport& report, const Plan& plan)
{
    Table table{
        .columns = {{.title = ATTN_TEXT("Layer"), .number = true},
                    {ATTN_TEXT("Attention")},
                    {ATTN_TEXT("Time"), ATTN_TEXT("Median time inside this layer's attention"), true},
                    {ATTN_TEXT("softmax"), ATTN_TEXT("Median time inside exact softmax in this layer"), true},
                    {ATTN_TEXT("Error"), ATTN_TEXT("Relative error with the q, k, v of the exact pass"), true},
                    {ATTN_TEXT("KL, this layer only"),
                     ATTN_TEXT("KL divergence of the class distribution when only this layer is replaced"),
                     true}}};
    for (size_t layer = 0; layer < plan.choice.size() && layer < report.layers.size(); ++layer) {
        const size_t choice = plan.choice[layer];
        const LayerOption& option = report.layers[layer][choice];
        table.add({countCell(int64_t(layer)), attentionCells({report.candidates[choice]}).front(),
                   millisecondsCell(option.milliseconds),
                   millisecondsCell(report.layers[layer].front().milliseconds), errorCell(option.relativeError),
                   errorCell(option.divergence)});
    }
    return table;
}

Table kernelValues(std::span<const KernelPoint> points)
{
    Table table{.columns = {{ATTN_TEXT("Norm"), ATTN_TEXT("‖x‖, scaled as features see it"), true},
                            {ATTN_TEXT("exp(x·y)"), ATTN_TEXT("The exact value"), true}}};
    addFeatureColumns(table, ATTN_TEXT("Estimate from all features, ± its standard deviation"));
    for (const KernelPoint& point : points) {
        table.add({errorCell(point.normX), errorCell(point.exact)});
        for (const KernelEstimate& one : point.estimates) {
            table.rows.back().cells.push_back(errorCell(one.estimate));
            table.rows.back().cells.back().small = "± " + formatError(one.relativeStddev * point.exact);
        }
    }
    return table;
}

Table kernelHeads(const KernelReport& report)
{
    Table table{
        .caption = ATTN_TEXT("Standard deviation relative to the kernel, median over pairs of queries and keys"),
        .columns = {{.title = ATTN_TEXT("Layer"), .number = true},
                    {.title = ATTN_TEXT("Head"), .number = true},
                    {ATTN_TEXT("‖q‖"), ATTN_TEXT("Mean norm of the queries, scaled as features see them"), true},
                    {ATTN_TEXT("‖k‖"), ATTN_TEXT("Mean norm of the keys"), true}}};
    addFeatureColumns(table, table.caption);
    for (const KernelHead& head : report.heads) {
        table.add(
            {countCell(head.layer), countCell(head.head), errorCell(head.normQuery), errorCell(head.normKey)});
        for (const double stddev : head.relativeStddev)
            table.rows.back().cells.push_back(errorCell(stddev));
    }
    return table;
}

}

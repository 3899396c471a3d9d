#include "core/attention/network/attention_title.h"
#include "core/base/format.h"
#include "core/lab/lab_tables.h"
#include "core/measure/proportions.h"
#include "core/run/measures.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <ranges>
#include <set>

namespace attnscope {

namespace {

/// Two digits, as a length between two that were measured deserves: 1 432 → 1 400.
Text rounded(double length)
{
    const double step = std::pow(10, std::max(0.0, std::floor(std::log10(length)) - 1));
    return formatCount(std::llround(std::round(length / step) * step));
}

bool isMeasured(const ScalePoint& point)
{
    return point.stopped.empty();
}

struct Winner {
    Text name;
    double from = 0;
    bool always = false;  ///< cheaper at the first length already
};

Winner winner(const ScaleRow& row, double from)
{
    const auto first = std::ranges::find_if(row.points, isMeasured);
    return {scaleTitle(row.attention), from, first != row.points.end() && double(first->tokens) >= from};
}

/// "performer 64 beats fused softmax from N ≈ 1 200, lara 49 from 1 400".
Text winnersText(std::vector<Winner> winners, const Text& than)
{
    constexpr size_t most = 2;
    std::ranges::sort(winners, {}, &Winner::from);
    std::vector<Text> parts;
    for (size_t i = 0; i < std::min(winners.size(), most); ++i) {
        const Winner& one = winners[i];
        const Text where = one.always ? ATTN_TEXT("at every length")
                           : i == 0   ? ATTN_TEXT("from N ≈ %1").arg(rounded(one.from))
                                      : ATTN_TEXT("from %1").arg(rounded(one.from));
        parts.push_back(i == 0 ? ATTN_TEXT("%1 beats %2 %3").arg(one.name, than, where)
                               : joined({one.name, where}, " "));
    }
    if (winners.size() > most)
        parts.push_back(ATTN_TEXT("%1 more at longer lengths").arg(std::to_string(winners.size() - most)));
    return joined(parts, ", ");
}

const CurvePoint* lastOf(const Curve& curve)
{
    for (const auto& point : curve.points | std::views::reverse)
        if (point.unavailable.empty() && std::isfinite(point.error.mse))
            return &point;
    return nullptr;
}

Text loadOf(const Environment& environment)
{
    return ATTN_TEXT("load %1").arg(decimalCell(environment.loadAverage, 1).text);
}

/// Exact softmax in every layer.
const Plan* exactPlan(const PlanReport& report)
{
    for (const Plan& plan : report.uniform)
        if (!report.candidates.empty() && plan.attention == report.candidates.front() && plan.latency)
            return &plan;
    return nullptr;
}

/// Median over heads, by feature map.
double medianStddev(const std::vector<KernelHead>& heads, size_t features)
{
    std::vector<double> values;
    for (const KernelHead& head : heads)
        values.push_back(head.relativeStddev[features]);
    const auto middle = values.begin() + ptrdiff_t(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

std::string fileName(const std::string& path)
{
    return std::filesystem::path(path).filename().string();
}

}

Text verdict(const ScaleReport& report)
{
    std::vector<Winner> overFused, overExplicit;
    bool overlap = false;  // medians differ, but not clearly: nobody wins
    int64_t longest = 0;
    for (const ScaleRow& row : report.rows) {
        for (const ScalePoint& point : row.points)
            longest = isMeasured(point) ? std::max(longest, point.tokens) : longest;
        const auto take = [&](std::vector<Winner>& winners, const std::optional<double>& from,
                              const ScaleRow& than) {
            if (!from || (row.backend == referenceBackend && isAttentionAlone(row.attention)))
                return;
            if (clearlyFaster(row, than))
                winners.push_back(winner(row, *from));
            else
                overlap = true;
        };
        take(overFused, row.breakEvenFused, report.rows[1]);
        take(overExplicit, row.breakEvenExplicit, report.rows[0]);
    }
    if (longest == 0)
        return ATTN_TEXT("No measurements yet");
    if (!overFused.empty())
        return winnersText(overFused, ATTN_TEXT("fused softmax"));
    if (!overExplicit.empty())
        return ATTN_TEXT("%1; nothing beats fused softmax")
            .arg(winnersText(overExplicit, ATTN_TEXT("explicit softmax")));
    if (overlap)
        return ATTN_TEXT("No difference beyond measurement noise up to %1 tokens").arg(formatCount(longest));
    return report.rows.size() < 3
               ? ATTN_TEXT("Only softmax was measured; select other backends to see where they pay off")
               : ATTN_TEXT("Nothing is faster than softmax up to %1 tokens").arg(formatCount(longest));
}

Text conditions(const ScaleReport& report)
{
    const ScaleRequest& r = report.request;
    return joined({joined({ATTN_TEXT("encoder with random weights"), ATTN_COUNT("%1 layer(s)").of(r.layers),
                           ATTN_TEXT("dim %1").arg(std::to_string(r.width)), ATTN_COUNT("%1 head(s)").of(r.heads),
                           ATTN_TEXT("batch size 1")},
                          ", "),
                   r.backward ? ATTN_TEXT("forward and backward") : ATTN_TEXT("forward"), r.dtype,
                   report.device.description, loadOf(report.environment)},
                  " · ");
}

Text verdict(const ApproximateReport& report)
{
    const Curve* best = nullptr;
    const CurvePoint* least = nullptr;
    for (const Curve& curve : report.curves)
        if (const CurvePoint* last = lastOf(curve);
            last != nullptr && (least == nullptr || last->error.mse < least->error.mse)) {
            best = &curve;
            least = last;
        }
    if (best == nullptr)
        return ATTN_TEXT("None of these backends could be measured");
    const std::string mse = formatError(least->error.mse);
    Text words = best->flat
                     ? ATTN_TEXT("%1 is closest to softmax: MSE %2").arg(attentionTitle(best->attention), mse)
                     : ATTN_TEXT("%1 with %2 samples is closest: MSE %3")
                           .arg(curveTitle(*best), std::to_string(least->samples), mse);
    if (best->power)
        words = joined({words, ATTN_TEXT("scales as samples^%1").arg(decimalCell(best->power).text)}, ", ");
    return report.meanOfValues.mse > 0 && least->error.mse > report.meanOfValues.mse
               ? ATTN_TEXT("%1, worse than the mean-of-values baseline").arg(words)
               : words;
}

Text conditions(const ApproximateReport& report)
{
    std::vector<Text> parts{
        report.source, ATTN_COUNT("%1 input(s)").of(report.inputs),
        joined({ATTN_COUNT("%1 layer(s)").of(report.layers), ATTN_COUNT("%1 head(s)").of(report.heads),
                ATTN_COUNT("%1 token(s)").of(report.tokens)},
               ", "),
        ATTN_TEXT("exact: %1").arg(report.exact)};
    if (report.model)
        parts.emplace_back(report.model->device.description);
    return joined(parts, " · ");
}

Text verdict(const PlanReport& report)
{
    if (!report.complete)
        return ATTN_TEXT("No plan was chosen");
    if (!report.chosen) {
        double fastest = INFINITY;
        for (const auto* list : {&report.front, &report.uniform})
            for (const Plan& plan : *list)
                fastest = plan.latency ? std::min(fastest, modelTime(*plan.latency).mid) : fastest;
        return std::isfinite(fastest) ? ATTN_TEXT("No plan meets the budget; the fastest takes %1")
                                            .arg(formatMilliseconds(fastest).text())
                                      : ATTN_TEXT("No plan meets the budget");
    }
    const Plan& plan = *report.chosen;
    Text words = plan.uniform ? ATTN_TEXT("%1 in every layer").arg(attentionTitle(plan.attention))
                              : ATTN_TEXT("A plan mixing %1 backends")
                                    .arg(std::to_string(std::set(plan.choice.begin(), plan.choice.end()).size()));
    const auto times = [](const Plan& one) { return timeText(*one.latency); };
    const auto accuracy = [&](const Plan& one) {
        const Cell cell = planAccuracy(one, report.labelled);
        return joined({cell.text, cell.small}, " ");
    };
    if (plan.latency && plan.accuracy && needsLabels(report.kind))
        words = joined({words, ATTN_TEXT("%1, top-1 %2").arg(times(plan), accuracy(plan))}, ": ");
    else if (plan.latency && plan.error)
        words = joined({words, ATTN_TEXT("%1, relative error %2").arg(times(plan), formatError(*plan.error))},
                       ": ");
    if (const Plan* exact = exactPlan(report); exact != nullptr && exact->accuracy && needsLabels(report.kind))
        return plan.attention == exact->attention
                   ? ATTN_TEXT("%1: nothing faster meets the budget").arg(words)
                   : ATTN_TEXT("%1; softmax: %2, %3").arg(words, times(*exact), accuracy(*exact));
    return report.explicitMs > 0 && plan.latency
               ? ATTN_TEXT("%1; explicit: %2").arg(words, formatMilliseconds(report.explicitMs).text())
               : words;
}

Text conditions(const PlanReport& report)
{
    std::vector<Text> parts{report.model.model.name,
                            ATTN_COUNT("%1 input(s)").of(std::ssize(report.model.inputs)),
                            report.model.dtype,
                            report.model.device.description,
                            loadOf(report.model.environment),
                            report.advice};
    if (report.labelled > 0)
        parts.insert(parts.begin() + 1,
                     ATTN_TEXT("top-1 on %1 labelled samples").arg(formatCount(report.labelled)));
    return joined(parts, " · ");
}

Text verdict(const KernelReport& report)
{
    if (report.heads.empty())
        return ATTN_COUNT("%1 pair(s) of vectors").of(std::ssize(report.pairs));
    std::vector<double> medians;
    for (size_t i = 0; i < kernelFeatures.size(); ++i)
        medians.push_back(medianStddev(report.heads, i));
    const auto best = size_t(std::ranges::min_element(medians) - medians.begin());
    const Text words =
        medians[best] > 1
            ? ATTN_TEXT(
                "%1 features are too few for this kernel: those of the best map, %2, vary by %3 times its value")
            : ATTN_TEXT("Best with %1 features: %2, with a standard deviation of %3 of the kernel's value");
    return words.arg(formatCount(report.samples), toText(kernelFeatures[best]), formatError(medians[best]));
}

Text conditions(const KernelReport& report)
{
    std::vector<Text> parts{report.model ? report.source : fileName(report.source)};
    if (report.model && !report.model->inputs.empty())
        parts.emplace_back(fileName(report.model->inputs.front().path));
    if (!report.heads.empty())
        parts.push_back(ATTN_COUNT("%1 head(s)").of(std::ssize(report.heads)));
    parts.insert(parts.end(),
                 {ATTN_COUNT("%1 channel(s)").of(report.width), ATTN_COUNT("%1 feature(s)").of(report.samples),
                  ATTN_TEXT("seed %1").arg(std::to_string(report.seed))});
    for (const ExpectedOutput& one : report.expected)
        if (!one.within())
            parts.push_back(
                ATTN_TEXT("%1 differs from the file by %2").arg(one.tensor, formatError(one.maximumDifference)));
    return joined(parts, " · ");
}

}

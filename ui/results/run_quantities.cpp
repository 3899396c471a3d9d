#include "ui/results/run_quantities.h"

#include "ui/style/qt_text.h"

#include "core/report/published_accuracy.h"

#include <algorithm>

namespace attnscope::ui {

namespace {

std::optional<ChartValue> fraction(std::int64_t right, std::int64_t samples)
{
    const Fraction fraction = fractionOf(right, samples);
    if (!fraction.known)
        return std::nullopt;
    return ChartValue{100 * fraction.value, 100 * fraction.low, 100 * fraction.high,
                      percentText(fraction.value) + QLatin1Char(' ') + intervalText(fraction)};
}

std::optional<ChartValue> milliseconds(const ResultRow& row, double Latency::*mid, double Latency::*low,
                                       double Latency::*high)
{
    if (!row.stored().latency || *row.stored().latency.*mid <= 0)
        return std::nullopt;
    const Latency& latency = *row.stored().latency;
    return ChartValue{latency.*mid, latency.*low, latency.*high, toQt(formatMilliseconds(latency.*mid).text())};
}

/// Top-1 in % on ImageNet-1k's validation set as the LARA paper prints it (Zheng, Wang, Kong, ICML 2022, tables 1 and 2), of the same
/// network trained with the same attention; RA with one sample, LARA and Performer with as many as there. Nothing for swapped weights,
/// which the paper does not measure.
std::optional<double> publishedTop1(const ResultRow& row)
{
    const bool trained = row.stored().weights == WeightsKind::Trained;
    return trained ? publishedPercent(row.evaluation->settings.model, row.stored().backend) : std::nullopt;
}

}

const std::vector<RunQuantity>& runQuantities()
{
    static const std::vector<RunQuantity> quantities{
        {tr("top-1"), tr("top-1, % (bars: 95 % interval)"), true,
         [](const ResultRow& row) { return fraction(row.accuracy.correct1, row.accuracy.samples); },
         publishedTop1},
        {tr("top-5"), tr("top-5, % (bars: 95 % interval)"), true,
         [](const ResultRow& row) { return fraction(row.accuracy.correct5, row.accuracy.samples); }},
        {tr("time per sample"), tr("time per sample, ms (median, bars p5–p95)"), false,
         [](const ResultRow& row) {
             return milliseconds(row, &Latency::medianMs, &Latency::p05Ms, &Latency::p95Ms);
         }},
        {tr("attention time"), tr("attention time, ms (median, bars p5–p95)"), false,
         [](const ResultRow& row) {
             return milliseconds(row, &Latency::attentionMedianMs, &Latency::attentionP05Ms,
                                 &Latency::attentionP95Ms);
         }},
        {tr("memory"), tr("peak memory, MiB"), false,
         [](const ResultRow& row) -> std::optional<ChartValue> {
             if (!row.stored().memory)
                 return std::nullopt;
             const double mebibytes = double(row.stored().memory->peakBytes) / 1048576.0;
             return ChartValue{mebibytes, mebibytes, mebibytes,
                               toQt(formatBytes(row.stored().memory->peakBytes).text())};
         }},
        {tr("relative error"), tr("relative attention error (bars: ± standard deviation over seeds)"), false,
         [](const ResultRow& row) -> std::optional<ChartValue> {
             if (!row.stored().error)
                 return std::nullopt;
             const ErrorValue& error = *row.stored().error;
             return ChartValue{error.relative, std::max(0.0, error.relative - error.relativeStddev),
                               error.relative + error.relativeStddev, errorText(error.relative)};
         }}};
    return quantities;
}

}

#include "core/run/measures.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

using Value = std::optional<Measured>;

Value exactly(double value)
{
    return Measured{value, value, value};
}

Value proportion(const Proportion& counted)
{
    const Interval interval = counted.interval();
    return counted.known() ? Value({counted.value(), interval.low, interval.high}) : std::nullopt;
}

Value relativeError(const Measurements& run)
{
    if (run.error == nullptr)
        return std::nullopt;
    const double error = run.error->relative, spread = run.error->relativeStddev;
    return Measured{error, std::max(0.0, error - spread), error + spread};
}

bool calibrated(const Measurements& run)
{
    return run.calibration != nullptr && run.calibration->known();
}

Text intervalText(MeasureUnit unit, const Measured& value)
{
    if (value.low == value.high)
        return {};
    switch (unit) {
    case MeasureUnit::Milliseconds:
        return millisecondsRange(value).text;
    case MeasureUnit::Fraction:
        return formatInterval(value.low, value.high);
    default:
        return "± " + formatError(value.high - value.mid);
    }
}

const std::vector<Measure>& measureList()
{
    static const Text percentiles = ATTN_TEXT("median, p5–p95"), bars = ATTN_TEXT("median, bars p5–p95"),
                      wilson = ATTN_TEXT("bars: 95 % interval");
    static const std::vector<Measure> list{
        {"macro_top1",
         ATTN_TEXT("Macro top-1"),
         {},
         ATTN_TEXT("Macro top-1"),
         {},
         ATTN_TEXT("Mean over classes of the top-1 accuracy in each."),
         MeasureUnit::Fraction,
         [](const Measurements& run) {
             return run.accuracy.known() && run.calibration ? exactly(run.calibration->macroTop1()) : std::nullopt;
         }},
        {"nll",
         ATTN_TEXT("NLL"),
         {},
         ATTN_TEXT("NLL"),
         {},
         ATTN_TEXT("Negative log-likelihood in nats: mean over samples of −ln of the true class's probability."),
         MeasureUnit::Nats,
         [](const Measurements& run) { return calibrated(run) ? exactly(run.calibration->nll()) : std::nullopt; }},
        {"ece",
         ATTN_TEXT("ECE"),
         {},
         ATTN_TEXT("ECE"),
         {},
         ATTN_TEXT("Expected calibration error: mean difference between accuracy and predicted probability over "
                   "15 bins of the first class's probability."),
         MeasureUnit::Error,
         [](const Measurements& run) { return calibrated(run) ? exactly(run.calibration->ece()) : std::nullopt; }},
        {"brier",
         ATTN_TEXT("Brier score"),
         {},
         ATTN_TEXT("Brier score"),
         {},
         ATTN_TEXT(
             "Mean over samples of the squared differences between the predicted probabilities and 1 for the "
             "true class, 0 for the others, summed over classes."),
         MeasureUnit::Error,
         [](const Measurements& run) {
             const auto score = calibrated(run) ? run.calibration->brier() : std::nullopt;
             return score ? exactly(*score) : std::nullopt;
         }},
        {"top1",
         ATTN_TEXT("Top-1"),
         {},
         ATTN_TEXT("top-1"),
         wilson,
         ATTN_TEXT("Fraction of readable samples whose top prediction is correct, with its 95 % Wilson interval "
                   "(sampling uncertainty)."),
         MeasureUnit::Fraction,
         [](const Measurements& run) { return proportion(run.accuracy); }},
        {"top5",
         ATTN_TEXT("Top-5"),
         {},
         ATTN_TEXT("top-5"),
         wilson,
         ATTN_TEXT("Fraction of readable samples whose true class is among the top five predictions."),
         MeasureUnit::Fraction,
         [](const Measurements& run) { return proportion(run.accuracy.top5()); }},
        {"latency", ATTN_TEXT("Whole model"), percentiles, ATTN_TEXT("model time"), bars,
         ATTN_TEXT("Median of one forward pass of the whole model."), MeasureUnit::Milliseconds,
         [](const Measurements& run) { return run.latency ? Value(modelTime(*run.latency)) : std::nullopt; }},
        {"attention_latency", ATTN_TEXT("Attention only"), percentiles, ATTN_TEXT("attention time"), bars,
         ATTN_TEXT("Median time inside attention, summed over layers."), MeasureUnit::Milliseconds,
         [](const Measurements& run) { return run.latency ? Value(attentionTime(*run.latency)) : std::nullopt; },
         TimedPart::Attention},
        {"memory",
         ATTN_TEXT("Peak memory"),
         ATTN_TEXT("activations"),
         ATTN_TEXT("peak memory"),
         {},
         ATTN_TEXT("Peak tensor memory of a forward pass, without weights."),
         MeasureUnit::Bytes,
         [](const Measurements& run) {
             return run.memory ? exactly(double(run.memory->peakBytes)) : std::nullopt;
         }},
        {"error", ATTN_TEXT("Relative error"), ATTN_TEXT("on exact q, k, v"), ATTN_TEXT("relative error"),
         ATTN_TEXT("mean over seeds, bars ± standard deviation"),
         ATTN_TEXT(
             "How far the attention's output is from that of exact attention, as a fraction of it, where "
             "every layer gets the q, k and v of the exact network (teacher-forced). \"mean\" is the error of "
             "using the mean of the values for every query: an approximation with an error that large "
             "ignores the queries."),
         MeasureUnit::Error, relativeError},
        {"attention_memory",
         ATTN_TEXT("attention peak"),
         {},
         ATTN_TEXT("attention memory"),
         {},
         ATTN_TEXT("Peak memory of the attention in the largest layer"),
         MeasureUnit::Bytes,
         [](const Measurements& run) {
             return run.memory ? exactly(double(run.memory->attentionPeakBytes)) : std::nullopt;
         }},
        {"kl",
         ATTN_TEXT("KL"),
         {},
         ATTN_TEXT("KL divergence"),
         {},
         ATTN_TEXT("KL divergence of the class distribution, in nats"),
         MeasureUnit::Nats,
         [](const Measurements& run) {
             return run.endToEnd && run.endToEnd->hasClasses ? exactly(run.endToEnd->kl) : std::nullopt;
         }},
        {"macs",
         ATTN_TEXT("Mult.-adds"),
         {},
         ATTN_TEXT("multiply-adds"),
         {},
         {},
         MeasureUnit::MultiplyAdds,
         [](const Measurements& run) { return run.macs > 0 ? exactly(run.macs) : std::nullopt; }},
        {"features",
         ATTN_TEXT("Features"),
         {},
         ATTN_TEXT("1 − cosine of features"),
         {},
         {},
         MeasureUnit::Error,
         [](const Measurements& run) {
             return run.drift ? exactly(std::max(0.0, 1 - run.drift->cosine)) : std::nullopt;
         }},
    };
    return list;
}

}

Measured modelTime(const Latency& latency)
{
    return {latency.medianMs, latency.p05Ms, latency.p95Ms};
}

Measured attentionTime(const Latency& latency)
{
    return {latency.attentionMedianMs, latency.attentionP05Ms, latency.attentionP95Ms};
}

std::string timeText(const Latency& latency)
{
    return formatMilliseconds(latency.medianMs).text();
}

Cell millisecondsCell(const Measured& time)
{
    return millisecondsCell(time.mid);
}

Cell millisecondsRange(const Measured& time)
{
    const Quantity from = formatMilliseconds(time.low), to = formatMilliseconds(time.high);
    return numberCell(time.low, (from.unit == to.unit ? from.value : from.text()) + " – " + to.text());
}

Measurements measurementsOf(const RunRecord& record)
{
    const auto pointer = [](const auto& optional) { return optional ? &*optional : nullptr; };
    return {.latency = pointer(record.latency),
            .memory = pointer(record.memory),
            .error = record.error ? &record.error->error : nullptr,
            .endToEnd = pointer(record.endToEnd),
            .drift = pointer(record.featureDrift),
            .macs = record.macs};
}

std::span<const Measure> measures()
{
    return measureList();
}

std::span<const Measure> calibrationMeasures()
{
    return measures().first(size_t(&measure("top1") - measures().data()));
}

std::span<const Measure> evaluationMeasures()
{
    return {&measure("top1"), &measure("attention_memory")};
}

std::span<const Measure> inputMeasures()
{
    return measures().subspan(size_t(&measure("latency") - measures().data()));
}

const Measure& measure(std::string_view key)
{
    return *std::ranges::find(measures(), key, &Measure::key);
}

Quantity quantityOf(MeasureUnit unit, double value)
{
    switch (unit) {
    case MeasureUnit::Milliseconds:
        return formatMilliseconds(value);
    case MeasureUnit::Bytes:
        return formatBytes(int64_t(value));
    case MeasureUnit::MultiplyAdds:
        return formatQuantity(value);
    case MeasureUnit::Fraction: {
        const std::string text = formatPercent(value);
        return {text.substr(0, text.find(' ')), "%"};
    }
    default:
        return {formatError(value), {}};
    }
}

Column columnOf(const Measure& measure)
{
    return {measure.title, measure.help, true};
}

Cell cellOf(const Measure& measure, const Measurements& run)
{
    const std::optional<Measured> value = measure.of(run);
    if (!value)
        return {};
    Cell cell = numberCell(value->mid, quantityOf(measure.unit, value->mid).text());
    cell.small = intervalText(measure.unit, *value);
    return cell;
}

Cell accuracyCell(const Proportion& proportion)
{
    if (!proportion.known())
        return {};
    const auto [low, high] = proportion.interval();
    Cell cell = percentCell(proportion.value());
    cell.small = formatInterval(low, high);
    return cell;
}

}

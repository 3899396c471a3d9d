#include "ui/compare/quantity.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

using Value = std::optional<ChartValue>;

constexpr double mebibyte = 1024.0 * 1024.0;

Value finite(ChartValue value)
{
    return std::isfinite(value.mid) ? Value(value) : std::nullopt;
}

Value milliseconds(double mid, double low, double high)
{
    return finite({mid, low, high, toQt(formatMilliseconds(mid).text())});
}

Value bytes(std::int64_t count)
{
    const double size = double(count) / mebibyte;
    return finite({size, size, size, toQt(formatBytes(count).text())});
}

Value relativeError(const RunRecord& record)
{
    if (!record.error)
        return std::nullopt;
    const ErrorValue& error = record.error->error;
    return finite({error.relative, error.relative - error.relativeStddev, error.relative + error.relativeStddev,
                   errorText(error.relative)});
}

Value attentionTime(const RunRecord& record)
{
    return record.latency ? milliseconds(record.latency->attentionMedianMs, record.latency->attentionP05Ms,
                                         record.latency->attentionP95Ms)
                          : std::nullopt;
}

Value wholeTime(const RunRecord& record)
{
    return record.latency ? milliseconds(record.latency->medianMs, record.latency->p05Ms, record.latency->p95Ms)
                          : std::nullopt;
}

Value peakMemory(const RunRecord& record)
{
    return record.memory ? bytes(record.memory->peakBytes) : std::nullopt;
}

Value attentionMemory(const RunRecord& record)
{
    return record.memory ? bytes(record.memory->attentionPeakBytes) : std::nullopt;
}

Value divergence(const RunRecord& record)
{
    if (!record.endToEnd || !record.endToEnd->hasClasses)
        return std::nullopt;
    const double kl = record.endToEnd->kl;
    return finite({kl, kl, kl, errorText(kl)});
}

Value featureDistance(const RunRecord& record)
{
    if (!record.featureDrift)
        return std::nullopt;
    const double distance = std::max(0.0, 1 - record.featureDrift->cosine);
    return finite({distance, distance, distance, errorText(distance)});
}

Value multiplyAdds(const RunRecord& record)
{
    const double giga = record.macs / 1e9;
    return record.macs > 0 ? finite({giga, giga, giga, toQt(formatQuantity(record.macs).text())}) : std::nullopt;
}

}

const std::vector<Quantity>& quantities()
{
    static const QString percentiles = tr("median, bars p5–p95");
    static const std::vector<Quantity> all{
        {tr("relative error"), {}, tr("mean over seeds, bars ± standard deviation"), true, relativeError},
        {tr("attention time"), u"ms"_s, percentiles, false, attentionTime},
        {tr("model time"), u"ms"_s, percentiles, false, wholeTime},
        {tr("peak memory"), u"MiB"_s, {}, false, peakMemory},
        {tr("attention memory"), u"MiB"_s, {}, false, attentionMemory},
        {tr("KL divergence"), u"nats"_s, {}, true, divergence},
        {tr("multiply-adds"), u"G"_s, {}, false, multiplyAdds},
        {tr("1 − cosine of features"), {}, {}, true, featureDistance},
    };
    return all;
}

}

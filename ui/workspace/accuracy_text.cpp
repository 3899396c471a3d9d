#include "ui/workspace/accuracy_text.h"

#include "ui/style/qt_text.h"

#include "core/attention/network/attention_title.h"
#include "core/base/format.h"
#include "core/figure/series_keys.h"
#include "core/run/record_tables.h"

#include <QStringList>

#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

struct AxisUnit {
    QString name;
    double perValue = 1;
};

AxisUnit axisUnit(MeasureUnit unit)
{
    switch (unit) {
    case MeasureUnit::Milliseconds:
        return {u"ms"_s};
    case MeasureUnit::Bytes:
        return {u"MiB"_s, 1 / 1048576.0};
    case MeasureUnit::Nats:
        return {u"nats"_s};
    case MeasureUnit::MultiplyAdds:
        return {u"G"_s, 1e-9};
    case MeasureUnit::Fraction:
        return {u"%"_s, 100};
    case MeasureUnit::Error:
        break;
    }
    return {};
}

}

QString percentText(const Proportion& proportion)
{
    return proportion.known() ? toQt(quantityOf(MeasureUnit::Fraction, proportion.value()).value) : QString();
}

QString intervalText(const Proportion& proportion)
{
    const auto [low, high] = proportion.interval();
    return proportion.known() ? toQt(formatInterval(low, high)) : QString();
}

QString halfWidthText(const Proportion& proportion)
{
    const auto [low, high] = proportion.interval();
    return proportion.known() ? u"±%1"_s.arg(50 * (high - low), 0, 'f', 2) : QString();
}

QString counted(int64_t count, QString (*text)(int))
{
    const bool one = count == 1;
    return text(int(std::min<int64_t>(count, std::numeric_limits<int>::max())))
        .replace("(s)"_L1, one ? QString() : u"s"_s)
        .replace("(es)"_L1, one ? QString() : u"es"_s)
        .arg(countText(count));
}

std::optional<ChartValue> chartValue(const Measure& measure, const Measurements& run)
{
    const std::optional<Measured> value = measure.of(run);
    const bool isTime = measure.unit == MeasureUnit::Milliseconds;
    if (!value || !std::isfinite(value->mid) || (isTime && value->mid <= 0))
        return std::nullopt;
    const double scale = axisUnit(measure.unit).perValue;
    const Cell cell = cellOf(measure, run);
    const QString text = translated(cell.text);
    return ChartValue{scale * value->mid, scale * value->low, scale * value->high,
                      measure.unit == MeasureUnit::Fraction ? text + u' ' + translated(cell.small) : text};
}

RunAxis axisOf(const Measure& measure)
{
    return {.title = translated(measure.axis),
            .unit = axisUnit(measure.unit).name,
            .intervals = translated(measure.intervals),
            .better = measure.better(),
            .fromZero = measure.unit == MeasureUnit::Error || measure.unit == MeasureUnit::Nats};
}

CellModel::Column measureColumn(const Measure& measure)
{
    const QString title = translated(measure.title);
    return {measure.unit == MeasureUnit::Fraction ? title + u" %"_s : title, translated(measure.help), true};
}

QString axisName(const Measure& measure)
{
    const RunAxis axis = axisOf(measure);
    return axis.unit.isEmpty() ? axis.title : axis.title + u", "_s + axis.unit;
}

Delta difference(const Measure& measure, const Measurements& run, const Measurements& reference,
                 const QString& referenceName)
{
    const auto ours = measure.of(run), theirs = measure.of(reference);
    if (!ours || !theirs)
        return {};
    if (measure.unit == MeasureUnit::Milliseconds)
        return speedDelta(*run.latency, *reference.latency, measure.timed, referenceName);
    if (measure.unit == MeasureUnit::Fraction)
        return deltaOf(run.accuracy, reference.accuracy, referenceName);
    if (measure.unit != MeasureUnit::Bytes)
        return {};
    const QString change = toQt(formatChange(theirs->mid, ours->mid));
    if (change == toQt(formatChange(1, 1)))  // less than half a percent
        return {Delta::Overlap, tr("same"), tr("the same as %1").arg(referenceName)};
    return {ours->mid < theirs->mid ? Delta::Better : Delta::Worse, change,
            tr("%1 vs. %2").arg(change, referenceName)};
}

Delta deltaOf(const Proportion& proportion, const Proportion& reference, const QString& referenceName)
{
    if (!proportion.known() || !reference.known())
        return {};
    if (overlaps(proportion.interval(), reference.interval()))
        return {Delta::Overlap, u"≈"_s, tr("intervals overlap with %1").arg(referenceName)};
    const bool better = proportion.value() > reference.value();
    const QString points = toQt(formatPoints(reference.value(), proportion.value()));
    return {
        better ? Delta::Better : Delta::Worse, points + (better ? u" ▲"_s : u" ▼"_s),
        (better ? tr("%1 points more than %2") : tr("%1 points less than %2")).arg(points.mid(1), referenceName)};
}

Delta speedDelta(const Latency& latency, const Latency& reference, TimedPart part, const QString& referenceName)
{
    const SpeedVerdict verdict = compareSpeed(latency, reference, part);
    if (verdict.speed == Speed::NotPaired)
        return {Delta::Overlap, tr("not paired"),
                tr("not timed in the same rounds as %1, so neither is called faster").arg(referenceName)};
    const bool faster = verdict.speed == Speed::Faster;
    const double factor = verdict.ratio ? faster ? 1 / verdict.ratio->median : verdict.ratio->median : 1;
    const QString ratio = factor < 1.05 ? u"%1×"_s.arg(factor, 0, 'f', 2) : toQt(formatRatio(factor));
    if (verdict.speed == Speed::Unclear)
        return {Delta::Overlap, u"≈"_s, tr("no clear difference from %1").arg(referenceName)};
    return faster ? Delta{Delta::Better, ratio + u" ▲"_s, tr("%1 faster than %2").arg(ratio, referenceName)}
                  : Delta{Delta::Worse, ratio + u" ▼"_s, tr("%1 slower than %2").arg(ratio, referenceName)};
}

QString weightsText(WeightsKind kind)
{
    return translated(weightsName(kind));
}

QString backendOfSpec(const QString& spec)
{
    return toQt(attnscope::backendOfSpec(fromQt(spec)));
}

QString titleOfSpec(const QString& spec)
{
    return translated(attentionTitle(fromQt(spec)));
}

QStringList looksOfSpecs(const QStringList& specs)
{
    std::vector<std::string> attentions;
    for (const QString& spec : specs)
        attentions.push_back(fromQt(spec));
    QStringList looks;
    for (const std::string& key : seriesKeys(attentions))
        looks << toQt(key);
    return looks;
}

}

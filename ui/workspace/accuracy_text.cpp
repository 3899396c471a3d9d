#include "ui/workspace/accuracy_text.h"

#include "ui/style/qt_text.h"

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/figure/series_keys.h"
#include "core/measure/proportions.h"

#include <QStringList>

#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

/// "0-3=lara;8=softmax": an attention for each layer.
bool isMixedSpec(const QString& spec)
{
    return !spec.isEmpty() && spec.front().isDigit();
}

/// The number of samples, also where it is the default and left out of the spelling. Stores of others may have what this build does not
/// know: then nothing.
QString samplesOfSpec(const QString& spec)
{
    try {
        const std::optional<std::int64_t> samples = AttentionSpec::parse(fromQt(spec)).samples();
        return samples ? QString::number(*samples) : QString();
    } catch (const Error&) {
        return {};
    }
}

}

Fraction fractionOf(std::int64_t right, std::int64_t samples)
{
    if (samples <= 0)
        return {};
    const attnscope::Interval bounds = wilson95(right, samples);
    return {double(right) / double(samples), bounds.low, bounds.high, true};
}

QString percentText(double fraction)
{
    return QString::number(100 * fraction, 'f', 2);
}

QString intervalText(const Fraction& fraction)
{
    return fraction.known ? u"[%1, %2]"_s.arg(percentText(fraction.low), percentText(fraction.high)) : QString();
}

QString halfWidthText(const Fraction& fraction)
{
    return fraction.known ? u"±%1"_s.arg(percentText((fraction.high - fraction.low) / 2)) : QString();
}

QString pointsText(double from, double to)
{
    const double change = 100 * (to - from);
    return u"%1%2"_s.arg(change < 0 ? u"\u2212"_s : u"+"_s).arg(std::abs(change), 0, 'f', 2);
}

QString counted(std::int64_t count, QString (*text)(int))
{
    const bool one = count == 1;
    return text(int(std::min<std::int64_t>(count, std::numeric_limits<int>::max())))
        .replace("(s)"_L1, one ? QString() : u"s"_s)
        .replace("(es)"_L1, one ? QString() : u"es"_s)
        .arg(countText(count));
}

QString probabilityText(double p)
{
    return p < 0.001 ? u"p < 0.001"_s : u"p = %1"_s.arg(p, 0, 'f', p < 0.1 ? 3 : 2);
}

Delta deltaOf(const Fraction& fraction, const Fraction& reference, const QString& referenceName)
{
    if (!fraction.known || !reference.known)
        return {};
    if (fraction.low <= reference.high && reference.low <= fraction.high)
        return {Delta::Overlap, u"≈"_s, tr("intervals overlap with %1").arg(referenceName)};
    const bool better = fraction.value > reference.value;
    const QString points = pointsText(reference.value, fraction.value);
    return {better ? Delta::Better : Delta::Worse, points + (better ? u" ▲"_s : u" ▼"_s),
            better
                ? tr("%1 points more than %2").arg(QString(points).remove(QLatin1Char('+')), referenceName)
                : tr("%1 points less than %2").arg(QString(points).remove(QString::fromUtf8("−")), referenceName)};
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
    return kind == WeightsKind::Trained   ? tr("trained")
           : kind == WeightsKind::Swapped ? tr("swapped")
                                          : tr("untrained");
}

QString backendOfSpec(const QString& spec)
{
    return isMixedSpec(spec) ? u"mixed"_s : spec.section(QLatin1Char(';'), 0, 0).section(QLatin1Char(':'), 0, 0);
}

QString titleOfSpec(const QString& spec)
{
    if (isMixedSpec(spec))
        return spec;
    QStringList parts{backendOfSpec(spec)}, others;
    const QString samples = samplesOfSpec(spec);
    if (!samples.isEmpty())
        parts << samples;
    for (const QString& option : spec.section(QLatin1Char(';'), 0, 0)
                                     .section(QLatin1Char(':'), 1)
                                     .split(QLatin1Char(','), Qt::SkipEmptyParts))
        if (!option.startsWith("samples="_L1))
            others << option;
    if (const std::string tokens = tokensOf(fromQt(spec)); !tokens.empty())
        others << toQt(tokens);
    if (const std::string weights = weightsOf(fromQt(spec)); !weights.empty())
        others << QObject::tr("%1 weights").arg(toQt(weights));
    const QString title = parts.join(QLatin1Char(' '));
    return others.isEmpty() ? title : title + u" · "_s + others.join(u", "_s);
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

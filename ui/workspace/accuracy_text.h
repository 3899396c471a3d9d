#pragma once

#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"

#include "core/measure/paired_ratio.h"
#include "core/store/store_records.h"

#include <QString>

namespace attnscope::ui {

/// A fraction and its 95 % Wilson interval, 0 … 1.
struct Fraction {
    double value = 0, low = 0, high = 1;
    bool known = false;
};

Fraction fractionOf(std::int64_t right, std::int64_t samples);
inline Fraction top1Of(const Accuracy& accuracy)
{
    return fractionOf(accuracy.correct1, accuracy.samples);
}

/// "79.82", "[79.47, 80.17]", "±0.35" (half of the interval), all in percent.
QString percentText(double fraction);
QString intervalText(const Fraction& fraction);
QString halfWidthText(const Fraction& fraction);
/// "+4.20": in points of a percentage.
QString pointsText(double from, double to);
/// "1 run", "12 runs": `text(n)` is a text with plural forms, `tr("%1 run(s)", nullptr, n)`. Translations have the forms of their language;
/// the English ones are made here.
QString counted(std::int64_t count, QString (*text)(int));
/// "p < 0.001", "p = 0.042".
QString probabilityText(double p);
/// Overlapping intervals have no winner.
Delta deltaOf(const Fraction& fraction, const Fraction& reference, const QString& referenceName);
/// By the rounds that both were timed in: "2.0× ▲", "≈", "not paired".
Delta speedDelta(const Latency& latency, const Latency& reference, TimedPart part, const QString& referenceName);
/// "trained", "swapped", "untrained" as they stand next to a figure.
QString weightsText(WeightsKind kind);
/// "lara" of "lara:samples=49".
QString backendOfSpec(const QString& spec);
/// "lara 49", and with further options their text: "lara 49 · beta=2".
QString titleOfSpec(const QString& spec);
/// Of attentions that stand side by side, the looks by which they are told apart: of one backend, each has its own.
QStringList looksOfSpecs(const QStringList& specs);

}

#pragma once

#include "ui/charts/run_marks.h"
#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"
#include "ui/widgets/cell_table.h"

#include "core/run/measures.h"
#include "core/store/store_records.h"

#include <QString>

namespace attnscope::ui {

/// "79.82", "[79.47, 80.17]", "±0.35" (half of the interval), all in percent; empty for no samples.
QString percentText(const Proportion& proportion);
QString intervalText(const Proportion& proportion);
QString halfWidthText(const Proportion& proportion);
/// "1 run", "12 runs": `text(n)` is a text with plural forms, `tr("%1 run(s)", nullptr, n)`. Translations have the forms of their language;
/// the English ones are made here.
QString counted(int64_t count, QString (*text)(int));
/// What a chart draws, in the unit of its axis; empty where it was not measured, or is not finite.
std::optional<ChartValue> chartValue(const Measure& measure, const Measurements& run);
RunAxis axisOf(const Measure& measure);
/// "Top-1 %", with its explanation.
CellModel::Column measureColumn(const Measure& measure);
/// "attention time, ms".
QString axisName(const Measure& measure);
/// Empty for errors, and where one of them was not measured.
Delta difference(const Measure& measure, const Measurements& run, const Measurements& reference,
                 const QString& referenceName);
/// Overlapping intervals have no winner.
Delta deltaOf(const Proportion& proportion, const Proportion& reference, const QString& referenceName);
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

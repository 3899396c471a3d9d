#pragma once

#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"

#include <optional>
#include <utility>

/// What the cells of Compare read off one record: figures, their bounds, their words.
namespace attnscope::ui {

/// The figure of a row that sorting, charts and deltas go by; empty where there is none.
std::optional<double> figure(Row row, const RunRecord& record);
/// Its lower and upper bound; equal for exact figures.
std::optional<std::pair<double, double>> bounds(Row row, const RunRecord& record);
/// Whether the backend computes what errors are measured against.
bool isExact(const RunRecord& record);

/// "trained", "swapped" or "untrained".
QString weightsWord(WeightsKind kind);
/// "0.9812", or that it is not finite.
QString cosineText(double cosine);
/// The cosines of a record with exact attention's features, from those of its kind to those of single patches: name, text and value.
QVector<PredictionLine> featureLines(const FeatureDrift& drift);
/// One pixel a patch; frames of a clip stand side by side, in rows as long as the image is high. Null: there is none.
QImage patchImage(const Clip& colours);
QString rowTitle(Row row);
QString rowCaption(Row row);
/// What the figures of a row are, in a sentence or two; empty: title and caption say it.
QString rowHelp(Row row);
/// "62.1" of a row that has a figure; empty for predictions, features and an exact error.
QString valueText(Row row, const RunRecord& record);
/// "ms", or "± 0.02" for a spread over seeds.
QString unitText(Row row, const RunRecord& record);
/// The class' name, or "class 285" where names are unknown or mean nothing.
QString predictionName(const Prediction& prediction, WeightsKind weights);
/// ", largest in layer 6 (0.44)", by the network's own names of layers; empty for an exact error.
QString largestErrorText(const RunRecord& record);
/// What the error of an approximation is to be measured against: that of using the mean of the values for every query.
Delta baselineNote(const RunRecord& record);
/// Times and memory against those of `theirs`, which is called `name`. None for other rows and where a figure is missing.
Delta difference(Row row, const RunRecord& ours, const RunRecord& theirs, const QString& name);

}

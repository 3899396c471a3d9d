#pragma once

#include "ui/engine/compare_types.h"
#include "ui/style/cell_values.h"

#include "core/base/format.h"
#include "core/run/measures.h"

#include <optional>

/// What the cells of Compare read off one record: figures, their bounds, their words.
namespace attnscope::ui {

/// What a row shows; null for predictions and features.
const Measure* measureOf(Row row);
/// The figure of a row that sorting goes by, with its bounds; empty where there is none.
std::optional<Measured> figure(Row row, const RunRecord& record);
/// Whether the backend computes what errors are measured against.
bool isExact(const RunRecord& record);

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
/// "62.1" and "ms", or "± 0.02" for a spread over seeds, of a row that has a figure; empty for predictions, features and an exact error.
Quantity quantityText(Row row, const RunRecord& record);
/// The class' name, or "class 285" where names are unknown or mean nothing.
QString predictionName(const Prediction& prediction, WeightsKind weights);
/// Whether both put the same class at this place: by its number in one network, by its name in two. False where one has none there; empty: classes
/// without names cannot be compared.
std::optional<bool> sameClass(const RunRecord& ours, const RunRecord& theirs, size_t place);
/// ", largest in layer 6 (0.44)", by the network's own names of layers; empty for an exact error.
QString largestErrorText(const RunRecord& record);
/// What the error of an approximation is to be measured against: that of using the mean of the values for every query.
Delta baselineNote(const RunRecord& record);

}

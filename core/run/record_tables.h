#pragma once

#include "core/figure/table.h"
#include "core/run/measures.h"

#include <optional>
#include <string>
#include <vector>

/// What was measured on an input, as tables. Independent of torch.
namespace attnscope {

/// "trained", "swapped" or "untrained".
Text weightsName(WeightsKind kind);
/// "tabby cat", or "class 281" where there is no name.
Text predictionName(const Prediction& prediction);
/// The layer with the largest relative error; null if there is at most one layer, or no error at all.
const LayerError* worstLayer(const ApproximationError& error);
/// "stage 2 block 1", or "layer 6" if layers are numbered.
std::string layerTitle(const LayerError& layer);
/// "0.9812", or that it is not finite.
Cell cosineCell(std::optional<double> cosine);

/// Prediction, time and memory of each; null: not measured yet.
Table costTable(const std::vector<const RunRecord*>& runs);
/// Its errors against exact attention, and the circumstances.
Table errorTable(const std::vector<const RunRecord*>& runs);
/// Cosines of its features with those of exact attention; no rows where none were compared.
Table driftTable(const std::vector<const RunRecord*>& runs);

}

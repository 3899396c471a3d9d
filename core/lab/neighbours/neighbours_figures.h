#pragma once

#include "core/base/json.h"
#include "core/figure/chart.h"
#include "core/figure/table.h"
#include "core/lab/neighbours/neighbour_report.h"

namespace attnscope {

/// What a search found, with stable keys.
Json toJson(const NeighbourReport& report);

/// Whether neighbours help: the best k and λ next to the model alone, where intervals that overlap say nothing; and how it was measured.
Text verdict(const NeighbourReport& report);
Text conditions(const NeighbourReport& report);
/// With the most correct predictions; of equal ones the first. Null: there are none.
const NeighbourAccuracyPoint* bestOf(const NeighbourAccuracy& accuracy);
/// λ = 0 is the model alone, whatever k. Null: it was not measured.
const NeighbourAccuracyPoint* modelAlone(const NeighbourAccuracy& accuracy);
/// A point for every k and λ, next to the model alone.
Table neighbourAccuracies(const NeighbourAccuracy& accuracy);
/// What the model, the neighbours and their mixture predict for an image; `truth`: its true class, where it is known.
Table neighbourPredictions(const ImageNeighbours& image, const std::optional<std::string>& truth = {});
/// The neighbours of an image, nearest first.
Table nearestNeighbours(const ImageNeighbours& image);

/// Accuracy versus λ, one line for each k, with 95 % intervals.
Chart mixChart(const NeighbourAccuracy& accuracy);

}

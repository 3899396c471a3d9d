#pragma once

#include "ui/gallery/gallery_list.h"
#include "ui/neighbours/neighbours_worker.h"
#include "ui/widgets/cell_table.h"

#include <optional>

namespace attnscope::ui {

/// With the most correct predictions; of equal ones the first. Null: there are none.
const NeighbourAccuracyPoint* bestOf(const NeighbourAccuracy& accuracy);
/// A point for every k and λ, next to the model alone.
TableContents neighbourAccuracies(const NeighbourAccuracy& accuracy);
/// What the model, the neighbours and their mixture predict for an image; `truth`: its true class, where it is known.
TableContents neighbourPredictions(const ImageNeighbours& image, const std::optional<QString>& truth);
/// The neighbours, nearest first.
QList<GalleryList::Item> neighbourItems(const ImageNeighbours& image, FeatureDistance distance,
                                        const std::optional<QString>& truth);
/// Samples to choose from.
QList<GalleryList::Item> sampleItems(const EvaluatedSamples& samples);

/// Whether neighbours help: the best k and λ next to the model alone. Where intervals overlap, nothing is better.
QString neighboursVerdict(const NeighbourReport& report);
QString neighboursDetail(const NeighbourReport& report);

}

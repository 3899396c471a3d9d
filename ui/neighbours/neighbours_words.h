#pragma once

#include "ui/gallery/gallery_list.h"
#include "ui/neighbours/neighbours_task.h"

#include <optional>

namespace attnscope::ui {

/// The neighbours, nearest first.
QList<GalleryList::Item> neighbourItems(const ImageNeighbours& image, FeatureDistance distance,
                                        const std::optional<QString>& truth);
/// Samples to choose from.
QList<GalleryList::Item> sampleItems(const EvaluatedSamples& samples);

}

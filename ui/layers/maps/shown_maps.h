#pragma once

#include "core/lab/layers/inspect.h"
#include "ui/layers/layers_session.h"
#include "ui/layers/maps/map_view.h"

#include <QPoint>
#include <QVector>

#include <cstddef>
#include <optional>
#include <vector>

/// What maps of a layer are drawn from.
namespace attnscope::ui {

/// The query that a patch of a map stands for; a map may be coarser than the first layer's tokens, on which queries are.
TokenQuery queryAt(const MapView& map, const TokenGrid& first, int64_t frame, int row, int column);
/// Where a query of the grid `first` lies on another grid; empty: the class token.
std::optional<QPoint> placeOf(const TokenQuery& query, const TokenGrid& first, const TokenGrid& grid);
/// "query: patch (9, 4)"
QString queryWords(const TokenQuery& query, int64_t frames);

/// The largest size of those from `from` on.
double largestOf(const std::vector<float>& values, size_t from);
bool anyBelow(const std::vector<float>& values, double bound);

/// The rollout as maps of one head, so that it is drawn as they are; empty where there is none.
std::optional<LayerMaps> rolloutMaps(const InspectedAttention& attention);

/// Landmarks with a place: means of cells where those lie, tokens of the first frame at theirs. Segments have none.
std::vector<MapLandmark> landmarksOf(const LayerMaps& maps, size_t head);

/// Of each frame: its part of all positive weights.
QVector<double> frameParts(const LayerMaps& maps, size_t head);

}

#include "ui/layers/maps/shown_maps.h"

#include "ui/style/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope::ui {

namespace {

MapLandmark cellLandmark(const LayerMaps& maps, int64_t number)
{
    const int64_t side = maps.landmarkSide, row = number / side, column = number % side;
    const auto middle = [side](int64_t cell, int64_t patches) {
        return (double(cell) + 0.5) / double(side) * double(patches);
    };
    return {{middle(column, maps.grid.columns), middle(row, maps.grid.rows)},
            0,
            tr("landmark (%1, %2)").arg(row).arg(column)};
}

/// Empty for a class token, and for one of a later frame.
std::optional<MapLandmark> tokenLandmark(const LayerMaps& maps, int64_t token)
{
    const int64_t place = token - maps.prefix;
    if (place < 0 || place >= maps.grid.rows * maps.grid.columns)
        return std::nullopt;
    const int64_t row = place / maps.grid.columns, column = place % maps.grid.columns;
    return MapLandmark{{double(column) + 0.5, double(row) + 0.5}, 0, tr("landmark token %1").arg(token)};
}

}

TokenQuery queryAt(const MapView& map, const TokenGrid& first, int64_t frame, int row, int column)
{
    const auto middle = [](int64_t at, int64_t from, int64_t to) {
        return (2 * at + 1) * to / (2 * std::max<int64_t>(1, from));
    };
    return {frame, middle(row, map.rows(), first.rows), middle(column, map.columns(), first.columns), false};
}

std::optional<QPoint> placeOf(const TokenQuery& query, const TokenGrid& first, const TokenGrid& grid)
{
    if (query.classToken)
        return std::nullopt;
    return QPoint(int(query.column * grid.columns / std::max<int64_t>(1, first.columns)),
                  int(query.row * grid.rows / std::max<int64_t>(1, first.rows)));
}

QString queryWords(const TokenQuery& query, int64_t frames)
{
    return query.classToken ? tr("query: class token")
           : frames > 1
               ? tr("query: frame %1, patch (%2, %3)").arg(query.frame + 1).arg(query.row).arg(query.column)
               : tr("query: patch (%1, %2)").arg(query.row).arg(query.column);
}

double largestOf(const std::vector<float>& values, size_t from)
{
    double largest = 0;
    for (size_t i = from; i < values.size(); ++i)
        largest = std::max(largest, std::abs(double(values[i])));
    return largest;
}

bool anyBelow(const std::vector<float>& values, double bound)
{
    return std::ranges::any_of(values, [bound](float value) { return double(value) < bound; });
}

std::optional<LayerMaps> rolloutMaps(const InspectedAttention& attention)
{
    if (attention.rollout.exact.empty() || attention.maps.empty())
        return std::nullopt;
    LayerMaps all = attention.maps.front();
    all.exact = {attention.rollout.exact};
    all.implied = {attention.rollout.implied};
    all.difference = all.implied;
    for (size_t i = 0; i < all.difference[0].size(); ++i)
        all.difference[0][i] -= all.exact[0][i];
    all.landmarkWeights.clear();
    return all;
}

std::vector<MapLandmark> landmarksOf(const LayerMaps& maps, size_t head)
{
    std::vector<MapLandmark> marks;
    if (maps.landmarkWeights.empty() || (maps.landmarkSide == 0 && maps.landmarkTokens.empty()))
        return marks;
    const std::vector<float>& weights = maps.landmarkWeights[head];
    for (size_t i = 0; i < weights.size(); ++i) {
        std::optional<MapLandmark> mark = maps.landmarkTokens.empty()
                                              ? cellLandmark(maps, int64_t(i))
                                              : tokenLandmark(maps, maps.landmarkTokens[head][i]);
        if (!mark)
            continue;
        mark->weight = double(weights[i]);
        marks.push_back(*mark);
    }
    return marks;
}

QVector<double> frameParts(const LayerMaps& maps, size_t head)
{
    const int64_t patches = maps.grid.rows * maps.grid.columns;
    const std::vector<float>& weights = maps.implied[head];
    QVector<double> fractions;
    double sum = 0;
    for (int64_t frame = 0; frame < maps.frames; ++frame) {
        double fraction = 0;
        for (int64_t i = 0; i < patches; ++i)
            fraction += std::max(0.0, double(weights[size_t(maps.prefix + frame * patches + i)]));
        fractions << fraction;
        sum += fraction;
    }
    for (double& fraction : fractions)
        fraction = sum > 0 ? fraction / sum : 0;
    return fractions;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/lab/layers/layer_maps.h"

#include "core/base/error.h"
#include "core/base/format.h"

#include <limits>

namespace attnscope {

namespace {

constexpr std::size_t shownTerms = logitTermCount - 1;

}  // namespace

HeatMap weightMap(const LayerMaps& maps, std::size_t head, WeightsShown shown, std::int64_t frame)
{
    const auto& rows = shown == WeightsShown::Exact     ? maps.exact
                       : shown == WeightsShown::Implied ? maps.implied
                                                        : maps.difference;
    HeatMap map{.title = shown == WeightsShown::Exact     ? "Exact attention"
                         : shown == WeightsShown::Implied ? "Implied weights"
                                                          : "Implied minus exact weights"};
    map.caption = "Layer " + std::to_string(maps.layer) + ", head " + std::to_string(head) + ", query token "
                  + std::to_string(maps.query) + ".";
    map.rowTitle = "row", map.columnTitle = "column";
    for (std::int64_t row = 0; row < maps.grid.rows; ++row)
        map.rows.push_back(std::to_string(row));
    for (std::int64_t column = 0; column < maps.grid.columns; ++column)
        map.columns.push_back(std::to_string(column));
    const std::int64_t first = maps.prefix + frame * maps.grid.rows * maps.grid.columns;
    bool negative = false;
    for (std::int64_t i = 0; i < maps.grid.rows * maps.grid.columns; ++i) {
        const double value = static_cast<double>(rows.at(head).at(static_cast<std::size_t>(first + i)));
        map.values.push_back(value);
        negative = negative || value < 0;
    }
    map.colours = negative ? HeatColours::Difference : HeatColours::Magnitude;
    return map;
}

HeatMap termFractions(const LogitTermReport& report)
{
    HeatMap map{.title = "Terms of the logits of layer 0",
                .rowTitle = "head",
                .columnTitle = "term",
                .colours = HeatColours::Difference};
    map.caption = "Covariance of each term with the logits, within a query's keys, over the logits' variance: the "
                  "terms of a head add up to 1, and "
                  "may be negative.";
    for (std::size_t t = 0; t < shownTerms; ++t)
        map.columns.emplace_back(toText(static_cast<LogitTerm>(t)));
    for (std::int64_t head = 0; head < report.heads; ++head) {
        map.rows.push_back(std::to_string(head));
        for (std::size_t t = 0; t < shownTerms; ++t) {
            map.values.push_back(report.fractions[t][static_cast<std::size_t>(head)]);
            map.labels.push_back(formatError(map.values.back()));
        }
    }
    return map;
}

HeatMap termMaps(const LogitTermReport& report)
{
    if (!report.maps)
        throw UsageError("", "the terms of no query were requested", "specify a query");
    const auto keys = static_cast<std::size_t>(report.tokens), prefix = static_cast<std::size_t>(report.prefix);
    const bool grid = report.grid.rows > 0;
    const std::size_t rows = grid ? static_cast<std::size_t>(report.grid.rows) : 1;
    const std::size_t columns = grid ? static_cast<std::size_t>(report.grid.columns) : keys - prefix;
    const auto query = static_cast<std::size_t>(report.maps->query);
    const std::size_t first = prefix + (query < prefix ? 0 : (query - prefix) / (rows * columns) * rows * columns);
    const auto heads = static_cast<std::size_t>(report.heads), width = shownTerms * (columns + 1) - 1,
               height = heads * (rows + 1) - 1;
    HeatMap map{.title = "Terms of a query's logits in layer 0",
                .rowTitle = "head",
                .columnTitle = "term",
                .colours = HeatColours::Difference};
    map.caption = "Query token " + std::to_string(query)
                  + "; each term minus its mean over keys, at the keys' places.";
    map.rows.resize(height);
    map.columns.resize(width);
    map.values.assign(width * height, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t t = 0; t < shownTerms; ++t)
        map.columns[t * (columns + 1) + columns / 2] = toText(static_cast<LogitTerm>(t));
    for (std::size_t head = 0; head < heads; ++head) {
        map.rows[head * (rows + 1) + rows / 2] = std::to_string(head);
        for (std::size_t t = 0; t < shownTerms; ++t) {
            const std::vector<float>& values = report.maps->terms[t][head];
            double mean = 0;
            for (const float value : values)
                mean += static_cast<double>(value) / static_cast<double>(values.size());
            for (std::size_t i = 0; i < rows * columns; ++i)
                map.values[(head * (rows + 1) + i / columns) * width + t * (columns + 1) + i % columns] =
                    static_cast<double>(values[first + i]) - mean;
        }
    }
    return map;
}
}  // namespace attnscope

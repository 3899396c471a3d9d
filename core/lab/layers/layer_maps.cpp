#include "core/lab/layers/layer_maps.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

constexpr size_t shownTerms = logitTermCount - 1;

std::vector<std::string> numbered(int64_t count)
{
    std::vector<std::string> names;
    for (int64_t i = 0; i < count; ++i)
        names.push_back(std::to_string(i));
    return names;
}

/// A map of rows × columns; without a grid one row of `count` tokens.
HeatMap emptyMap(const TokenGrid& grid, int64_t count)
{
    const bool placed = grid.rows > 0 && grid.columns > 0;
    HeatMap map{.rowTitle = "row", .columnTitle = "column"};
    map.rows = numbered(placed ? grid.rows : 1);
    map.columns = numbered(placed ? grid.columns : count);
    return map;
}

/// From 0 to 1, or to what counts for more.
void fixScale(HeatMap& map)
{
    map.low = 0, map.high = 1;
    for (const double value : map.values)
        map.high = std::max(*map.high, std::isnan(value) ? 0 : value);
    map.title += " (0 to " + formatError(*map.high) + ")";
}

std::string headText(std::optional<size_t> head)
{
    return head ? "head " + std::to_string(*head) : std::string("mean over heads");
}

/// Mean over heads and frames, without NaN; NaN if that is all there is.
std::vector<double> meanMass(const LayerKeys& keys, std::optional<size_t> head, int64_t firstFrame, int64_t frames)
{
    const auto patches = int64_t(keys.massKept.front().size()) - keys.prefix;
    const int64_t each = patches / keys.frames;
    std::vector<double> means;
    for (int64_t i = 0; i < each; ++i) {
        double sum = 0, count = 0;
        for (size_t h = head.value_or(0); h < (head ? *head + 1 : keys.massKept.size()); ++h)
            for (int64_t frame = firstFrame; frame < firstFrame + frames; ++frame) {
                const auto value = double(keys.massKept[h][size_t(keys.prefix + frame * each + i)]);
                sum += std::isnan(value) ? 0 : value;
                count += std::isnan(value) ? 0 : 1;
            }
        means.push_back(count > 0 ? sum / count : std::nan(""));
    }
    return means;
}

/// The frame in which a query lies, if it is one of the keys' tokens.
int64_t frameOf(int64_t query, int64_t prefix, int64_t frames, int64_t patches)
{
    return frames <= 1 || query < prefix ? 0 : std::min((query - prefix) / patches, frames - 1);
}

/// Maps next to and below one another, one cell apart. Of tiles of different sizes each begins at the upper left of its place.
class Tiles {
public:
    Tiles(std::vector<std::string> down, std::vector<std::string> across)
        : m_down(std::move(down))
        , m_across(std::move(across))
        , m_tiles(m_down.size() * m_across.size())
    {}

    void set(size_t row, size_t column, HeatMap tile)
    {
        m_rows = std::max(m_rows, tile.rows.size());
        m_columns = std::max(m_columns, tile.columns.size());
        m_tiles[row * m_across.size() + column] = std::move(tile);
    }

    HeatMap map() const
    {
        HeatMap map;
        map.rows.resize(m_down.size() * (m_rows + 1) - 1);
        map.columns.resize(m_across.size() * (m_columns + 1) - 1);
        map.values.assign(map.rows.size() * map.columns.size(), std::numeric_limits<double>::quiet_NaN());
        for (size_t c = 0; c < m_across.size(); ++c)
            map.columns[c * (m_columns + 1) + m_columns / 2] = m_across[c];
        for (size_t r = 0; r < m_down.size(); ++r) {
            map.rows[r * (m_rows + 1) + m_rows / 2] = m_down[r];
            for (size_t c = 0; c < m_across.size(); ++c)
                put(m_tiles[r * m_across.size() + c], r * (m_rows + 1), c * (m_columns + 1), map);
        }
        return map;
    }

private:
    static void put(const HeatMap& tile, size_t top, size_t left, HeatMap& map)
    {
        for (size_t i = 0; i < tile.values.size(); ++i)
            map.values[(top + i / tile.columns.size()) * map.columns.size() + left + i % tile.columns.size()] =
                tile.values[i];
    }

    std::vector<std::string> m_down, m_across;
    std::vector<HeatMap> m_tiles;
    size_t m_rows = 0, m_columns = 0;
};

/// The most heads that a layer has, by number.
template <typename Layers, typename HeadsOf>
std::vector<std::string> headNames(const Layers& layers, const HeadsOf& headsOf)
{
    size_t heads = 0;
    for (const auto& layer : layers)
        heads = std::max(heads, headsOf(layer));
    return numbered(int64_t(heads));
}

/// Classes, signed numbers, or magnitudes from 0.
void colourTokens(const TokenMapInfo& info, HeatMap& map)
{
    map.colours = info.kind == TokenMapInfo::Kind::Category ? HeatColours::Category
                  : std::ranges::any_of(map.values, [](double value) { return value < 0; })
                      ? HeatColours::Difference
                      : HeatColours::Magnitude;
    map.low = 0;
}

const LayerTokenMap* findMap(const std::vector<LayerTokenMap>& maps, std::string_view name)
{
    const auto found = std::ranges::find(
        maps, name, [](const LayerTokenMap& map) -> std::string_view { return map.info.name; });
    return found == maps.end() ? nullptr : &*found;
}

[[noreturn]] void refuseWithoutSets(const InspectedAttention& attention)
{
    throw UsageError(attention.attention, "it leaves no keys out: every query sees all of them",
                     "give an attention whose queries see some of the keys, such as a window");
}

const LogitTermMaps& requestedTerms(const LogitTermReport& report)
{
    if (!report.maps)
        throw UsageError("", "the terms of no query were requested", "specify a query");
    return *report.maps;
}

}

HeatMap weightMap(const LayerMaps& maps, size_t head, WeightsShown shown, int64_t frame)
{
    struct Kind {
        const std::vector<std::vector<float>>& rows;
        const char* title;
    };
    const Kind kinds[]{{maps.exact, "Exact attention"},
                       {maps.implied, "Implied weights"},
                       {maps.difference, "Implied minus exact weights"},
                       {maps.seen, "Keys that the query may see"}};
    const Kind& kind = kinds[size_t(shown)];
    const std::vector<float>& row = kind.rows.at(head);
    HeatMap map = emptyMap(maps.grid, std::ssize(row) - maps.prefix);
    map.title = kind.title;
    map.caption = "Layer " + std::to_string(maps.layer) + ", " + headText(head) + ", query token "
                  + std::to_string(maps.query) + ".";
    const size_t cells = map.rows.size() * map.columns.size(), first = size_t(maps.prefix) + size_t(frame) * cells;
    bool negative = false;
    for (size_t i = 0; i < cells; ++i) {
        map.values.push_back(double(row.at(first + i)));
        negative = negative || map.values.back() < 0;
    }
    map.colours = negative ? HeatColours::Difference : HeatColours::Magnitude;
    if (shown == WeightsShown::Seen)
        fixScale(map);
    return map;
}

HeatMap massMap(const LayerKeys& keys, std::optional<size_t> head, int64_t frame)
{
    HeatMap map = emptyMap(keys.grid, std::ssize(keys.massKept.front()) - keys.prefix);
    map.title = "Mass kept of exact attention";
    map.caption = "For each query, " + headText(head) + ": exact softmax's weight on the keys that it sees.";
    map.values = meanMass(keys, head, frame, 1);
    fixScale(map);
    return map;
}

HeatMap tokenMap(const LayerTokenMap& map, size_t head, int64_t frame)
{
    const std::vector<float>& values = map.values.at(head);
    HeatMap heat = emptyMap(map.grid, std::ssize(values) - map.prefix);
    heat.title = map.info.title;
    heat.caption = headText(head) + ": " + map.info.help + ".";
    heat.caption.front() = 'H';
    const size_t cells = heat.rows.size() * heat.columns.size();
    const size_t first = size_t(map.prefix) + size_t(frame) * cells;
    for (size_t i = 0; i < cells; ++i)
        heat.values.push_back(double(values.at(first + i)));
    colourTokens(map.info, heat);
    return heat;
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
    for (size_t t = 0; t < shownTerms; ++t)
        map.columns.emplace_back(toText(static_cast<LogitTerm>(t)));
    for (int64_t head = 0; head < report.heads; ++head) {
        map.rows.push_back(std::to_string(head));
        for (size_t t = 0; t < shownTerms; ++t) {
            map.values.push_back(report.fractions[t][size_t(head)]);
            map.labels.push_back(formatError(map.values.back()));
        }
    }
    return map;
}

HeatMap termMap(const LogitTermReport& report, size_t head, LogitTerm term)
{
    const LogitTermMaps& maps = requestedTerms(report);
    HeatMap map = emptyMap(report.grid, report.tokens - report.prefix);
    map.title = toText(term);
    map.caption = "Layer 0, " + headText(head) + ", query token " + std::to_string(maps.query)
                  + "; minus the mean over keys.";
    map.colours = HeatColours::Difference;
    const std::vector<float>& values = maps.terms[size_t(term)].at(head);
    double mean = 0;
    for (const float value : values)
        mean += double(value) / double(values.size());
    const size_t cells = map.rows.size() * map.columns.size();
    const int64_t frame = frameOf(maps.query, report.prefix, report.frames, int64_t(cells));
    const size_t first = size_t(report.prefix) + size_t(frame) * cells;
    for (size_t i = 0; i < cells; ++i)
        map.values.push_back(double(values.at(first + i)) - mean);
    return map;
}

HeatMap termMaps(const LogitTermReport& report)
{
    std::vector<std::string> terms;
    for (size_t t = 0; t < shownTerms; ++t)
        terms.emplace_back(toText(static_cast<LogitTerm>(t)));
    Tiles tiles(numbered(report.heads), std::move(terms));
    for (size_t head = 0; head < size_t(report.heads); ++head)
        for (size_t t = 0; t < shownTerms; ++t)
            tiles.set(head, t, termMap(report, head, static_cast<LogitTerm>(t)));
    HeatMap map = tiles.map();
    map.title = "Terms of a query's logits in layer 0";
    map.caption = "Query token " + std::to_string(requestedTerms(report).query)
                  + "; each term minus its mean over keys, at the keys' places.";
    map.rowTitle = "head", map.columnTitle = "term";
    map.colours = HeatColours::Difference;
    return map;
}

HeatMap seenMaps(const InspectedAttention& attention)
{
    if (attention.maps.empty())
        throw UsageError("", "the keys of no query were requested", "specify a query");
    std::vector<std::string> layers;
    for (const LayerMaps& layer : attention.maps)
        layers.push_back(std::to_string(layer.layer));
    Tiles tiles(layers, headNames(attention.maps, [](const LayerMaps& layer) { return layer.seen.size(); }));
    bool any = false;
    for (size_t i = 0; i < attention.maps.size(); ++i) {
        const LayerMaps& layer = attention.maps[i];
        const int64_t frame = frameOf(layer.query, layer.prefix, layer.frames,
                                      layer.grid.rows * layer.grid.columns);
        for (size_t head = 0; head < layer.seen.size(); ++head, any = true)
            tiles.set(i, head, weightMap(layer, head, WeightsShown::Seen, frame));
    }
    if (!any)
        refuseWithoutSets(attention);
    HeatMap map = tiles.map();
    map.title = "Keys that a query sees with " + attention.attention;
    map.caption = "Query token " + std::to_string(attention.maps.front().query)
                  + "; 1: the key is seen, 0: it is not; a soft mask's value, or how often a key counts. All 0: "
                    "no key is seen, and all are used.";
    map.rowTitle = "layer", map.columnTitle = "head";
    fixScale(map);
    return map;
}

HeatMap tokenMaps(const InspectedAttention& attention, std::string_view name)
{
    std::vector<std::string> layers;
    std::vector<const LayerTokenMap*> found;
    for (size_t i = 0; i < std::max(attention.teacherForced.size(), attention.maps.size()); ++i) {
        layers.push_back(std::to_string(i));
        const LayerTokenMap* map = i < attention.maps.size() ? findMap(attention.maps[i].tokenMaps, name)
                                                             : nullptr;
        if (map == nullptr && i < attention.teacherForced.size())
            map = findMap(attention.teacherForced[i].tokenMaps, name);
        found.push_back(map);
    }
    const auto any = std::ranges::find_if(found, [](const LayerTokenMap* map) { return map != nullptr; });
    if (any == found.end())
        throw UsageError(attention.attention, "it has no map `" + std::string(name) + "`",
                         "give an attention that chooses such tokens, and a query that is not exact");
    Tiles tiles(layers, headNames(found, [](const LayerTokenMap* map) {
                    return map == nullptr ? 0 : map->values.size();
                }));
    for (size_t i = 0; i < found.size(); ++i)
        for (size_t head = 0; found[i] != nullptr && head < found[i]->values.size(); ++head)
            tiles.set(i, head, tokenMap(*found[i], head));
    const TokenMapInfo& info = (*any)->info;
    HeatMap map = tiles.map();
    map.title = info.title + " of " + attention.attention;
    map.caption = info.title + ": " + info.help + "."
                  + (info.ofQuery ? " Query token " + std::to_string(attention.maps.front().query) + "."
                                  : std::string());
    map.rowTitle = "layer", map.columnTitle = "head";
    colourTokens(info, map);
    return map;
}

HeatMap mergedMap(const MergedTokens& merged, size_t layer, int64_t frame)
{
    const std::vector<int32_t>& tokens = merged.layers.at(layer);
    const auto patches = int64_t(tokens.size()) - merged.prefix;
    HeatMap map = emptyMap({merged.rows, merged.columns}, patches);
    map.title = "Layer " + std::to_string(layer) + ": " + std::to_string(merged.left(layer)) + " of "
                + counted(std::ssize(tokens), "token");
    std::vector<double> counts(size_t(merged.left(layer)), 0);
    for (const int32_t token : tokens)
        counts[size_t(token)] += 1;
    const size_t cells = map.rows.size() * map.columns.size(),
                 first = size_t(merged.prefix) + size_t(frame) * cells;
    for (size_t i = 0; i < cells; ++i)
        map.values.push_back(counts[size_t(tokens.at(first + i))]);
    return map;
}

HeatMap mergedMaps(const InspectedAttention& attention)
{
    if (!attention.merged || attention.merged->layers.empty())
        throw UsageError(attention.attention, "no tokens merge, or the network was not run end to end",
                         "give --tokens tome:r=13, without --teacher-forced");
    const size_t layers = attention.merged->layers.size(), across = std::min<size_t>(layers, 4);
    Tiles tiles(std::vector<std::string>((layers + across - 1) / across), std::vector<std::string>(across));
    for (size_t layer = 0; layer < layers; ++layer)
        tiles.set(layer / across, layer % across, mergedMap(*attention.merged, layer));
    HeatMap map = tiles.map();
    map.title = "Patches of one token with " + attention.attention;
    map.caption = "Behind each layer, row by row from the upper left: how many patches have become one token with "
                  "the one in this place.";
    map.rowTitle = "layers", map.columnTitle = "";
    map.low = 1;
    return map;
}

HeatMap massMaps(const InspectedAttention& attention)
{
    std::vector<std::string> layers;
    for (const InspectedLayer& layer : attention.teacherForced)
        layers.push_back(layer.name.empty() ? std::to_string(layer.layer) : layer.name);
    Tiles tiles(layers, headNames(attention.teacherForced, [](const InspectedLayer& layer) {
                    return layer.keys ? layer.keys->heads.size() : 0;
                }));
    bool any = false;
    for (size_t i = 0; i < attention.teacherForced.size(); ++i) {
        const auto& keys = attention.teacherForced[i].keys;
        for (size_t head = 0; keys && head < keys->heads.size(); ++head, any = true) {
            HeatMap tile = massMap(*keys, head);
            tile.values = meanMass(*keys, head, 0, keys->frames);
            tiles.set(i, head, std::move(tile));
        }
    }
    if (!any)
        refuseWithoutSets(attention);
    HeatMap map = tiles.map();
    map.title = "Mass kept of exact attention by " + attention.attention;
    map.caption = "For each query: exact softmax's weight on the keys that it sees, at the exact pass's q, k, v. "
                  "Missing: it saw no key and used all.";
    map.rowTitle = "layer", map.columnTitle = "head";
    fixScale(map);
    return map;
}

std::vector<LayerChart> layerCharts()
{
    const auto mapOf = [](const std::string& name, bool ofQuery) {
        return LayerChart{name, [name](const InspectedAttention& one) { return tokenMaps(one, name); }, ofQuery};
    };
    std::vector<LayerChart> charts{
        {"errors", [](const InspectedAttention& one) { return errorMap(one, InspectionMode::TeacherForced); }},
        {"mass-kept", massMaps},
        {"seen", seenMaps, true},
        {"merged", mergedMaps},
        mapOf(std::string(queryErrorMap), false)};
    for (const TokenMapInfo& info : tokenMapInfos())
        charts.push_back(mapOf(info.name, info.ofQuery));
    return charts;
}

}

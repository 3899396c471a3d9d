#pragma once

#include "core/figure/chart.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/layers/logit_terms.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the layers instrument says of single tokens, as heat maps over the image. Independent of torch.
namespace attnscope {

enum class WeightsShown {
    Exact,
    Implied,
    Difference,
    Seen,  ///< how much of each key the query may see; only where the attention leaves keys out
};
/// The weights that one query gives to the keys of frame `frame`, at their positions.
HeatMap weightMap(const LayerMaps& maps, size_t head, WeightsShown shown, int64_t frame = 0);
/// Exact softmax's weight on the keys that each query of frame `frame` sees, at the queries' positions; without a head the mean over heads.
/// NaN where a query saw no key and used all.
HeatMap massMap(const LayerKeys& keys, std::optional<size_t> head, int64_t frame = 0);

/// A number of every query or key of frame `frame` at its position: what an attention chose, or where it errs.
HeatMap tokenMap(const LayerTokenMap& map, size_t head, int64_t frame = 0);

/// Heads × terms: what part of what softmax sees each term is. The row-constant term, which it does not see, is left out.
HeatMap termFractions(const LogitTermReport& report);
/// The term of the requested query minus its mean over keys, at the positions of the keys in the query's frame. Throws UsageError if no query
/// was requested.
HeatMap termMap(const LogitTermReport& report, size_t head, LogitTerm term);

/// A tile for every head (down) and term (across). Throws UsageError if no query was requested.
HeatMap termMaps(const LogitTermReport& report);
/// What the query may see, in its own frame: a tile for every layer (down) and head (across). Throws UsageError if no query was requested, or
/// if the attention leaves no keys out.
HeatMap seenMaps(const InspectedAttention& attention);
/// How many patches each patch has become one token with, in the place of each: behind a layer.
HeatMap mergedMap(const MergedTokens& merged, size_t layer, int64_t frame = 0);
/// A tile for every layer. Throws UsageError if no tokens merge, or nothing was requested end to end.
HeatMap mergedMaps(const InspectedAttention& attention);
/// Exact softmax's weight on what each query sees, a tile for every layer (down) and head (across); of a video the mean over frames. Throws
/// UsageError if the attention leaves no keys out.
HeatMap massMaps(const InspectedAttention& attention);
/// The map of that name (TokenMapInfo), a tile for every layer (down) and head (across), of a video the first frame. Throws UsageError if no
/// layer has it.
HeatMap tokenMaps(const InspectedAttention& attention, std::string_view name);

/// A figure of an inspected attention.
struct LayerChart {
    std::string name;  ///< "mass-kept"
    std::function<HeatMap(const InspectedAttention& attention)> draw;
    bool needsQuery = false;
};
std::vector<LayerChart> layerCharts();

}

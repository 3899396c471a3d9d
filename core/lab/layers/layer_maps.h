// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figure/chart.h"
#include "core/lab/layers/inspect.h"
#include "core/lab/layers/logit_terms.h"

#include <cstddef>
#include <cstdint>

/// What the layers instrument says of single tokens, as heat maps over the image. Independent of torch.
namespace attnscope {

/// Heads × terms: what part of what softmax sees each term is. The row-constant term, which it does not see, is left out.
[[nodiscard]] HeatMap termFractions(const LogitTermReport& report);
/// For the requested query, a tile for every head (down) and term (across): the term minus its mean over keys, at the keys' places in the
/// query's frame. Throws UsageError if no query was requested.
[[nodiscard]] HeatMap termMaps(const LogitTermReport& report);

enum class WeightsShown { Exact, Implied, Difference };
/// The weights that one query gives to the keys of frame `frame`, at their positions.
[[nodiscard]] HeatMap weightMap(const LayerMaps& maps, std::size_t head, WeightsShown shown, std::int64_t frame = 0);

}  // namespace attnscope

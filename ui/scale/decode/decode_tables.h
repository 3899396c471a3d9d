#pragma once

#include "core/lab/decode/decode.h"
#include "ui/widgets/cell_table.h"

namespace attnscope::ui {

/// Every mechanism at every position.
TableContents decodePoints(const DecodeReport& report);
/// Exponents, where each is cheaper than the cache, and what checks it: a row for each mechanism.
TableContents decodeSummary(const DecodeReport& report);
/// The weight of one token in later outputs, lags as columns; with a gate also what the state has kept of it.
TableContents decodeImpulses(const DecodeReport& report);

}

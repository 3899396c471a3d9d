#pragma once

#include "core/lab/decode/decode.h"

#include <QString>

namespace attnscope::ui {

/// Seconds that made tokens at these positions will take, by counting multiply-adds.
double guessedSeconds(const DecodeRequest& request);

/// What it comes to: which mechanisms are faster than the cache at the last position, and which of them is closest to it. Where times
/// overlap, nobody is faster.
QString decodeVerdict(const DecodeReport& report);
/// How it was measured.
QString decodeDetail(const DecodeReport& report);

}

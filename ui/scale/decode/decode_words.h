#pragma once

#include "core/lab/decode/decode.h"

namespace attnscope::ui {

/// Seconds that made tokens at these positions will take, by counting multiply-adds.
double guessedSeconds(const DecodeRequest& request);

}

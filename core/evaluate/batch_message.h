#pragma once

#include "core/attention/numerics/fallback_note.h"
#include "core/store/store_records.h"

#include <string>
#include <vector>

/// Independent of torch.
namespace attnscope {

/// What one of several processes did in its turn.
struct BatchMessage {
    FinishedBatch batch;
    std::vector<std::string> failures;                  ///< of each run; empty: none
    std::vector<char> notFinite;                        ///< 1 for each run with logits that are not finite, else 0
    std::vector<std::vector<FallbackCount>> fallbacks;  ///< of each run, in the first batch where it happened
};

/// Converts to numbers, which processes exchange, and back. A turn without a batch is an empty list.
std::vector<double> encode(const BatchMessage& message);
BatchMessage decode(const std::vector<double>& numbers);

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/store/store_records.h"

#include <string>
#include <vector>

/// Free of torch.
namespace attnscope {

/// What one of several processes made of its turn.
struct BatchMessage {
    FinishedBatch batch;
    std::vector<std::string> failures;  ///< of each run; empty: none
    std::vector<bool> notFinite;        ///< of each run
};

/// As numbers, which is what processes exchange; and back. A turn without a batch is no numbers.
std::vector<double> encode(const BatchMessage& message);
BatchMessage decode(const std::vector<double>& numbers);

}  // namespace attnscope

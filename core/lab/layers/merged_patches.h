#pragma once

#include "core/run/run_record.h"

#include <cstddef>
#include <cstdint>
#include <vector>

/// Independent of torch.
namespace attnscope {

/// Which token each patch of a frame is part of behind a layer, row-major. Empty: patches have no grid, or there is no such layer or frame.
std::vector<int32_t> mergedPatches(const MergedTokens& merged, size_t layer, int64_t frame);

}

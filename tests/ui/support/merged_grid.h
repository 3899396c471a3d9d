#pragma once

#include "core/run/run_record.h"

namespace attnscope::ui::test {

/// Of side × side patches: behind layer n those of the first 2 + n rows are one token with their neighbour on the right, and the last row is
/// one token.
inline MergedTokens mergedGrid(int layers, int side, int64_t prefix, int64_t frames)
{
    MergedTokens merged{prefix, frames, side, side, {}};
    for (int layer = 0; layer < layers; ++layer) {
        std::vector<int32_t>& tokens = merged.layers.emplace_back();
        int32_t next = 0;
        for (int64_t i = 0; i < prefix; ++i)
            tokens.push_back(next++);
        for (int64_t frame = 0; frame < frames; ++frame)
            for (int row = 0; row < side; ++row)
                for (int column = 0; column < side; ++column) {
                    const bool joins = column > 0 && (row + 1 == side || (row < 2 + layer && column % 2 == 1));
                    tokens.push_back(joins ? tokens.back() : next++);
                }
    }
    return merged;
}

}

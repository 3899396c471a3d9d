#pragma once

#include "core/measure/proportions.h"

#include <cstdint>
#include <vector>

namespace attnscope {

/// How far samples ran through a network of L blocks, and what was predicted there. Independent of torch.
struct ExitOutcome : Proportion {
    int64_t agreeing = 0;           ///< samples with the prediction of block L
    std::vector<int64_t> perBlock;  ///< samples that leave behind each block

    double meanBlocks() const;
    /// Of the mean: ±1.96 standard errors, within 1 … L.
    Interval blocksInterval() const;
    double agreement() const;
};

}

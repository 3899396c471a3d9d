// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/input/arguments.h"
#include "models/training/train_model.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace attnscope::cli {

struct TrainArguments {
    TrainRequest request;
    DeviceArguments device;
    OutputArguments output;
    std::string store;  ///< a results store that keeps the epochs, too; empty: none
    std::string init = "untrained";
    std::string augment = "deit";
    // Given separately from the preset, so that each may change one thing of it.
    std::vector<double> cropScale, randAugment;
    double flip = -1, erasing = -1, mixup = -1, cutmix = -1;
};

void addTrainArguments(CLI::App& command, TrainArguments& arguments);

/// The request that the arguments spell. Throws UsageError.
TrainRequest trainRequest(const TrainArguments& arguments);

}  // namespace attnscope::cli

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/run/run_record.h"

#include <string>

namespace attnscope {

/// The layer with the largest relative error; null where there is one layer or none, or no error at all.
const LayerError* worstLayer(const ApproximationError& error);

/// "stage 2 block 1", or "layer 6" where layers are called by their number.
std::string layerTitle(const LayerError& layer);

}  // namespace attnscope

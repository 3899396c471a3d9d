#pragma once

#include "core/run/run_record.h"

#include <string>

namespace attnscope {

/// The layer with the largest relative error; null if there is at most one layer, or no error at all.
const LayerError* worstLayer(const ApproximationError& error);

/// "stage 2 block 1", or "layer 6" if layers are numbered.
std::string layerTitle(const LayerError& layer);

}

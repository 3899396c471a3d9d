#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over means of keys and values in the cells of a grid, as in PVT's spatial reduction, but without its convolution and norm, so
/// that it needs no learned weights. A cell is weighted by its number of tokens (its size as a log weight), so that the weights equal those
/// of softmax if the keys of a cell are equal. Class tokens remain keys of their own.
BackendInfo pooledKeysInfo();

}

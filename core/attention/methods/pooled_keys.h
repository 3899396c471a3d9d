// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/backend_info.h"

namespace attnscope {

/// Softmax over means of keys and values: those of the cells of a grid, as in PVT's spatial reduction, without its convolution and
/// norm, so that it needs no weights. A cell counts as many times as it has tokens (its size as a log weight), so that the weights
/// stay those of softmax where keys of a cell are alike. Class tokens are kept as keys of their own.
BackendInfo pooledKeysInfo();

}  // namespace attnscope

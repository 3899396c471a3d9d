// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <vector>

namespace attnscope {

/// Exchanges tensors through one contiguous buffer of this type on this device, one message instead of hundreds, wherever they are: copies
/// them in, calls `exchange` with it, and copies the result back.
void throughOneBuffer(std::vector<at::Tensor>& tensors, at::Device device, at::ScalarType type,
                      const std::function<void(const at::Tensor& buffer)>& exchange);

}  // namespace attnscope

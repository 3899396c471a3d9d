// SPDX-License-Identifier: Apache-2.0
#include "core/distributed/flat_tensors.h"

namespace attnscope {

void throughOneBuffer(std::vector<at::Tensor>& tensors, at::Device device, at::ScalarType type,
                      const std::function<void(const at::Tensor& buffer)>& exchange)
{
    const at::NoGradGuard guard;
    std::vector<at::Tensor> flat;
    for (const at::Tensor& tensor : tensors)
        flat.push_back(tensor.detach().reshape({-1}).to(type));
    const at::Tensor all = at::cat(flat).to(device);
    exchange(all);
    std::int64_t at = 0;
    for (at::Tensor& tensor : tensors) {
        tensor.detach().copy_(all.slice(0, at, at + tensor.numel()).reshape(tensor.sizes()));
        at += tensor.numel();
    }
}

}  // namespace attnscope

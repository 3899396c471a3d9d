#include "core/distributed/collective.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace attnscope {

void Collective::sum(std::vector<double>& numbers)
{
    if (size() == 1)
        return;
    std::vector<at::Tensor> tensors{at::tensor(numbers, at::kDouble)};
    sum(tensors);
    std::copy_n(tensors.front().data_ptr<double>(), numbers.size(), numbers.begin());
}

bool Collective::any(bool here)
{
    std::vector<double> votes{here ? 1.0 : 0.0};
    sum(votes);
    return votes.front() > 0;
}

void throughOneBuffer(std::vector<at::Tensor>& tensors, at::Device device,
                      const std::function<void(const at::Tensor& buffer)>& exchange)
{
    if (tensors.empty())
        return;
    const at::NoGradGuard guard;
    const at::ScalarType type = tensors.front().scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    std::vector<at::Tensor> flat;
    for (const at::Tensor& tensor : tensors)
        flat.push_back(tensor.detach().reshape({-1}).to(type));
    const at::Tensor all = at::cat(flat).to(device);
    exchange(all);
    int64_t at = 0;
    for (at::Tensor& tensor : tensors) {
        tensor.detach().copy_(all.slice(0, at, at + tensor.numel()).reshape(tensor.sizes()));
        at += tensor.numel();
    }
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/distributed/collective.h"

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

}  // namespace attnscope

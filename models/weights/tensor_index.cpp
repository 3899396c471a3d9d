// SPDX-License-Identifier: Apache-2.0
#include "models/weights/tensor_index.h"

namespace attnscope {

bool TensorIndex::begins(const std::string& prefix) const
{
    const auto found = m_tensors.lower_bound(prefix);
    return found != m_tensors.end() && found->first.starts_with(prefix);
}

std::vector<std::int64_t> TensorIndex::shape(const std::string& name) const
{
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? std::vector<std::int64_t>{} : found->second.shape();
}

std::int64_t TensorIndex::size(const std::string& name, std::size_t axis) const
{
    const auto sizes = shape(name);
    return axis < sizes.size() ? sizes[axis] : 0;
}

std::int64_t TensorIndex::count(const std::string& prefix) const
{
    constexpr std::int64_t most = 1024;
    std::int64_t n = 0;
    while (n < most && begins(prefix + std::to_string(n) + "."))
        ++n;
    return n;
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "models/weights/named_tensors.h"

#include <algorithm>

namespace attnscope {

namespace {

template <typename T, typename Read>
std::vector<T> concatenated(const std::vector<StoredTensor>& parts, Read read)
{
    std::vector<T> all = read(parts.front());
    for (std::size_t i = 1; i < parts.size(); ++i) {
        const std::vector<T> next = read(parts[i]);
        all.insert(all.end(), next.begin(), next.end());
    }
    return all;
}

}  // namespace

bool NamedTensor::joins() const
{
    const StoredTensor& first = parts.front();
    return parts.size() == 1 || std::ranges::all_of(parts, [&](const StoredTensor& part) {
               return part.type == first.type && !part.shape.empty() && part.shape.size() == first.shape.size()
                      && std::equal(part.shape.begin() + 1, part.shape.end(), first.shape.begin() + 1);
           });
}

std::vector<std::int64_t> NamedTensor::shape() const
{
    std::vector<std::int64_t> shape = parts.front().shape;
    if (parts.size() == 1 || !joins())
        return shape;
    shape.front() = 0;
    for (const StoredTensor& part : parts)
        shape.front() += part.shape.front();  // numbers of elements in a file: their sum can't overflow
    return shape;
}

std::vector<float> NamedTensor::readFloat() const
{
    return concatenated<float>(parts, [](const StoredTensor& part) { return part.readFloat(); });
}

std::vector<std::byte> NamedTensor::read() const
{
    return concatenated<std::byte>(parts, [](const StoredTensor& part) { return part.read(); });
}

NamedTensors namedTensors(const StateDict& state)
{
    NamedTensors tensors;
    for (const auto& [name, tensor] : state.tensors)
        tensors[name] = {{tensor}, {name}};
    return tensors;
}

StoredTensor rowsOf(const StoredTensor& tensor, std::int64_t begin, std::int64_t end)
{
    StoredTensor rows = tensor;
    rows.firstElement += begin * tensor.strides.front();
    rows.shape.front() = end - begin;
    return rows;
}

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

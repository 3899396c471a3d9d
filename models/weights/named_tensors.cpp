#include "models/weights/named_tensors.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace attnscope {

namespace {

template <typename T, typename Read>
std::vector<T> concatenated(const std::vector<StoredTensor>& parts, Read read)
{
    std::vector<T> all = read(parts.front());
    for (size_t i = 1; i < parts.size(); ++i) {
        const std::vector<T> next = read(parts[i]);
        all.insert(all.end(), next.begin(), next.end());
    }
    return all;
}

class ZeroSource : public ByteSource {
public:
    explicit ZeroSource(int64_t size)
        : m_size(size)
    {}
    int64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }
    void read(int64_t, std::span<std::byte> out) const override { std::ranges::fill(out, std::byte{0}); }

private:
    int64_t m_size;
    std::string m_name = "zeros";
};

}

bool NamedTensor::joins() const
{
    const StoredTensor& first = parts.front();
    if (std::ranges::any_of(
            addends, [&](const StoredTensor& each) { return parts.size() > 1 || each.shape != first.shape; }))
        return false;
    return parts.size() == 1 || std::ranges::all_of(parts, [&](const StoredTensor& part) {
               return part.type == first.type && !part.shape.empty() && part.shape.size() == first.shape.size()
                      && std::equal(part.shape.begin() + 1, part.shape.end(), first.shape.begin() + 1);
           });
}

std::vector<int64_t> NamedTensor::shape() const
{
    std::vector<int64_t> shape = parts.front().shape;
    if (parts.size() == 1 || !joins())
        return shape;
    shape.front() = 0;
    for (const StoredTensor& part : parts)
        shape.front() += part.shape.front();  // numbers of elements in a file: their sum can't overflow
    return shape;
}

ElementType NamedTensor::type() const
{
    return addends.empty() ? parts.front().type : ElementType::Float32;
}

std::vector<float> NamedTensor::readFloat() const
{
    std::vector<float> values = concatenated<float>(parts,
                                                    [](const StoredTensor& part) { return part.readFloat(); });
    for (const StoredTensor& addend : addends) {
        const std::vector<float> more = addend.readFloat();
        for (size_t i = 0; i < values.size(); ++i)
            values[i] += more[i];
    }
    return values;
}

std::vector<std::byte> NamedTensor::read() const
{
    if (!addends.empty()) {
        const std::vector<float> values = readFloat();
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }
    return concatenated<std::byte>(parts, [](const StoredTensor& part) { return part.read(); });
}

NamedTensors namedTensors(const StateDict& state)
{
    NamedTensors tensors;
    for (const auto& [name, tensor] : state.tensors)
        tensors[name] = {{tensor}, {name}};
    return tensors;
}

StoredTensor rowsOf(const StoredTensor& tensor, int64_t begin, int64_t end)
{
    return sliceOf(tensor, 0, begin, end);
}

StoredTensor sliceOf(const StoredTensor& tensor, size_t axis, int64_t begin, int64_t end)
{
    StoredTensor slice = tensor;
    slice.firstElement += begin * tensor.strides.at(axis);
    slice.shape.at(axis) = end - begin;
    return slice;
}

NamedTensor rowsOf(const NamedTensor& tensor, int64_t begin, int64_t end)
{
    NamedTensor rows;
    int64_t first = 0;
    for (size_t i = 0; i < tensor.parts.size(); ++i) {
        const int64_t size = tensor.parts[i].shape.front();
        const int64_t from = std::max(begin - first, int64_t{0}), to = std::min(end - first, size);
        if (from < to) {
            rows.parts.push_back(rowsOf(tensor.parts[i], from, to));
            rows.sources.push_back(tensor.sources[i]);
        }
        first += size;
    }
    return rows;
}

StoredTensor transposed(const StoredTensor& tensor)
{
    StoredTensor result = tensor;
    std::swap(result.shape.at(0), result.shape.at(1));
    std::swap(result.strides.at(0), result.strides.at(1));
    return result;
}

StoredTensor withAxes(StoredTensor tensor, size_t axes)
{
    while (tensor.shape.size() < axes) {
        tensor.shape.insert(tensor.shape.begin(), 1);
        tensor.strides.insert(tensor.strides.begin(), 0);
    }
    return tensor;
}

StoredTensor zeroTensor(std::vector<int64_t> shape)
{
    StoredTensor zeros;
    zeros.strides.resize(shape.size());
    int64_t elements = 1;
    for (size_t i = shape.size(); i-- > 0;) {
        zeros.strides[i] = elements;
        elements *= shape[i];
    }
    zeros.shape = std::move(shape);
    zeros.storageBytes = elements * int64_t(sizeof(float));
    zeros.source = std::make_shared<ZeroSource>(zeros.storageBytes);
    return zeros;
}

bool TensorIndex::begins(const std::string& prefix) const
{
    const auto found = m_tensors.lower_bound(prefix);
    return found != m_tensors.end() && found->first.starts_with(prefix);
}

std::vector<int64_t> TensorIndex::shape(const std::string& name) const
{
    const auto found = m_tensors.find(name);
    return found == m_tensors.end() ? std::vector<int64_t>{} : found->second.shape();
}

int64_t TensorIndex::size(const std::string& name, size_t axis) const
{
    const auto sizes = shape(name);
    return axis < sizes.size() ? sizes[axis] : 0;
}

int64_t TensorIndex::count(const std::string& prefix) const
{
    constexpr int64_t most = 1024;
    int64_t n = 0;
    while (n < most && begins(prefix + std::to_string(n) + "."))
        ++n;
    return n;
}

}

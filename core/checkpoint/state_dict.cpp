#include "core/checkpoint/state_dict.h"

#include "core/base/checked.h"
#include "core/base/error.h"
#include "core/checkpoint/element_type.h"

#include <algorithm>
#include <cstring>

namespace attnscope {

namespace {

bool isContiguous(const StoredTensor& t)
{
    int64_t expected = 1;
    for (size_t i = t.shape.size(); i-- > 0;) {
        if (t.shape[i] != 1 && t.strides[i] != expected)
            return false;
        expected *= t.shape[i];
    }
    return true;
}

void reverseEach(std::vector<std::byte>& bytes, size_t size)
{
    for (size_t i = 0; i + size <= bytes.size(); i += size)
        std::reverse(bytes.begin() + ptrdiff_t(i), bytes.begin() + ptrdiff_t(i + size));
}

/// Gathers a strided view from the bytes between its first and last element.
std::vector<std::byte> gather(const StoredTensor& t, const std::vector<std::byte>& span, size_t size)
{
    std::vector<std::byte> out(size_t(t.elements()) * size);
    std::vector<int64_t> index(t.shape.size(), 0);
    for (size_t n = 0; n < out.size(); n += size) {
        int64_t element = 0;
        for (size_t d = 0; d < index.size(); ++d)
            element += index[d] * t.strides[d];
        std::memcpy(out.data() + n, span.data() + size_t(element) * size, size);
        for (size_t d = index.size(); d-- > 0;) {
            if (++index[d] < t.shape[d])
                break;
            index[d] = 0;
        }
    }
    return out;
}

}

int64_t StoredTensor::elements() const
{
    return checkedProduct(shape).value_or(0);
}

std::vector<std::byte> StoredTensor::read() const
{
    const size_t size = elementSize(type);
    if (elements() == 0)
        return {};
    int64_t reach = 0;  // from the first to the last element
    for (size_t d = 0; d < shape.size(); ++d)
        reach += (shape[d] - 1) * strides[d];
    std::vector<std::byte> span((size_t(reach) + 1) * size);
    source->read(storageOffset + firstElement * int64_t(size), span);
    std::vector<std::byte> bytes = isContiguous(*this) ? std::move(span) : gather(*this, span, size);
    if (bigEndian)
        reverseEach(bytes, isComplex(type) ? size / 2 : size);
    return bytes;
}

std::vector<float> StoredTensor::readFloat() const
{
    if (isComplex(type))
        throw FileError(source->name(), "it holds complex numbers where weights are expected",
                        "save real weights");
    const std::vector<std::byte> bytes = read();
    const size_t size = elementSize(type);
    std::vector<float> values(bytes.size() / size);
    if (type == ElementType::Float32 && !bytes.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    const FloatReader toFloat = floatReader(type);
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = toFloat(bytes.data() + i * size);
    return values;
}

}

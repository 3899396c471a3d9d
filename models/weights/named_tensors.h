#pragma once

#include "core/checkpoint/state_dict.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// A checkpoint's tensors under the names of the family's original code. Independent of torch.
namespace attnscope {

/// One stored tensor, or several that are joined along their first axis (query, key and value in some exports). What other layouts need
/// besides (transposition, other axes, slices, zeros) are views of stored tensors, see below; only sums are computed, when values are read.
struct NamedTensor {
    std::vector<StoredTensor> parts;
    std::vector<std::string> sources;  ///< the names in the file, one per part
    /// Of the joined tensor's shape: added to it element by element, in float32.
    std::vector<StoredTensor> addends = {};

    /// Of the joined tensor; for parts that can't be joined, that of the first part.
    std::vector<int64_t> shape() const;
    /// Whether the parts fit together: same type, same sizes except the first; and the addends with them.
    bool joins() const;
    ElementType type() const;  ///< of `read`: the stored one, float32 for sums

    /// Row-major float32 values. Throws FileError if the file ends early.
    std::vector<float> readFloat() const;
    /// Row-major little-endian bytes of that type.
    std::vector<std::byte> read() const;
};

using NamedTensors = std::map<std::string, NamedTensor>;

/// Every tensor under its own name.
NamedTensors namedTensors(const StateDict& state);

/// Rows `begin` to `end` of the first axis: a view, nothing is read. Requires 0 <= begin <= end <= rows.
StoredTensor rowsOf(const StoredTensor& tensor, int64_t begin, int64_t end);
/// The same along any axis.
StoredTensor sliceOf(const StoredTensor& tensor, size_t axis, int64_t begin, int64_t end);
/// Those rows of a joined tensor without addends, with the names of the parts that they come from.
NamedTensor rowsOf(const NamedTensor& tensor, int64_t begin, int64_t end);
/// A matrix with its axes exchanged: a view. Requires two axes.
StoredTensor transposed(const StoredTensor& tensor);
/// With axes of size 1 in front until there are `axes`: a view.
StoredTensor withAxes(StoredTensor tensor, size_t axes);
/// Zeros of float32 that are in no file.
StoredTensor zeroTensor(std::vector<int64_t> shape);

/// Lookup of the names and shapes in a checkpoint.
class TensorIndex {
public:
    explicit TensorIndex(const NamedTensors& tensors)
        : m_tensors(tensors)
    {}

    bool has(const std::string& name) const { return m_tensors.contains(name); }
    /// Whether any name starts with it.
    bool begins(const std::string& prefix) const;
    /// Empty if there is no such tensor.
    std::vector<int64_t> shape(const std::string& name) const;
    /// The size of one axis, 0 if there is no such tensor or axis.
    int64_t size(const std::string& name, size_t axis) const;
    /// How many of prefix0…, prefix1…, prefix2… there are in sequence, at most 1024: "blocks." counts `blocks.0.norm1.weight`.
    int64_t count(const std::string& prefix) const;

private:
    const NamedTensors& m_tensors;
};

}

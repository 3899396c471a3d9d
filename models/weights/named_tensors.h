// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// A checkpoint's tensors under the names of the family's original code. Independent of torch.
namespace attnscope {

/// One stored tensor, or several that are joined along their first axis (query, key and value in some exports).
struct NamedTensor {
    std::vector<StoredTensor> parts;
    std::vector<std::string> sources;  ///< the names in the file, one per part

    /// Of the joined tensor; for parts that can't be joined, that of the first part.
    [[nodiscard]] std::vector<std::int64_t> shape() const;
    [[nodiscard]] bool joins() const;  ///< whether the parts fit together: same type, same sizes except the first

    /// Row-major float32 values. Throws FileError if the file ends early.
    [[nodiscard]] std::vector<float> readFloat() const;
    /// Row-major little-endian bytes in the stored type.
    [[nodiscard]] std::vector<std::byte> read() const;
};

using NamedTensors = std::map<std::string, NamedTensor>;

/// Every tensor under its own name.
[[nodiscard]] NamedTensors namedTensors(const StateDict& state);

/// Rows `begin` to `end` of the first axis: a view, nothing is read. Requires 0 <= begin <= end <= rows.
[[nodiscard]] StoredTensor rowsOf(const StoredTensor& tensor, std::int64_t begin, std::int64_t end);

/// Lookup of the names and shapes in a checkpoint.
class TensorIndex {
public:
    explicit TensorIndex(const NamedTensors& tensors)
        : m_tensors(tensors)
    {}

    [[nodiscard]] bool has(const std::string& name) const { return m_tensors.contains(name); }
    /// Whether any name starts with it.
    [[nodiscard]] bool begins(const std::string& prefix) const;
    /// Empty if there is no such tensor.
    [[nodiscard]] std::vector<std::int64_t> shape(const std::string& name) const;
    /// The size of one axis, 0 if there is no such tensor or axis.
    [[nodiscard]] std::int64_t size(const std::string& name, std::size_t axis) const;
    /// How many of prefix0…, prefix1…, prefix2… there are in sequence, at most 1024: "blocks." counts `blocks.0.norm1.weight`.
    [[nodiscard]] std::int64_t count(const std::string& prefix) const;

private:
    const NamedTensors& m_tensors;
};

}  // namespace attnscope

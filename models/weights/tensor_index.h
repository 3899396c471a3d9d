// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/weights/named_tensors.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

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
    std::vector<std::int64_t> shape(const std::string& name) const;
    /// The size of one axis, 0 if there is no such tensor or axis.
    std::int64_t size(const std::string& name, std::size_t axis) const;
    /// How many of prefix0…, prefix1…, prefix2… there are in sequence, at most 1024: "blocks." counts `blocks.0.norm1.weight`.
    std::int64_t count(const std::string& prefix) const;

private:
    const NamedTensors& m_tensors;
};

}  // namespace attnscope

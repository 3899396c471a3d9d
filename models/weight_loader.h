// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/checkpoint/state_dict.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace attnscope {

/// Hands out the tensors of a checkpoint by name and shape and keeps account: what was missing, had another shape, was not used.
class WeightLoader {
public:
    WeightLoader(const StateDict& state, std::string subject);

    bool has(const std::string& name) const { return m_state.tensors.count(name) > 0; }
    /// The shape in the file, empty when it is not there.
    std::vector<std::int64_t> shape(const std::string& name) const;

    /// The tensor as float32 on the CPU. A missing one or one of another shape is noted, and zeros are returned, so that one
    /// refusal can name all of them: see `finish`.
    at::Tensor take(const std::string& name, const std::vector<std::int64_t>& shape);
    /// Whatever its shape. Noted when missing.
    at::Tensor takeAny(const std::string& name);
    void ignore(const std::string& name) { m_used.insert(name); }

    std::vector<std::string> unused() const;

    /// Throws FileError when anything was missing, mismatching or left over; `modelName` stands in the sentence.
    void finish(const std::string& modelName, const std::string& advice) const;

private:
    at::Tensor read(const std::string& name);

    const StateDict& m_state;
    std::string m_subject;
    std::set<std::string> m_used;
    std::vector<std::string> m_missing, m_mismatching;
};

}  // namespace attnscope

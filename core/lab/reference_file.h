#pragma once

#include "core/checkpoint/state_dict.h"
#include "core/lab/attend/dumped_case.h"
#include "core/lab/subject.h"

#include <ATen/ATen.h>

#include <string>
#include <vector>

namespace attnscope {

/// A file with the inputs of a computation and perhaps its results, to compare with; all in float64.
class ReferenceFile {
public:
    /// Reads the header. Throws FileError.
    explicit ReferenceFile(const TensorFile& file);

    const std::string& name() const { return m_name; }
    /// Empty unless the header describes a single case. Throws FileError.
    DumpedCase described() const;
    bool has(const std::string& tensor) const { return m_state.tensors.contains(tensor); }
    /// Throws FileError if it is missing, with `remedy`, or not finite.
    at::Tensor read(const std::string& tensor, const std::string& remedy = {}) const;
    /// Adds how far `ours` is from the file's tensor of that name, if it has one.
    void compare(const std::string& tensor, const at::Tensor& ours, std::vector<ExpectedOutput>& expected) const;

private:
    std::string m_name;
    StateDict m_state;
};

}

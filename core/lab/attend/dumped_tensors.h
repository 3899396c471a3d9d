// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_backend.h"
#include "core/checkpoint/state_dict.h"
#include "core/lab/attend/dumped_case.h"

#include <ATen/ATen.h>

#include <map>
#include <string>
#include <vector>

namespace attnscope {

/// Everything that one case of a dumped-attention file holds, checked, on the device and in the dtype of the computation.
struct DumpedTensors {
    AttentionInput input;
    std::map<std::string, at::Tensor> noise;  ///< omega, u, eps
    AttentionParameters parameters;  ///< what is neither input, noise nor output: landmark maps, eval_proj, sigma
    at::Tensor expected;             ///< the case's output as stored; undefined when there is none
    at::Tensor projectionWeight, projectionBias;  ///< of a module file: x → qkv → attention → proj
    std::vector<std::int64_t> moduleShape;        ///< that of x; empty when the file holds q, k, v

    DumpedSizes sizes() const;
    /// Attention output (B,H,N,Dv) → what the file's `out` is: the same, or the module's (shape of x).
    at::Tensor finished(const at::Tensor& attended) const;
};

/// How tensors are to be read.
struct DumpedReading {
    at::Device device = at::kCPU;
    std::string dtype = "auto";
    double temperature = 1;
    NoiseOrigin noise = NoiseOrigin::File;
};

/// Reads the tensors that `described` names. Throws FileError (one sentence) for missing tensors, wrong ranks, sizes that do not
/// fit each other, numbers that are not finite, types that are not floating point and files beyond the free memory.
DumpedTensors readDumpedTensors(const StateDict& file, const std::string& name, const DumpedCase& described,
                                const DumpedReading& reading);

/// "float32": what "auto" stands for in this file.
at::ScalarType computeType(const StateDict& file, const std::string& name, const std::string& dtype);

}  // namespace attnscope

#pragma once

#include "core/attention/attention_backend.h"
#include "core/checkpoint/state_dict.h"
#include "core/lab/attend/dumped_case.h"

#include <ATen/ATen.h>

#include <map>
#include <string>
#include <vector>

namespace attnscope {

/// The contents of one case of a dumped-attention file, validated, on the device and in the dtype of the computation.
struct DumpedTensors {
    AttentionInput input;
    std::map<std::string, at::Tensor> noise;  ///< omega, u, eps, and what sparse attentions choose
    AttentionParameters parameters;  ///< everything but inputs, noise and outputs: landmark maps, eval_proj, sigma
    at::Tensor expected;             ///< the case's stored output; undefined if there is none
    at::Tensor expectedNormaliser;   ///< its `logz` (B,H,N) likewise
    at::Tensor projectionWeight, projectionBias;  ///< of a module file: x → qkv → attention → proj
    std::vector<int64_t> moduleShape;             ///< that of x; empty if the file contains q, k, v

    DumpedSizes sizes() const;
    /// Attention output (B,H,N,Dv) → what the file's `out` contains: the same, or the module's (shape of x).
    at::Tensor finished(const at::Tensor& attended) const;
};

/// How to read the tensors.
struct DumpedReading {
    at::Device device = at::kCPU;
    std::string dtype = "auto";
    double temperature = 1;
    NoiseOrigin noise = NoiseOrigin::File;
};

/// Reads the tensors that `described` names. Throws FileError (one sentence) for missing tensors, wrong ranks, sizes that do not fit each
/// other, non-finite numbers, types that are not floating point and files larger than the free memory.
DumpedTensors readDumpedTensors(const StateDict& file, const std::string& name, const DumpedCase& described,
                                const DumpedReading& reading);

/// The meaning of "auto" for this file: "float32".
at::ScalarType computeType(const StateDict& file, const std::string& name, const std::string& dtype);

}

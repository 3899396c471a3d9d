// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/distributed/collective.h"
#include "core/distributed/nccl.h"

#include <memory>
#include <string>

namespace attnscope {

struct GpuProcesses {
    std::shared_ptr<Collective> processes;
    std::string note;  ///< how tensors on GPUs are exchanged; empty if there is nothing to report
};

/// The same processes, exchanging tensors on `device`, each process on its own GPU, by NCCL, and all others as before. Called in all
/// processes at once. If NCCL can't work in one of them (it is not installed; two processes share a GPU), all keep what they have, and the
/// note says why.
GpuProcesses withNccl(std::shared_ptr<Collective> processes, at::Device device, const nccl::Loaded& library);

}  // namespace attnscope

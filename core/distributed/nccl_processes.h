// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/distributed/collective.h"
#include "core/distributed/nccl.h"

#include <memory>
#include <string>

namespace attnscope {

struct GpuProcesses {
    std::shared_ptr<Collective> processes;
    std::string note;  ///< how tensors on GPUs are exchanged; empty where nothing is to be said
};

/// The same processes, which exchange tensors on `device`, each process its own GPU, by NCCL, and all others as before. Called in all
/// processes at once. Where NCCL cannot work in one of them (it is not there; two processes share a GPU), all stay with what they
/// have, and the note says why.
GpuProcesses withNccl(std::shared_ptr<Collective> processes, at::Device device, const nccl::Loaded& library);

}  // namespace attnscope

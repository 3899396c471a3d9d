#pragma once

#include "core/distributed/collective.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

/// The part of NCCL 2 that is used, whose binary interface is stable, without its headers: a single process needs none of it.
namespace attnscope::nccl {

/// A group of processes with one GPU each; opaque.
struct Group;

struct GroupId {
    char bytes[128];
};

enum class Type { Byte = 0, Float = 7, Double = 8 };  // ncclInt8, ncclFloat32, ncclFloat64
enum class Reduction { Sum = 0 };

/// Its functions. Those that return int return 0 on success, else a code for `explain`. `stream` is a CUDA stream: null is the one used by
/// LibTorch.
struct Functions {
    int (*makeId)(GroupId* id);
    int (*join)(Group** group, int size, GroupId id, int rank);  ///< returns when all have joined
    int (*abort)(Group* group);
    const char* (*explain)(int code);
    int (*allReduce)(const void* from, void* to, size_t count, Type type, Reduction reduction, Group* group,
                     void* stream);
    int (*broadcast)(const void* from, void* to, size_t count, Type type, int root, Group* group, void* stream);
};

struct Loaded {
    std::optional<Functions> functions;
    std::string reason;  ///< why it is not available
};

/// `libnccl.so.2` of $ATTNSCOPE_NCCL or the system; LibTorch for CUDA includes one.
Loaded load();

}

namespace attnscope {

struct GpuProcesses {
    std::shared_ptr<Collective> processes;
    std::string note;  ///< how tensors on GPUs are exchanged; empty if there is nothing to report
};

/// The same processes, exchanging tensors on `device`, each process on its own GPU, by NCCL, and all others as before. Called in all
/// processes at once. If NCCL can't work in one of them (it is not installed; two processes share a GPU), all keep what they have, and the
/// note says why.
GpuProcesses withNccl(std::shared_ptr<Collective> processes, at::Device device, const nccl::Loaded& library);

}

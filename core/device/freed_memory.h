// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attnscope {

/// Lets the process keep the memory that its tensors free, instead of giving each large one's pages back to the system and taking them
/// again: networks free and allocate the same sizes at every pass, and each new page costs a fault. Tensors on the CPU then come from
/// `malloc` in a form that fits freed places again: LibTorch's own aligned requests do not fit into the place of an equal one before,
/// so that a run of equal large tensors holds half as much again. For programs that run networks, at their beginning, before there are
/// threads. Where the C library has no such setting only the latter happens.
void keepFreedMemory();

/// Gives what is free back to the system at its end: stands first in a job that leaves nothing behind which the next one would reuse.
class FreedMemoryReturn {
public:
    FreedMemoryReturn() = default;
    ~FreedMemoryReturn();
    FreedMemoryReturn(const FreedMemoryReturn&) = delete;
    FreedMemoryReturn& operator=(const FreedMemoryReturn&) = delete;
};

}  // namespace attnscope

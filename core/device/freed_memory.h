#pragma once

namespace attnscope {

/// Makes the process keep the memory that its tensors free, instead of returning each large block's pages to the system and requesting them
/// again: networks free and allocate the same sizes in every pass, and each new page costs a fault. CPU tensors then come from plain
/// `malloc`, which can reuse freed blocks of the same size: LibTorch's own aligned requests don't fit into them, so that a run with equal
/// large tensors takes half as much memory again. For programs that run networks, to be called at startup, before there are threads. If the
/// C library has no such setting only the allocator is replaced.
void keepFreedMemory();

/// Returns free memory to the system on destruction: declared first in a job that leaves nothing for the next one to reuse.
class FreedMemoryReturn {
public:
    FreedMemoryReturn() = default;
    ~FreedMemoryReturn();
    FreedMemoryReturn(const FreedMemoryReturn&) = delete;
    FreedMemoryReturn& operator=(const FreedMemoryReturn&) = delete;
};

}

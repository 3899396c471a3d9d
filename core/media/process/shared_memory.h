#pragma once

#include "core/base/file_descriptor.h"

#include <cstddef>
#include <cstdint>

namespace attnscope {

/// Anonymous memory that grows and never shrinks: sealed, so that a process it is shared with can't remove pages (accessing a missing page
/// would kill this process).
class SharedMemory {
public:
    /// Throws Unsupported if the system doesn't provide it.
    SharedMemory();
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    int fileNumber() const { return m_file.number(); }
    uint8_t* data() { return m_data; }
    size_t size() const { return m_size; }

    /// Makes room for `bytes`; invalidates earlier pointers. False if out of memory.
    bool reserve(size_t bytes);
    /// Frees the pages but keeps the mapping.
    void release();

private:
    void unmap();

    FileDescriptor m_file;
    uint8_t* m_data = nullptr;
    size_t m_size = 0;       ///< of the mapping
    size_t m_fileBytes = 0;  ///< larger than m_size if mapping failed
};

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_descriptor.h"

#include <cstddef>
#include <cstdint>

namespace attnscope {

/// Memory without a name that grows and never shrinks: sealed, so that a process it is shared with cannot take
/// pages away under us (an access to a missing page would end this process).
class SharedMemory {
public:
    /// Throws Unsupported where the system gives none.
    SharedMemory();
    ~SharedMemory();
    SharedMemory(const SharedMemory&) = delete;
    SharedMemory& operator=(const SharedMemory&) = delete;

    int descriptor() const { return m_file.number(); }
    std::uint8_t* data() { return m_data; }
    std::size_t size() const { return m_size; }

    /// Makes room for `bytes`; earlier pointers end. False when there is no memory for it.
    bool reserve(std::size_t bytes);
    /// Gives the pages back, keeping the room.
    void release();

private:
    void unmap();

    FileDescriptor m_file;
    std::uint8_t* m_data = nullptr;
    std::size_t m_size = 0;       ///< of what is mapped
    std::size_t m_fileBytes = 0;  ///< more when mapping failed
};

}  // namespace attnscope

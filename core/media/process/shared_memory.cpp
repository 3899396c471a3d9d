#include "core/media/process/shared_memory.h"

#include "core/base/error.h"
#include "core/base/process/process_limit.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace attnscope {

SharedMemory::SharedMemory()
    : m_file(::memfd_create("attnscope-pixels", MFD_CLOEXEC | MFD_ALLOW_SEALING))
{
    if (!m_file.isOpen())
        if (const auto limit = reachedLimit(errno))
            throw Unsupported("attnscope-decoder", "no memory can be shared with it: " + limit->problem,
                              limit->remedy);
    if (!m_file.isOpen() || ::fcntl(fileNumber(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
        throw Unsupported("attnscope-decoder",
                          "no memory can be shared with it (" + std::generic_category().message(errno) + ")",
                          "Linux 3.17 or newer is needed");
}

SharedMemory::~SharedMemory()
{
    unmap();
}

void SharedMemory::unmap()
{
    if (m_data != nullptr)
        ::munmap(m_data, m_size);
    m_data = nullptr;
    m_size = 0;
}

bool SharedMemory::reserve(size_t bytes)
{
    if (bytes <= m_size)
        return true;
    // Grows by halves, so that a folder of slightly growing images doesn't remap for each; pages cost only once touched.
    constexpr size_t least = size_t{16} << 20;
    const size_t wanted = std::max({bytes, m_size + m_size / 2, m_fileBytes, least});
    if (wanted > m_fileBytes && ::ftruncate(fileNumber(), static_cast<off_t>(wanted)) != 0)
        return false;
    m_fileBytes = wanted;
    unmap();
    void* data = ::mmap(nullptr, wanted, PROT_READ | PROT_WRITE, MAP_SHARED, fileNumber(), 0);
    if (data == MAP_FAILED)
        return false;
    m_data = static_cast<uint8_t*>(data);
    m_size = wanted;
    return true;
}

void SharedMemory::release()
{
    ::fallocate(fileNumber(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(m_size));
}

}

#pragma once

#include "core/media/process/decoder_hello.h"

#include <sys/mman.h>
#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <span>

/// For the decoder programs.
namespace attnscope::decoder_protocol {

/// The client's memory as the program sees it; mapped again when the client says that it grew.
class ServedMemory {
public:
    /// Empty if it cannot be mapped.
    std::span<uint8_t> of(size_t bytes)
    {
        if (bytes == m_bytes.size())
            return m_bytes;
        if (!m_bytes.empty())
            ::munmap(m_bytes.data(), m_bytes.size());
        void* data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memoryFileDescriptor, 0);
        m_bytes = data == MAP_FAILED ? std::span<uint8_t>() : std::span(static_cast<uint8_t*>(data), bytes);
        return m_bytes;
    }

private:
    std::span<uint8_t> m_bytes;
};

/// Sends a message to the client; false if it is gone.
inline bool sendToClient(std::span<const std::byte> message)
{
    return ::send(socketFileDescriptor, message.data(), message.size(), MSG_NOSIGNAL)
           == static_cast<ssize_t>(message.size());
}

template <typename Message>
bool sendToClient(const Message& message)
{
    return sendToClient(std::as_bytes(std::span(&message, 1)));
}

}

#pragma once

#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"
#include "fuzz_sentence.h"

#include <algorithm>
#include <cstdlib>

namespace attnscope::fuzz {

class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::span<const std::byte> bytes)
        : m_bytes(bytes.begin(), bytes.end())
    {}
    int64_t size() const override { return int64_t(m_bytes.size()); }
    const std::string& name() const override { return m_name; }

    /// A read beyond the end is a bug of the parser here: it knows the size.
    void read(int64_t offset, std::span<std::byte> out) const override
    {
        if (offset < 0 || offset > size() || int64_t(out.size()) > size() - offset)
            std::abort();
        std::copy_n(m_bytes.begin() + offset, out.size(), out.begin());
    }

private:
    std::vector<std::byte> m_bytes;
    std::string m_name = "input";
};

/// What all tensors of a file may take once read: 32 times the file, and files of next to nothing count as 64 KiB more
/// (torch_state.cpp).
inline size_t maxBytes(size_t fileSize)
{
    return 32 * (fileSize + 65'536) + 31;
}

/// The promised sizes must come out. Tensors that repeat a few bytes a million times are believed after their neighbours.
inline void checkState(const StateDict& state, size_t fileSize)
{
    requireThat(!state.metadata.dump(-1, ' ', false, Json::error_handler_t::strict).empty());
    size_t total = 0;
    for (const auto& [name, tensor] : state.tensors) {
        total += size_t(tensor.elements()) * elementSize(tensor.type);
        requireThat(total <= maxBytes(fileSize));
    }
    for (const auto& [name, tensor] : state.tensors) {
        const auto elements = size_t(tensor.elements());
        if (elements > 4096)
            continue;
        requireThat(tensor.read().size() == elements * elementSize(tensor.type));
        if (!isComplex(tensor.type))
            requireThat(tensor.readFloat().size() == elements);
    }
}

/// Either an Error in one sentence, or tensors that can all be read; anything else ends the process.
template <typename Reader>
int check(const uint8_t* data, size_t size, Reader read)
{
    const auto source = std::make_shared<MemorySource>(std::as_bytes(std::span(data, size)));
    try {
        checkState(read(source), size);
    } catch (const Error& error) {
        requireThat(error.reason().ends_with('.'));
    }
    return 0;
}

}

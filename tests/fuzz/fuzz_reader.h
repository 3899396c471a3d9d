// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/checkpoint/state_dict.h"

#include <algorithm>
#include <cstdlib>

namespace attnscope::fuzz {

class MemorySource : public ByteSource {
public:
    explicit MemorySource(std::span<const std::byte> bytes)
        : m_bytes(bytes.begin(), bytes.end())
    {}
    std::int64_t size() const override { return static_cast<std::int64_t>(m_bytes.size()); }
    const std::string& name() const override { return m_name; }

    /// A read beyond the end is a bug of the parser here: it knows the size.
    void read(std::int64_t offset, std::span<std::byte> out) const override
    {
        if (offset < 0 || offset > size() || static_cast<std::int64_t>(out.size()) > size() - offset)
            std::abort();
        std::copy_n(m_bytes.begin() + offset, out.size(), out.begin());
    }

private:
    std::vector<std::byte> m_bytes;
    std::string m_name = "input";
};

/// Either an Error or tensors that can all be read and take no more than the file has; anything else ends the
/// process.
template <typename Reader>
int check(const std::uint8_t* data, std::size_t size, Reader read)
{
    const auto source = std::make_shared<MemorySource>(std::as_bytes(std::span(data, size)));
    try {
        const StateDict state = read(source);
        if (state.metadata.dump(-1, ' ', false, Json::error_handler_t::strict).empty())
            std::abort();
        for (const auto& [name, tensor] : state.tensors) {
            if (tensor.read().size() > size)
                std::abort();
            if (tensor.type != ElementType::Complex64 && tensor.type != ElementType::Complex128)
                tensor.readFloat();
        }
    } catch (const Error&) {
    }
    return 0;
}

}  // namespace attnscope::fuzz

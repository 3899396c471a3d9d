// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace attnscope {

/// A regular file, open for random-access reading.
class VideoFile {
public:
    /// Throws FileError: missing, access denied, a folder, a pipe, a device.
    explicit VideoFile(const std::filesystem::path& path);

    const std::string& name() const { return m_name; }
    std::int64_t bytes() const { return m_bytes; }
    /// Reads up to out.size() bytes at an offset; fewer at the end. Throws FileError.
    std::size_t readAt(std::int64_t at, std::span<std::uint8_t> out) const;

private:
    [[noreturn]] void fail() const;

    std::string m_name;
    FileDescriptor m_file;
    std::int64_t m_bytes = 0;
};

}  // namespace attnscope

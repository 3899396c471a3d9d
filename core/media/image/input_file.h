#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/limits.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// A regular file, open for random-access reading.
class InputFile {
public:
    /// Throws FileError: missing, access denied, a folder, a pipe, a device. `remedy`: what to give instead of the latter. Throws Unsupported
    /// where there is no file descriptor or memory left to open it: nothing is known of the file then.
    InputFile(const std::filesystem::path& path, std::string_view remedy);
    /// One that another process opened; `name` is used in messages.
    InputFile(FileDescriptor file, std::string name);

    const std::string& name() const { return m_name; }
    int64_t bytes() const { return m_bytes; }
    int fileNumber() const { return m_file.number(); }
    /// Reads up to out.size() bytes at an offset; fewer at the end. Throws like the constructor.
    size_t readAt(int64_t at, std::span<uint8_t> out) const;

private:
    void look(std::string_view remedy);
    [[noreturn]] void fail() const;

    std::string m_name;
    FileDescriptor m_file;
    int64_t m_bytes = 0;
};

/// The bytes of an image file: at most `limits.imageBytes`, and beyond the signature only if it is an image's. The path may lead into an
/// archive (findPacked). Throws like InputFile.
std::vector<uint8_t> readImageFile(const std::filesystem::path& path, const Limits& limits);

}

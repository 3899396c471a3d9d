// SPDX-License-Identifier: Apache-2.0
#include "core/media/image/image_file.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <string>
#include <system_error>

namespace attnscope {

namespace {

class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path)
        : m_name(path.string())
        // Without O_NONBLOCK opening a pipe would wait for its writer.
        , m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
    {
        if (m_file < 0)
            failRead();
    }
    ~OpenFile() { ::close(m_file); }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    std::int64_t regularSize() const
    {
        struct stat status {};
        if (::fstat(m_file, &status) != 0)
            failRead();
        if (S_ISDIR(status.st_mode))
            throw FileError(m_name, "this is a folder", "give an image file");
        if (!S_ISREG(status.st_mode))
            throw FileError(m_name, "this is not a regular file", "give an image file");
        return status.st_size;
    }

    /// Appends up to `count` bytes; fewer only at the end of the file.
    void append(std::vector<std::uint8_t>& bytes, std::int64_t count) const
    {
        std::size_t filled = bytes.size();
        bytes.resize(filled + static_cast<std::size_t>(count));
        while (filled < bytes.size()) {
            const ssize_t got = ::read(m_file, bytes.data() + filled, bytes.size() - filled);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                failRead();
            if (got == 0)
                break;
            filled += static_cast<std::size_t>(got);
        }
        bytes.resize(filled);
    }

private:
    [[noreturn]] void failRead() const
    {
        throw FileError(m_name, fmt::format("it cannot be read ({})", std::generic_category().message(errno)),
                        "check the path and its permissions");
    }

    std::string m_name;
    int m_file;
};

}  // namespace

std::vector<std::uint8_t> readImageFile(const std::filesystem::path& path, const Limits& limits)
try {
    const OpenFile file(path);
    const std::int64_t size = file.regularSize();
    const std::string name = path.string();
    if (size > limits.imageBytes)
        throw FileError(name, fmt::format("the file has {}", formatBytes(size).text()),
                        fmt::format("the limit for an image is {}", formatBytes(limits.imageBytes).text()));
    // The signature first: files that are not images are not read to their end.
    constexpr std::int64_t signatureBytes = 512;
    std::vector<std::uint8_t> bytes;
    file.append(bytes, std::min(size, signatureBytes));
    checkSignature(bytes, name);
    file.append(bytes, size - static_cast<std::int64_t>(bytes.size()));
    return bytes;
} catch (const std::bad_alloc&) {
    throw FileError(path.string(), "there is not enough memory to read it", "close other programs");
}

}  // namespace attnscope

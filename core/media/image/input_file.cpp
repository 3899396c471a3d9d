#include "core/media/image/input_file.h"

#include "core/archive/open_archive.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/process/process_limit.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

namespace attnscope {

InputFile::InputFile(const std::filesystem::path& path, std::string_view remedy)
    : m_name(path.string())
    // Without O_NONBLOCK opening a pipe would wait for its writer.
    , m_file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY))
{
    look(remedy);
}

InputFile::InputFile(FileDescriptor file, std::string name)
    : m_name(std::move(name))
    , m_file(std::move(file))
{
    look({});
}

void InputFile::look(std::string_view remedy)
{
    struct stat status {};
    if (!m_file.isOpen() || ::fstat(m_file.number(), &status) != 0)
        fail();
    if (!S_ISREG(status.st_mode))
        throw FileError(m_name, S_ISDIR(status.st_mode) ? "this is a folder" : "this is not a regular file",
                        remedy);
    m_bytes = status.st_size;
}

size_t InputFile::readAt(int64_t at, std::span<uint8_t> out) const
{
    size_t filled = 0;
    while (filled < out.size()) {
        const ssize_t got = ::pread(m_file.number(), out.data() + filled, out.size() - filled,
                                    at + int64_t(filled));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            fail();
        if (got == 0)
            break;
        filled += size_t(got);
    }
    return filled;
}

void InputFile::fail() const
{
    const int error = errno;
    refuseWithoutResources(error, m_name);
    if (!archiveOf(m_name).empty())
        throw FileError(m_name, "it lies in an archive, of which only images are read in place", "unpack it");
    throw FileError(m_name, fmt::format("it cannot be read ({})", std::generic_category().message(error)),
                    "check the path and its permissions");
}

std::vector<uint8_t> readImageFile(const std::filesystem::path& path, const Limits& limits)
try {
    const auto checkSize = [&](int64_t bytes) {
        if (bytes > limits.imageBytes)
            throw FileError(path.string(), fmt::format("the file has {}", formatBytes(bytes).text()),
                            fmt::format("the limit for an image is {}", formatBytes(limits.imageBytes).text()));
    };
    if (const auto packed = findPacked(path)) {
        if (!packed->entry)
            throw FileError(path.string(), "the archive has no such file", "check the path");
        checkSize(packed->archive->archive->entries()[*packed->entry].bytes);
        auto bytes = packed->archive->archive->read(*packed->entry);
        checkSignature(bytes, path.string());
        return bytes;
    }
    const InputFile file(path, "give an image file");
    checkSize(file.bytes());
    // The signature first: files that are not images are not read to their end.
    constexpr int64_t signatureBytes = 512;
    std::vector<uint8_t> bytes(size_t(std::min(file.bytes(), signatureBytes)));
    bytes.resize(file.readAt(0, bytes));
    checkSignature(bytes, file.name());
    const size_t start = bytes.size();
    bytes.resize(size_t(file.bytes()));
    bytes.resize(start + file.readAt(int64_t(start), std::span(bytes).subspan(start)));
    return bytes;
} catch (const std::bad_alloc&) {
    throw FileError(path.string(), "there is not enough memory to read it", "close other programs");
}

}

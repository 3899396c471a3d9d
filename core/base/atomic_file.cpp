#include "core/base/atomic_file.h"

#include "core/base/error.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace attnscope {

AtomicFile::AtomicFile(const std::filesystem::path& target)
    : m_target(target)
{
    // O_EXCL with a name of our own instead of mkstemp, whose files are readable only by their owner.
    for (int attempt = 0; m_file < 0 && attempt < 100; ++attempt) {
        m_temporary = target.string() + "." + std::to_string(::getpid()) + "-" + std::to_string(attempt) + ".part";
        m_file = ::open(m_temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (m_file < 0 && errno != EEXIST)
            break;
    }
    if (m_file < 0)
        fail("it cannot be created");
}

AtomicFile::~AtomicFile()
{
    if (m_file < 0)
        return;
    ::close(m_file);
    ::unlink(m_temporary.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            fail("it cannot be written");
        bytes = bytes.subspan(size_t(std::max<ssize_t>(written, 0)));
    }
}

void AtomicFile::rewrite(int64_t offset, std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(m_file, bytes.data(), bytes.size(), offset);
        if (written < 0 && errno != EINTR)
            fail("it cannot be written");
        const auto advanced = size_t(std::max<ssize_t>(written, 0));
        offset += int64_t(advanced);
        bytes = bytes.subspan(advanced);
    }
}

void AtomicFile::commit()
{
    if (::fsync(m_file) != 0)
        fail("it cannot be written");
    if (::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        fail("it cannot be moved into place");
    ::close(m_file);
    m_file = -1;
    const std::filesystem::path folder = m_target.has_parent_path() ? m_target.parent_path() : ".";
    if (const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); handle >= 0) {
        ::fsync(handle);
        ::close(handle);
    }
}

void AtomicFile::fail(const std::string& problem)
{
    throw FileError(m_target.string(), problem + " (" + std::strerror(errno) + ")",
                    "check the folder, its permissions and the free "
                    "disk space");
}

void requireWritable(const std::filesystem::path& target)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(target, ignored))
        throw FileError(target.string(), "this is a folder", "specify a file in it");
    const AtomicFile probe(target);
}

void createFolders(const std::filesystem::path& folder, std::string_view remedy)
{
    std::error_code problem;
    if (!folder.empty())  // that of a name without one
        std::filesystem::create_directories(folder, problem);
    if (problem)
        throw FileError(folder.string(), "the folder cannot be created (" + problem.message() + ")", remedy);
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view text)
{
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
}

}

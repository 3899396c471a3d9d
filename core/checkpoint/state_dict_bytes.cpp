#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/checkpoint/state_dict.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

namespace attnscope {

namespace {

/// Reads with pread: a file that shrinks meanwhile is an error, whereas a mapping would raise a signal.
class FileSource : public ByteSource {
public:
    FileSource(FileDescriptor file, int64_t size, std::string name)
        : m_file(std::move(file))
        , m_size(size)
        , m_name(std::move(name))
    {}

    int64_t size() const override { return m_size; }
    const std::string& name() const override { return m_name; }

    void read(int64_t offset, std::span<std::byte> out) const override
    {
        while (!out.empty()) {
            const ssize_t got = ::pread(m_file.number(), out.data(), out.size(), offset);
            if (got < 0 && errno == EINTR)
                continue;
            if (got < 0)
                throw FileError(m_name, std::string("it cannot be read (") + std::strerror(errno) + ")",
                                "check the disk");
            if (got == 0)
                throw FileError(m_name, "it ends before its data does", "copy or download it again");
            offset += got;
            out = out.subspan(size_t(got));
        }
    }

private:
    FileDescriptor m_file;
    int64_t m_size;
    std::string m_name;
};

}

std::shared_ptr<const ByteSource> openFile(const std::filesystem::path& path)
{
    const std::string name = path.string();
    // Without O_NONBLOCK opening a pipe would wait for its writer.
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen())
        throw FileError(name,
                        errno == ENOENT ? "file not found"
                                        : std::string("it cannot be opened (") + std::strerror(errno) + ")",
                        "check the path and its permissions");
    struct stat status {};
    if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
        throw FileError(name, S_ISDIR(status.st_mode) ? "it is a folder" : "it is not a regular file",
                        "give a checkpoint file");
    return std::make_shared<FileSource>(std::move(file), int64_t(status.st_size), name);
}

}

#include "core/base/first_bytes.h"

#include "core/base/file_descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace attnscope {

std::vector<uint8_t> firstBytes(const std::filesystem::path& path, size_t count)
{
    // Without O_NONBLOCK opening a pipe would wait for its writer.
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (!file.isOpen() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode))
        return {};
    std::vector<uint8_t> bytes(std::min(count, size_t(status.st_size)));
    size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t got = ::read(file.number(), bytes.data() + filled, bytes.size() - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        filled += size_t(got);
    }
    bytes.resize(filled);
    return bytes;
}

}

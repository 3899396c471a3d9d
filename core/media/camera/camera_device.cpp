#include "core/media/camera/camera_device.h"

#include "core/base/error.h"
#include "core/base/file_descriptor.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace attnscope {

namespace {

class KernelDevice : public CameraDevice {
public:
    KernelDevice(std::string path, FileDescriptor fileNumber)
        : m_path(std::move(path))
        , m_file(std::move(fileNumber))
    {}

    std::string path() const override { return m_path; }

    int control(unsigned long request, void* argument) override
    {
        int result = 0;
        do {
            result = ::ioctl(m_file.number(), request, argument);
        } while (result < 0 && errno == EINTR);
        return result < 0 ? errno : 0;
    }

    uint8_t* map(size_t bytes, int64_t offset) override
    {
        void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m_file.number(), offset);
        return memory == MAP_FAILED ? nullptr : static_cast<uint8_t*>(memory);
    }

    void unmap(uint8_t* memory, size_t bytes) override { ::munmap(memory, bytes); }

    bool wait(std::chrono::milliseconds time) override
    {
        pollfd entry{m_file.number(), POLLIN, 0};
        return ::poll(&entry, 1, int(time.count())) > 0;
    }

private:
    std::string m_path;
    FileDescriptor m_file;
};

[[noreturn]] void failToOpen(const std::string& path, int error)
{
    if (error == EACCES || error == EPERM)
        throw FileError(path, "this user does not have permission to use the camera",
                        "add the user to the group \"video\" and log in again");
    if (error == EBUSY)
        throw FileError(path, "another program is using the camera", "close it there");
    throw FileError(path, fmt::format("the camera cannot be opened ({})", std::generic_category().message(error)),
                    "connect it, or open a video");
}

}

std::unique_ptr<CameraDevice> openCameraDevice(const std::filesystem::path& path)
{
    FileDescriptor fileNumber(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!fileNumber.isOpen())
        failToOpen(path.string(), errno);
    struct stat status {};
    if (::fstat(fileNumber.number(), &status) != 0 || !S_ISCHR(status.st_mode))
        throw FileError(path.string(), "this is not a camera", "cameras are called /dev/video0 and so on");
    return std::make_unique<KernelDevice>(path.string(), std::move(fileNumber));
}

}

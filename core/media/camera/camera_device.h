#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace attnscope {

/// The kernel interface of a camera (Video4Linux 2), abstract so that tests can replace it.
class CameraDevice {
public:
    virtual ~CameraDevice() = default;

    virtual std::string path() const = 0;
    /// ioctl: returns 0 or errno.
    virtual int control(unsigned long request, void* argument) = 0;
    /// Memory shared with the driver; null if there is none.
    virtual uint8_t* map(size_t bytes, int64_t offset) = 0;
    virtual void unmap(uint8_t* memory, size_t bytes) = 0;
    /// Whether a frame arrives, or the device fails, within this time.
    virtual bool wait(std::chrono::milliseconds time) = 0;
};

/// Throws FileError.
std::unique_ptr<CameraDevice> openCameraDevice(const std::filesystem::path& path);

}

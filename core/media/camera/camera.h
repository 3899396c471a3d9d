#pragma once

#include "core/media/container/frame_source.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct CameraInfo {
    std::filesystem::path device;  ///< "/dev/video0"
    std::string name;              ///< as reported by the driver: "Integrated Camera"
};

/// The cameras of this machine (Video4Linux), in the order of their numbers. Listing them switches none on.
std::vector<CameraInfo> cameras();

/// The first of them. Throws Unsupported: "No camera found. Connect one, or open a video."
CameraInfo firstCamera();

struct CameraOptions {
    FrameSize size{1280, 720};  ///< preferred; the camera decides
    double rate = 30;           ///< frames per second, preferred
    double stallSeconds = 5;    ///< time without a frame after which the camera is given up
};

class CameraDevice;

/// A camera that is switched on from construction to destruction. Frames that nobody takes in time are dropped, so that the current one is
/// never older than the last call of `advance`. Not thread-safe.
class Camera final : public FrameSource {
public:
    /// Throws FileError: missing, in use by another program, access denied, not a camera, no format that can be converted.
    explicit Camera(const std::filesystem::path& device, CameraOptions options = {}, std::stop_token stop = {});
    /// Uses a device provided by the caller.
    Camera(std::unique_ptr<CameraDevice> device, CameraOptions options, std::stop_token stop = {});
    ~Camera() override;
    Camera(Camera&&) noexcept;
    Camera& operator=(Camera&&) noexcept;

    const CameraInfo& info() const;
    /// "1280×720, MJPG, 30 frames a second".
    std::string format() const;

    FrameSize size() const override;
    int rotation() const override { return 0; }
    bool isLive() const override { return true; }
    /// Waits for the next frame. Never returns false: throws FileError if the camera is gone or silent, Cancelled when stopped.
    bool advance() override;
    /// By the driver's clock, relative to the first frame.
    double seconds() const override;
    /// A damaged image is replaced by the previous one.
    void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) override;
    using FrameSource::writeRgb;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}

// SPDX-License-Identifier: Apache-2.0
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
    std::string name;              ///< as the driver has it: "Integrated Camera"
};

/// The cameras of this machine (Video4Linux), in the order of their numbers. None is switched on by asking.
std::vector<CameraInfo> cameras();

/// The first of them. Throws Unsupported: "No camera found. Connect one, or open a video."
CameraInfo firstCamera();

struct CameraOptions {
    FrameSize size{1280, 720};  ///< wished for; the camera decides
    double rate = 30;           ///< frames a second, wished for
    double stallSeconds = 5;    ///< without a frame, after which the camera is given up
};

class CameraDevice;

/// A camera that is switched on: from construction to destruction. Frames that nobody took in time are dropped, so
/// that the current one is never older than the last call of `advance`. Not safe to use from two threads.
class Camera final : public FrameSource {
public:
    /// Throws FileError: missing, used by another program, not allowed, no camera, no format that can be
    /// converted.
    explicit Camera(const std::filesystem::path& device, CameraOptions options = {}, std::stop_token stop = {});
    /// Over a device of the caller's.
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
    /// Waits for the next frame. Never false: throws FileError when the camera is gone or silent, Cancelled when
    /// stopped.
    bool advance() override;
    /// By the driver's clock, since the first frame.
    double seconds() const override;
    /// A damaged picture of the camera's is replaced by the one before.
    void writeRgb(std::uint8_t* rgb, std::int64_t stride, FrameSize size) override;
    using FrameSource::writeRgb;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace attnscope

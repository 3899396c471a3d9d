// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>

namespace attnscope {

struct FrameSize {
    std::int64_t width = 0, height = 0;
    friend bool operator==(const FrameSize&, const FrameSize&) = default;
};

/// Frames one after another: what a player needs to know of a file, a folder, a camera or a stream.
/// Not safe to use from two threads.
class FrameSource {
public:
    virtual ~FrameSource() = default;

    /// Of the frames as `writeRgb` gives them: before rotation.
    virtual FrameSize size() const = 0;
    /// Degrees clockwise that a player turns the picture by: 0, 90, 180, 270.
    virtual int rotation() const = 0;
    /// Whether frames come when they come, and cannot be paused or looked for: a camera, a stream.
    virtual bool isLive() const = 0;

    /// Goes to the next frame; false after the last. Waits for the frame of a live source. Throws FileError,
    /// Cancelled.
    virtual bool advance() = 0;
    /// Of the current frame, since the first.
    virtual double seconds() const = 0;

    /// The current frame as 8-bit RGB of `size`, `stride` bytes a row; scaled where that is not size().
    virtual void writeRgb(std::uint8_t* rgb, std::int64_t stride, FrameSize size) = 0;
    /// The same of size().
    void writeRgb(std::uint8_t* rgb, std::int64_t stride) { writeRgb(rgb, stride, size()); }
    /// Appends the current frame to `clip`, in the size of the clip; an empty clip takes that of the source.
    void appendTo(Clip& clip);

protected:
    FrameSource() = default;
    FrameSource(const FrameSource&) = default;
    FrameSource(FrameSource&&) = default;
    FrameSource& operator=(const FrameSource&) = default;
    FrameSource& operator=(FrameSource&&) = default;
};

/// Turns the frames by 90, 180 or 270 degrees clockwise, for looking.
void turn(Clip& clip, int degrees);

}  // namespace attnscope

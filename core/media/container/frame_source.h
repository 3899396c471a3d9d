#pragma once

#include "core/data/preprocess/clip.h"

#include <cstdint>

namespace attnscope {

/// A sequence of frames: what a player needs to know about a file, a folder, a camera or a stream. Not thread-safe.
class FrameSource {
public:
    virtual ~FrameSource() = default;

    /// Size of the frames that `writeRgb` writes: before rotation.
    virtual FrameSize size() const = 0;
    /// Clockwise rotation in degrees that a player applies: 0, 90, 180, 270.
    virtual int rotation() const = 0;
    /// Whether frames arrive in real time and can't be paused or sought: a camera, a stream.
    virtual bool isLive() const = 0;

    /// Goes to the next frame; false after the last. Waits for the frame of a live source. Throws FileError, Cancelled.
    virtual bool advance() = 0;
    /// Time of the current frame since the first.
    virtual double seconds() const = 0;

    /// Writes the current frame as 8-bit RGB of `size`, `stride` bytes per row; scaled if `size` differs from size().
    virtual void writeRgb(uint8_t* rgb, int64_t stride, FrameSize size) = 0;
    /// The same in size().
    void writeRgb(uint8_t* rgb, int64_t stride) { writeRgb(rgb, stride, size()); }
    /// Appends the current frame to `clip`, in the size of the clip; an empty clip takes the source's size.
    void appendTo(Clip& clip);

protected:
    FrameSource() = default;
    FrameSource(const FrameSource&) = default;
    FrameSource(FrameSource&&) = default;
    FrameSource& operator=(const FrameSource&) = default;
    FrameSource& operator=(FrameSource&&) = default;
};

/// Rotates the frames by 90, 180 or 270 degrees clockwise, for display.
void turn(Clip& clip, int degrees);

}

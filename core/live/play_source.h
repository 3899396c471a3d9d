// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// What a player needs to know of a source. Times count from the source's first frame.
struct SourceInfo {
    std::string name;                    ///< of the file or the camera
    std::string format;                  ///< "h264, mov"
    std::int64_t width = 0, height = 0;  ///< of the frames as they come
    int rotation = 0;                    ///< degrees clockwise by which they are turned for looking
    double rate = 30;                    ///< frames a second, on average
    std::optional<double> duration;      ///< seconds; empty: not known
    std::int64_t start = 0;              ///< pts of the first frame
    double unit = 1;                     ///< seconds of one unit of pts
    bool seekable = true;
    bool live = false;               ///< a camera: frames come by themselves and cannot be had again
    std::vector<std::string> notes;  ///< what was decided and the user should know

    std::int64_t ptsAt(double seconds) const { return start + static_cast<std::int64_t>(seconds / unit + 0.5); }
};

/// Frames one after the other, with the times by which a player finds them again; used by one thread. Throws FileError where it fails, Cancelled when its stop token says so.
class PlaySource {
public:
    virtual ~PlaySource() = default;
    virtual const SourceInfo& info() const = 0;
    /// The next frame, without its pixels. False after the last.
    virtual bool advance() = 0;
    virtual std::int64_t pts() const = 0;
    virtual double seconds() const = 0;
    /// The pixels of the current frame, `stride` bytes a row.
    virtual void write(std::uint8_t* rgb, std::int64_t stride) = 0;
    /// `advance` goes on with the frame that is shown at `pts`: the last at or before it, else the first.
    virtual void seek(std::int64_t pts) = 0;
    /// One sentence on what could not be decoded so far; empty when all could.
    virtual std::string damage() const { return {}; }
};

struct Frame;

/// Sees frames in the thread that decodes them, also such as are decoded only for it.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Seconds before a moment that are needed for it: after a seek they are decoded, too.
    virtual double reach() const = 0;
    /// The frames that follow belong to another epoch.
    virtual void begin(const SourceInfo& info, std::uint64_t epoch) = 0;
    /// Whether this frame's pixels are wanted: the others are not converted for the sink.
    virtual bool wants(double seconds) = 0;
    virtual void take(const Frame& frame) = 0;
    /// There is none after the one before, in this epoch.
    virtual void end() {}
};

}  // namespace attnscope

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// What a player needs to know about a source. Times are relative to the source's first frame.
struct SourceInfo {
    std::string name;                ///< of the file or the camera
    std::string format;              ///< "h264, mov"
    int64_t width = 0, height = 0;   ///< of the frames as decoded
    int rotation = 0;                ///< clockwise rotation in degrees for display
    double rate = 30;                ///< average frames per second
    std::optional<double> duration;  ///< seconds; empty: unknown
    int64_t start = 0;               ///< pts of the first frame
    double unit = 1;                 ///< seconds per unit of pts
    bool seekable = true;
    bool live = false;               ///< a camera: frames arrive in real time and can't be read again
    std::vector<std::string> notes;  ///< decisions that the user should know about

    int64_t ptsAt(double seconds) const { return start + int64_t(seconds / unit + 0.5); }
};

/// A sequence of frames, with the times by which a player finds them again; used by one thread. Throws FileError on failure, Cancelled when
/// its stop token requests it.
class PlaySource {
public:
    virtual ~PlaySource() = default;
    virtual const SourceInfo& info() const = 0;
    /// The next frame, without its pixels. False after the last.
    virtual bool advance() = 0;
    virtual int64_t pts() const = 0;
    virtual double seconds() const = 0;
    /// The pixels of the current frame, `stride` bytes per row.
    virtual void write(uint8_t* rgb, int64_t stride) = 0;
    /// `advance` continues with the frame that is shown at `pts`: the last at or before it, else the first.
    virtual void seek(int64_t pts) = 0;
    /// One sentence on what could not be decoded so far; empty if nothing.
    virtual std::string damage() const { return {}; }
};

struct Frame;

/// Receives frames in the decoding thread, including those that are decoded only for it.
class FrameSink {
public:
    virtual ~FrameSink() = default;
    /// Seconds before a time that are needed for it: after a seek they are decoded too.
    virtual double reach() const = 0;
    /// The following frames belong to another epoch.
    virtual void begin(const SourceInfo& info, uint64_t epoch) = 0;
    /// Whether this frame's pixels are needed: others are not converted for the sink.
    virtual bool wants(double seconds) = 0;
    virtual void take(const Frame& frame) = 0;
    /// The previous frame was the last in this epoch.
    virtual void end() {}
};

}

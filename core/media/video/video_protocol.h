#pragma once

#include "core/media/process/decoder_hello.h"
#include "core/media/video/video_reader.h"
#include "core/media/video/video_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

/// The protocol between `VideoProcess` and the program `attnscope-video-decoder`, which handles one request at a time:
///
///     client    sends Request, at `Open` with the open file, which the program can read but not name
///     program   sends any number of replies `Working`, then one that is not
///
/// The program's texts are bounded, shown as plain text, and its numbers checked, before anything is done with them: a compromised one can lie
/// about the video's content and nothing else.
namespace attnscope::video_protocol {

enum class Action : uint32_t {
    Open,     ///< a file, instead of the previous one
    Advance,  ///< to the next frame, and Write it where `width` is not 0
    Write,    ///< the current frame to the start of the memory: `height` rows of 3 × `width` bytes
    Seek,     ///< to the frame shown at `pts`
    Close,    ///< frees what the file needs; without a reply
};

struct Request {
    uint64_t number = 0;       ///< returned in the reply
    uint64_t memoryBytes = 0;  ///< of the whole memory; it only grows
    int64_t pts = 0;
    Action action = Action::Close;
    uint32_t width = 0, height = 0;
    // For Open, as in VideoReadOptions and Limits:
    int32_t threads = 0;
    int64_t videoPixels = 0, videoStreams = 0;
    double videoSeconds = 0, videoStallSeconds = 0;
    uint64_t anyFormat = 0;
};
static_assert(std::is_trivially_copyable_v<Request>);

enum class Outcome : uint32_t {
    Working,  ///< frames are being decoded, but the one that was asked for is not reached yet
    Done,
    End,          ///< there is no next frame
    Failed,       ///< a FileError
    Unsupported,  ///< an Unsupported
};

/// Sent in the form of core/base/archive.h.
struct Reply {
    uint64_t number = 0;
    Outcome outcome = Outcome::Working;
    int64_t pts = 0;                ///< of the current frame
    VideoDamage damage;             ///< so far
    std::optional<VideoInfo> info;  ///< after Open
    std::string reason;             ///< of an error
};

constexpr size_t maxReplyBytes = 64 << 10;

/// What came for `request`, with printable texts and numbers that may be computed with; empty where it cannot be a reply to it.
std::optional<Reply> parseReply(std::span<const std::byte> bytes, const Request& request);

}

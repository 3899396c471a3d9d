#include "core/base/error.h"
#include "core/media/container/video_outline.h"

#include <algorithm>
#include <cstdlib>

using namespace attnscope;

namespace {

/// A file of which only so many reads are allowed: the walk must end early, whatever the sizes say.
class Reads {
public:
    explicit Reads(std::span<const uint8_t> bytes)
        : m_bytes(bytes)
    {}

    size_t operator()(int64_t at, std::span<uint8_t> out)
    {
        // Two for each of the parts that may be looked at.
        if (++m_count > 140'000 || at < 0)
            std::abort();
        const auto size = int64_t(m_bytes.size());
        if (at >= size)
            return 0;
        const size_t count = std::min<size_t>(out.size(), size_t(size - at));
        std::copy_n(m_bytes.begin() + at, count, out.begin());
        return count;
    }

private:
    std::span<const uint8_t> m_bytes;
    int m_count = 0;
};

}

/// Signatures and structure of videos: every input is known or refused by FileError, and the walk stays within the
/// file.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::span<const uint8_t> bytes(data, size);
    Reads reads(bytes);
    const ReadAt read = [&](int64_t at, std::span<uint8_t> out) { return reads(at, out); };
    try {
        const VideoContainer& container = checkVideoSignature(
            bytes.first(std::min<size_t>(size, videoSignatureBytes)), "input");
        const VideoOutline outline = outlineOf(container, read, int64_t(size));
        if (outline.streams < 0 || outline.streams > int64_t(size) || outline.samples < 0
            || outline.samples > 0xffffffff)
            std::abort();
    } catch (const FileError&) {
    }
    return 0;
}

#include "core/data/preprocess/clip.h"
#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"

#include <utility>

namespace attnscope {

namespace {

/// RFC 6386, section 9.1: three bytes of frame tag (bit 0 clear in a key frame), a start code, then 14-bit sizes.
FrameSize lossyExtent(const HeaderReader& file, int64_t at)
{
    if ((file.byte(at) & 1) != 0 || !file.hasText(at + 3, "\x9d\x01\x2a"))
        file.damaged("its frame has no start code");
    return {file.little16(at + 6) & 0x3fff, file.little16(at + 8) & 0x3fff};
}

/// WebP lossless bitstream, section 3: one signature byte, then width − 1 and height − 1 in 14 bits each, then the alpha flag.
FrameSize losslessExtent(const HeaderReader& file, int64_t at)
{
    if (file.byte(at) != 0x2f)
        file.damaged("its frame has no start code");
    const uint32_t bits = file.little32(at + 1);
    return {(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
}

class WebpWalk {
public:
    explicit WebpWalk(const HeaderReader& file)
        : m_file(file)
    {
        m_header.format = ImageFormat::Webp;
    }

    ImageHeader run()
    {
        const int64_t end = 8 + int64_t{m_file.little32(4)};
        m_file.require(0, end);
        forEachChunk(12, end, [this](int64_t at, int64_t length) { readChunk(at, length); });
        checkExtent();
        return m_header;
    }

private:
    template <typename Use>
    void forEachChunk(int64_t at, int64_t end, const Use& use)
    {
        while (at + 8 <= end) {
            const int64_t length = m_file.little32(at + 4);
            m_file.require(at + 8, length);
            use(at, length);
            at += 8 + length + length % 2;
        }
    }

    void checkExtent() const
    {
        if (m_frame == FrameSize{})
            m_file.damaged("it has no image data");
        if (m_canvas != FrameSize{} && m_canvas != m_frame)
            m_file.damaged("its image and its canvas differ in size");
    }

    void readChunk(int64_t at, int64_t length)
    {
        const int64_t data = at + 8;
        if (m_file.hasText(at, "VP8X"))
            readExtended(data);
        else if (m_file.hasText(at, "ANMF"))
            readFrame(data, length);
        else if (m_file.hasText(at, "EXIF"))
            m_header.orientation = exifOrientation(m_file.part(data, length));
        else
            readImage(at);
    }

    void readImage(int64_t at)
    {
        if (m_file.hasText(at, "VP8 "))
            setFrame(lossyExtent(m_file, at + 8));
        else if (m_file.hasText(at, "VP8L"))
            readLossless(at + 8);
        else if (m_file.hasText(at, "ALPH"))
            m_header.transparency = true;
    }

    void readExtended(int64_t at)
    {
        m_canvas = {int64_t{m_file.little24(at + 4)} + 1, int64_t{m_file.little24(at + 7)} + 1};
        m_file.checkSize(m_canvas.width, m_canvas.height);
    }

    /// WebP container, "Animation": position and size of the frame, then chunks as in a still image.
    void readFrame(int64_t at, int64_t length)
    {
        constexpr int64_t ownBytes = 16;
        m_header.animated = true;
        if (m_header.firstFrame)
            return;
        if (length < ownBytes)
            m_file.damaged("its first frame is empty");
        FirstFrame frame{2 * int64_t{m_file.little24(at)},
                         2 * int64_t{m_file.little24(at + 3)},
                         int64_t{m_file.little24(at + 6)} + 1,
                         int64_t{m_file.little24(at + 9)} + 1,
                         at + ownBytes,
                         length - ownBytes};
        if (frame.left + frame.width > m_canvas.width || frame.top + frame.height > m_canvas.height)
            m_file.damaged("its first frame is outside the image");
        const FrameSize canvas = std::exchange(m_canvas, FrameSize{frame.width, frame.height});
        forEachChunk(frame.dataAt, at + length, [this](int64_t part, int64_t) { readImage(part); });
        checkExtent();
        m_canvas = m_frame = canvas;
        m_header.width = canvas.width;
        m_header.height = canvas.height;
        m_header.firstFrame = frame;
    }

    void readLossless(int64_t at)
    {
        setFrame(losslessExtent(m_file, at));
        m_header.transparency |= (m_file.little32(at + 1) >> 28 & 1) != 0;
    }

    void setFrame(FrameSize extent)
    {
        if (m_frame != FrameSize{})
            m_file.damaged("it has two images");
        m_file.checkSize(extent.width, extent.height);
        m_frame = extent;
        m_header.width = extent.width;
        m_header.height = extent.height;
    }

    const HeaderReader& m_file;
    ImageHeader m_header;
    FrameSize m_canvas, m_frame;
};

}

ImageHeader readWebpHeader(const HeaderReader& file)
{
    return WebpWalk(file).run();
}

}

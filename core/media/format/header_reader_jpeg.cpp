#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <cstring>

namespace attnscope {

namespace {

using namespace std::string_view_literals;

constexpr uint8_t startOfImage = 0xd8, endOfImage = 0xd9, startOfScan = 0xda, exifSegment = 0xe1;
/// Progressive files have about ten scans. Each costs a pass over all coefficients, however few bytes it has.
constexpr int maxScans = 200;

bool standsAlone(uint8_t marker)
{
    return marker == 0x00 || marker == 0x01 || (marker >= 0xd0 && marker <= 0xd7);
}

bool isFrame(uint8_t marker)
{
    return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

/// Walks the segments like libjpeg: bytes before a marker and its padding are skipped.
class JpegWalk {
public:
    explicit JpegWalk(const HeaderReader& file)
        : m_file(file)
    {
        m_header.format = ImageFormat::Jpeg;
    }

    ImageHeader run()
    {
        for (uint8_t marker = nextMarker(); marker != endOfImage; marker = nextMarker()) {
            if (marker == startOfImage)
                m_file.damaged("a second image starts inside the first");
            if (!standsAlone(marker))
                readSegment(marker);
        }
        if (m_scans == 0)
            m_file.damaged("it ends before its image data");
        return m_header;
    }

private:
    uint8_t nextMarker()
    {
        const std::span<const uint8_t> rest = m_file.part(m_at, m_file.size() - m_at);
        const void* found = rest.empty() ? nullptr : std::memchr(rest.data(), 0xff, rest.size());
        if (!found)
            m_file.breaksOff();
        m_at += static_cast<const uint8_t*>(found) - rest.data();
        while (m_file.byte(m_at) == 0xff)
            ++m_at;
        return m_file.byte(m_at++);
    }

    void readSegment(uint8_t marker)
    {
        const int64_t length = m_file.big16(m_at);
        if (length < 2)
            m_file.damaged("a segment has no length");
        m_file.require(m_at, length);
        if (isFrame(marker))
            readFrame();
        if (marker == exifSegment && m_file.hasText(m_at + 2, "Exif\0\0"sv) && length > 8)
            m_header.orientation = exifOrientation(m_file.part(m_at + 2, length - 2));
        m_at += length;
        // Coded data follow, in which 0xff is always followed by 0: nextMarker skips them like any other bytes.
        if (marker == startOfScan)
            countScan();
    }

    void countScan()
    {
        if (m_header.width == 0)
            m_file.damaged("its data comes before its size");
        if (++m_scans > maxScans)
            m_file.fail(fmt::format("it has more than {} scans", maxScans), "export it again");
    }

    void readFrame()
    {
        if (m_header.width != 0)
            m_file.damaged("it specifies its size twice");
        const int precision = m_file.byte(m_at + 2);
        m_file.checkSize(m_file.big16(m_at + 5), m_file.big16(m_at + 3));
        m_header.height = m_file.big16(m_at + 3);
        m_header.width = m_file.big16(m_at + 5);
        m_header.channels = m_file.byte(m_at + 7);
        m_header.cmyk = m_header.channels == 4;
        if (precision != 8)
            m_file.fail(fmt::format("it is a JPEG with {} bits per sample", precision),
                        "only JPEGs with 8 bits are supported");
        if (m_header.channels != 1 && m_header.channels != 3 && m_header.channels != 4)
            m_file.fail(fmt::format("it is a JPEG with {} channels", m_header.channels),
                        "1, 3 or 4 are supported");
    }

    const HeaderReader& m_file;
    ImageHeader m_header;
    int64_t m_at = 2;
    int m_scans = 0;
};

}

ImageHeader readJpegHeader(const HeaderReader& file)
{
    return JpegWalk(file).run();
}

}

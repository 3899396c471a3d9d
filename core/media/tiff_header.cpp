// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

enum Tag : std::uint32_t {
    ImageWidth = 256, ImageLength = 257, BitsPerSample = 258, CompressionTag = 259, Photometric = 262, StripOffsets = 273,
    OrientationTag = 274, SamplesPerPixel = 277, StripByteCounts = 279, PlanarConfiguration = 284, TileWidth = 322,
    TileLength = 323, TileOffsets = 324, TileByteCounts = 325, ExtraSamples = 338, SampleFormat = 339
};

constexpr std::uint32_t byteType = 1, shortType = 3, longType = 4;
constexpr std::uint32_t minIsWhite = 0, palette = 3, separated = 5, yCbCr = 6;

/// The compressions worth their attack surface: none, CCITT, LZW, JPEG, Deflate (two numbers), PackBits.
constexpr std::array<std::uint32_t, 9> compressions{1, 2, 3, 4, 5, 7, 8, 32946, 32773};

struct Entry {
    std::uint32_t type = 0;
    std::int64_t count = 0;
    std::int64_t values = 0;  ///< where they stand in the file
};

class TiffWalk {
public:
    explicit TiffWalk(const HeaderReader& file)
        : m_file(file)
        , m_bigEndian(file.byte(0) == 'M')
    {
    }

    ImageHeader run()
    {
        if (number16(2) != 42)
            m_file.fail("it is a BigTIFF", "save it as an ordinary TIFF");
        openDirectory();
        readSize();
        readSamples();
        checkData();
        readOrientation();
        dropAlpha();
        return m_header;
    }

private:
    std::uint32_t number16(std::int64_t at) const { return m_bigEndian ? m_file.big16(at) : m_file.little16(at); }
    std::uint32_t number32(std::int64_t at) const { return m_bigEndian ? m_file.big32(at) : m_file.little32(at); }

    /// One directory only: chains and loops of directories end here, unread.
    void openDirectory()
    {
        m_directory = number32(4);
        m_entries = number16(m_directory);
        m_file.require(m_directory + 2, m_entries * 12 + 4);
        if (number32(m_directory + 2 + m_entries * 12) != 0)
            m_file.fail("it is a TIFF of several pages", "save the page that is meant on its own");
    }

    Entry find(Tag tag) const
    {
        for (std::int64_t i = 0; i < m_entries; ++i) {
            const std::int64_t at = m_directory + 2 + i * 12;
            if (number16(at) == tag)
                return readEntry(at);
        }
        return {};
    }

    Entry readEntry(std::int64_t at) const
    {
        Entry entry{number16(at + 2), number32(at + 4), at + 8};
        const std::int64_t width = entry.type == byteType ? 1 : entry.type == shortType ? 2 : entry.type == longType ? 4 : 0;
        if (width == 0 || entry.count == 0)
            m_file.damaged("a number of its directory is no number");
        if (entry.count * width > 4)
            entry.values = number32(at + 8);
        m_file.require(entry.values, entry.count * width);
        return entry;
    }

    std::int64_t value(const Entry& entry, std::int64_t i) const
    {
        if (entry.type == byteType)
            return m_file.byte(entry.values + i);
        return entry.type == shortType ? number16(entry.values + 2 * i) : number32(entry.values + 4 * i);
    }

    std::int64_t single(Tag tag, std::int64_t otherwise) const
    {
        const Entry entry = find(tag);
        return entry.count == 0 ? otherwise : value(entry, 0);
    }

    void readSize()
    {
        m_header.format = ImageFormat::Tiff;
        m_header.width = single(ImageWidth, 0);
        m_header.height = single(ImageLength, 0);
        m_file.checkSize(m_header.width, m_header.height);
        if (find(TileWidth).count != 0 || find(TileLength).count != 0)
            m_file.checkSize(single(TileWidth, 0), single(TileLength, 0));
    }

    void readSamples()
    {
        const std::int64_t compression = single(CompressionTag, 1);
        if (std::find(compressions.begin(), compressions.end(), compression) == compressions.end())
            m_file.fail(fmt::format("it is a TIFF with compression {}", compression), "save it with LZW or Deflate");
        const std::int64_t channels = single(SamplesPerPixel, 1);
        const std::int64_t photometric = single(Photometric, minIsWhite);
        const Entry bits = find(BitsPerSample);
        const std::int64_t depth = bits.count == 0 ? 1 : value(bits, 0);
        for (std::int64_t i = 1; i < std::min(bits.count, channels); ++i)
            if (value(bits, i) != depth)
                refuseLayout("channels of different depths");
        if (single(SampleFormat, 1) != 1)
            refuseLayout("numbers that are not plain integers");
        if (channels < 1 || channels > 4 || channels == 2 || photometric > yCbCr || photometric == 4)
            refuseLayout(fmt::format("{} channels of photometric kind {}", channels, photometric));
        if (depth != 1 && depth != 4 && depth != 8 && depth != 16)
            refuseLayout(fmt::format("{} bits a sample", depth));
        const bool isPlain = photometric == 1 || photometric == 2;
        if (depth == 16 && (!isPlain || single(PlanarConfiguration, 1) != 1))
            refuseLayout("16 bits in planes, a palette or inverted");
        m_header.bitsPerSample = static_cast<int>(depth);
        m_header.channels = static_cast<int>(channels);
        m_header.transparency = channels == 4 && photometric != separated;
    }

    [[noreturn]] void refuseLayout(std::string_view what) const
    {
        m_file.fail(fmt::format("it is a TIFF with {}", what), "save it with 8 bits a channel, grey or RGB");
    }

    /// All strips or tiles lie in the file, so that a file that breaks off is told as such.
    void checkData() const
    {
        const bool tiled = find(TileOffsets).count != 0;
        const Entry offsets = find(tiled ? TileOffsets : StripOffsets);
        const Entry counts = find(tiled ? TileByteCounts : StripByteCounts);
        if (offsets.count == 0 || offsets.count != counts.count)
            m_file.damaged("it does not say where its picture data are");
        for (std::int64_t i = 0; i < offsets.count; ++i)
            m_file.require(value(offsets, i), value(counts, i));
    }

    /// libtiff would apply the orientation on its own, mirroring only; ours is applied to what it then decodes.
    void readOrientation()
    {
        const Entry entry = find(OrientationTag);
        if (entry.count != 1 || entry.type != shortType)
            return;
        const std::int64_t stored = value(entry, 0);
        m_header.orientation = stored >= 1 && stored <= 8 ? static_cast<int>(stored) : 1;
        setShort(entry, 1);
    }

    /// Called "associated", alpha is dropped; called otherwise, libtiff multiplies the colours by it first.
    void dropAlpha()
    {
        const Entry entry = find(ExtraSamples);
        if (entry.count == 1 && entry.type == shortType)
            setShort(entry, 1);
    }

    void setShort(const Entry& entry, std::uint8_t to)
    {
        m_header.patches.push_back({entry.values + (m_bigEndian ? 1 : 0), to});
        m_header.patches.push_back({entry.values + (m_bigEndian ? 0 : 1), 0});
    }

    const HeaderReader& m_file;
    bool m_bigEndian;
    std::int64_t m_directory = 0;
    std::int64_t m_entries = 0;
    ImageHeader m_header;
};

}  // namespace

ImageHeader readTiffHeader(const HeaderReader& file)
{
    return TiffWalk(file).run();
}

}  // namespace attnscope

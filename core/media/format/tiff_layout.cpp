#include "core/media/format/tiff_layout.h"

#include "core/base/checked.h"
#include "core/base/first_bytes.h"
#include "core/base/text.h"
#include "core/media/format/image_validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace attnscope {

namespace {

enum TiffTag : uint32_t {
    ImageWidth = 256,
    ImageLength = 257,
    BitsPerSample = 258,
    CompressionTag = 259,
    Photometric = 262,
    FillOrder = 266,
    StripOffsets = 273,
    OrientationTag = 274,
    SamplesPerPixel = 277,
    RowsPerStrip = 278,
    StripByteCounts = 279,
    PlanarConfiguration = 284,
    ColorMap = 320,
    TileWidth = 322,
    TileLength = 323,
    TileOffsets = 324,
    TileByteCounts = 325,
    ExtraSamples = 338,
    SampleFormat = 339
};

constexpr uint32_t tiffShortType = 3;
constexpr int64_t oldJpegCompression = 6, jpegCompression = 7;
constexpr int64_t unspecified = 0, associatedAlpha = 1;

/// Supported compressions, those worth their attack surface; of the others at most the name is known.
constexpr std::array<int64_t, 12> readCompressions{
    1, 2, 3, 4, 5, oldJpegCompression, jpegCompression, 8, 32946, 32773, 34925, 50000};
constexpr std::array<std::pair<int64_t, const char*>, 9> otherCompressions{{{9, "JBIG"},
                                                                            {10, "JBIG"},
                                                                            {32809, "ThunderScan"},
                                                                            {34661, "JBIG"},
                                                                            {34676, "SGI LogLuv"},
                                                                            {34677, "SGI LogLuv"},
                                                                            {34712, "JPEG 2000"},
                                                                            {34887, "LERC"},
                                                                            {50001, "WebP"}}};
constexpr std::array<std::pair<int64_t, const char*>, 8> otherColours{{{4, "a transparency mask"},
                                                                       {8, "CIE Lab colours"},
                                                                       {9, "ICC Lab colours"},
                                                                       {10, "ITU Lab colours"},
                                                                       {32803, "raw sensor data"},
                                                                       {34892, "raw sensor data"},
                                                                       {32844, "LogLuv colours"},
                                                                       {32845, "LogLuv colours"}}};

int tiffNumberBytes(uint32_t type)
{
    // Bytes are 1, signed 6 and undefined 7, shorts 3 and 8, longs 4, 9 and (offset of a directory) 13; of 8 bytes are 16 to 18.
    constexpr std::array<int, 19> bytes{0, 1, 0, 2, 4, 0, 1, 1, 2, 4, 0, 0, 0, 4, 0, 0, 8, 8, 8};
    return type < bytes.size() ? bytes[type] : 0;
}

/// Empty if there is none.
std::string nameIn(std::span<const std::pair<int64_t, const char*>> names, int64_t number)
{
    for (const auto& [known, name] : names)
        if (known == number)
            return name;
    return {};
}

class TiffWalk {
public:
    explicit TiffWalk(const HeaderReader& file)
        : m_file(file)
    {
        m_layout.bigEndian = file.byte(0) == 'M';
    }

    TiffLayout run()
    {
        openDirectory();
        readSize();
        readCompression();
        readSamples();
        checkSamples();
        readBlocks();
        checkData();
        readOrientation();
        return m_layout;
    }

private:
    int64_t number(int64_t at, int bytes) const
    {
        return tiffNumber(m_file, m_layout, {bytes == 8 ? 16u : bytes == 4 ? 4u : tiffShortType, 1, at}, 0);
    }

    /// The first directory only: chains and loops of directories are never followed.
    void openDirectory()
    {
        const bool big = number(2, 2) == 43;
        if (big && (number(4, 2) != 8 || number(6, 2) != 0))
            m_file.damaged("the offset size in its BigTIFF header is not 8");
        m_offsetBytes = big ? 8 : 4;
        m_entryBytes = big ? 20 : 12;
        const int64_t directory = number(big ? 8 : 4, m_offsetBytes);
        m_entries = big ? number(directory, 8) : number(directory, 2);
        m_first = directory + (big ? 8 : 2);
        if (m_entries > 65'535)
            m_file.damaged("its directory has more than 65535 entries");
        m_file.require(m_first, m_entries * m_entryBytes + m_offsetBytes);
        m_layout.severalPages = number(m_first + m_entries * m_entryBytes, m_offsetBytes) != 0;
    }

    TiffField find(TiffTag tag) const
    {
        for (int64_t i = 0; i < m_entries; ++i) {
            const int64_t at = m_first + i * m_entryBytes;
            if (number(at, 2) == tag)
                return readEntry(at);
        }
        return {};
    }

    TiffField readEntry(int64_t at) const
    {
        const auto type = uint32_t(number(at + 2, 2));
        TiffField field{type, number(at + 4, m_offsetBytes), at + 4 + m_offsetBytes};
        const int bytes = tiffNumberBytes(field.type);
        if (bytes == 0 || field.count == 0)
            m_file.damaged("a numeric entry of its directory is not a number");
        const auto length = checkedMultiply(field.count, bytes);
        if (!length)
            m_file.breaksOff();
        if (*length > m_offsetBytes)
            field.at = number(field.at, m_offsetBytes);
        m_file.require(field.at, *length);
        return field;
    }

    int64_t value(const TiffField& field, int64_t i) const { return tiffNumber(m_file, m_layout, field, i); }

    int64_t single(TiffTag tag, int64_t otherwise) const
    {
        const TiffField field = find(tag);
        return field.count == 0 ? otherwise : value(field, 0);
    }

    void readSize()
    {
        m_layout.width = single(ImageWidth, 0);
        m_layout.height = single(ImageLength, 0);
        m_file.checkSize(m_layout.width, m_layout.height);
    }

    void readCompression()
    {
        const int64_t compression = single(CompressionTag, 1);
        if (std::ranges::find(readCompressions, compression) == readCompressions.end()) {
            const std::string name = nameIn(otherCompressions, compression);
            const std::string known = name.empty() ? "" : " (" + name + ")";
            m_file.fail(fmt::format("it is a TIFF with compression {}{}", compression, known),
                        "save it with LZW or Deflate");
        }
        m_layout.compression = uint32_t(compression);
    }

    TiffColours readColours() const
    {
        // Old-style JPEG compression implies YCbCr, whatever the tag says.
        const int64_t kind = m_layout.compression == oldJpegCompression ? 6 : single(Photometric, 0);
        using Colours = TiffColours;
        constexpr std::array<std::optional<Colours>, 7> known{Colours::WhiteIsZero, Colours::Grey, Colours::Rgb,
                                                              Colours::Palette,     std::nullopt,  Colours::Cmyk,
                                                              Colours::YCbCr};
        if (kind < std::ssize(known) && known[size_t(kind)])
            return *known[size_t(kind)];
        const std::string name = nameIn(otherColours, kind);
        refuseLayout(name.empty() ? fmt::format("pixels with photometric interpretation {}", kind) : name);
    }

    void readSamples()
    {
        TiffLayout& layout = m_layout;
        layout.colours = readColours();
        layout.planes = single(PlanarConfiguration, 1) == 2;
        layout.reversedBits = single(FillOrder, 1) == 2;
        int64_t samples = single(SamplesPerPixel, layout.compression == oldJpegCompression ? 3 : 1);
        if (samples < 1 || samples > 6)
            refuseLayout(counted(samples, "channel"));
        const TiffField extra = find(ExtraSamples);
        const int64_t firstExtra = extra.count == 0 ? unspecified : value(extra, 0);
        bool allUnspecified = extra.count > 0;
        for (int64_t i = 0; i < std::min(extra.count, samples); ++i)
            allUnspecified = allUnspecified && value(extra, i) == unspecified;
        if (layout.planes && allUnspecified)
            samples = std::max<int64_t>(1, samples - extra.count);
        layout.samples = int(samples);
        if (layout.colours == TiffColours::YCbCr && samples == 1)
            layout.colours = TiffColours::Grey;
        const bool more = layout.samples > colourChannels() && layout.colours != TiffColours::Cmyk;
        layout.transparency = more && (extra.count == 0 || firstExtra != unspecified);
        layout.premultiplied = more && firstExtra == associatedAlpha;
        readNumbers();
    }

    /// Bit depth and sample format must be the same for all channels.
    void readNumbers()
    {
        const TiffField bits = find(BitsPerSample), formats = find(SampleFormat);
        m_layout.bits = int(common(bits, 1000, "bit depths"));
        const int64_t format = common(formats, INT64_MAX, "sample formats");
        if (format < 1 || format > 3)
            refuseLayout("values that are neither integers nor floating point");
        m_layout.kind = static_cast<TiffSampleKind>(format - 1);
    }

    /// The number of all channels, at most `most`; 1 if the file does not state it.
    int64_t common(const TiffField& field, int64_t most, const char* numbers) const
    {
        const int64_t first = std::min(field.count == 0 ? 1 : value(field, 0), most);
        for (int64_t i = 1; i < std::min<int64_t>(field.count, m_layout.samples); ++i)
            if (value(field, i) != first)
                refuseLayout(fmt::format("channels with different {}", numbers));
        return first;
    }

    int colourChannels() const
    {
        const bool three = m_layout.colours == TiffColours::Rgb || m_layout.colours == TiffColours::YCbCr;
        return m_layout.colours == TiffColours::Cmyk ? 4 : three ? 3 : 1;
    }

    /// Whether Pillow supports this bit depth and sample format for these colours.
    bool isKnown() const
    {
        const int bits = m_layout.bits;
        const bool isUnsigned = m_layout.kind == TiffSampleKind::Unsigned;
        if (m_layout.isGrey() && m_layout.samples == 1) {
            if (m_layout.kind == TiffSampleKind::Float)
                return bits == 32;
            const bool deep = bits == 8 || bits == 16 || bits == 32;
            return isUnsigned ? deep || bits == 1 || bits == 2 || bits == 4 || bits == 12
                              : deep && m_layout.colours == TiffColours::Grey;
        }
        if (m_layout.colours == TiffColours::Palette && m_layout.samples == 1)
            return isUnsigned && (bits == 1 || bits == 2 || bits == 4 || bits == 8);
        const bool wide = m_layout.colours == TiffColours::Rgb || m_layout.colours == TiffColours::Cmyk;
        return isUnsigned && (bits == 8 || (bits == 16 && wide && m_layout.samples <= 4));
    }

    void checkSamples() const
    {
        const int samples = m_layout.samples, bits = m_layout.bits, colours = colourChannels();
        const std::string channels = counted(samples, "channel");
        const char* numbers = m_layout.kind == TiffSampleKind::Float    ? "floating-point"
                              : m_layout.kind == TiffSampleKind::Signed ? "signed"
                                                                        : "unsigned";
        const bool isMonochrome = colours == 1 && samples > 2;
        if (samples < colours || isMonochrome || !isKnown()
            || (m_layout.colours == TiffColours::WhiteIsZero && samples > 1)
            || (m_layout.colours == TiffColours::YCbCr && samples != 3))
            refuseLayout(fmt::format("{} of {} {} bits", channels, bits, numbers));
        const bool fax = m_layout.compression >= 2 && m_layout.compression <= 4;
        if ((fax && (bits != 1 || samples != 1)) || (m_layout.compression == jpegCompression && bits != 8))
            refuseLayout(fmt::format("{} of {} bits, which its compression does not support", channels, bits));
        if (m_layout.colours == TiffColours::Palette && find(ColorMap).count == 0)
            m_file.damaged("its palette is missing");
    }

    [[noreturn]] void refuseLayout(std::string_view what) const
    {
        m_file.fail(fmt::format("it is a TIFF with {}", what), "save it with 8 bits per channel, grey or RGB");
    }

    void readBlocks()
    {
        TiffLayout& layout = m_layout;
        layout.colourMap = find(ColorMap);
        layout.tiled = find(TileOffsets).count != 0;
        layout.offsets = find(layout.tiled ? TileOffsets : StripOffsets);
        layout.byteCounts = find(layout.tiled ? TileByteCounts : StripByteCounts);
        if (layout.tiled) {
            layout.blockWidth = single(TileWidth, 0);
            layout.blockHeight = single(TileLength, 0);
            checkTile();
        } else {
            layout.blockWidth = layout.width;
            layout.blockHeight = std::min(single(RowsPerStrip, layout.height), layout.height);
        }
        if (layout.blockWidth <= 0 || layout.blockHeight <= 0)
            m_file.damaged("its strips have no rows");
        if (layout.offsets.count < layout.blocks()
            || (layout.isCompressed() && layout.byteCounts.count < layout.blocks()))
            m_file.damaged("it does not specify where its image data is");
    }

    /// A small file must not require much memory: tiles are not much larger than the image.
    void checkTile() const
    {
        constexpr int64_t anyImage = 4 << 20;
        const auto pixels = checkedMultiply(m_layout.blockWidth, m_layout.blockHeight);
        if (!pixels || *pixels > std::max(anyImage, m_layout.width * m_layout.height))
            refuseLayout("tiles that are larger than the image");
    }

    /// Checks that all blocks are within the file, so that truncated files are reported as such.
    void checkData() const
    {
        const bool counted = m_layout.isCompressed() || m_layout.needsConversion();
        for (int64_t i = 0; i < m_layout.blocks(); ++i) {
            if (counted && i >= m_layout.byteCounts.count)
                m_file.damaged("it does not specify the size of its image data");
            // Uncompressed blocks need their full size, whatever the directory says.
            m_file.require(value(m_layout.offsets, i), counted
                                                           ? value(m_layout.byteCounts, i)
                                                           : m_layout.blockRowBytes() * m_layout.rowsOfBlock(i));
        }
    }

    void readOrientation()
    {
        const TiffField field = find(OrientationTag);
        const int64_t stored = field.count == 1 && field.type == tiffShortType ? value(field, 0) : 1;
        m_layout.orientation = stored >= 1 && stored <= 8 ? int(stored) : 1;
    }

    const HeaderReader& m_file;
    int m_offsetBytes = 4, m_entryBytes = 12;
    int64_t m_first = 0;  ///< entry of the directory
    int64_t m_entries = 0;
    TiffLayout m_layout;
};

}

int64_t TiffLayout::rowsOfBlock(int64_t block) const
{
    const int64_t top = block % (blocksAcross() * blocksDown()) / blocksAcross() * blockHeight;
    return tiled ? blockHeight : std::min(blockHeight, height - top);
}

TiffLayout readTiffLayout(const HeaderReader& file)
{
    return TiffWalk(file).run();
}

int64_t tiffNumber(const HeaderReader& file, const TiffLayout& layout, const TiffField& field, int64_t i)
{
    const int bytes = tiffNumberBytes(field.type);
    const uint64_t value = integerOf(file.part(field.at + i * bytes, bytes),
                                     layout.bigEndian ? std::endian::big : std::endian::little);
    if (value > uint64_t(INT64_MAX))
        file.breaksOff();
    return int64_t(value);
}

TiffPalette readTiffPalette(const HeaderReader& file, const TiffLayout& layout)
{
    TiffPalette palette{};
    const int64_t entries = layout.colourMap.count / 3;
    for (int64_t i = 0; i < std::min<int64_t>(entries, 256); ++i)
        for (int64_t c = 0; c < 3; ++c)
            palette[size_t(i)][size_t(c)] = uint8_t(tiffNumber(file, layout, layout.colourMap, c * entries + i)
                                                    >> 8);
    return palette;
}

ImageHeader readTiffHeader(const HeaderReader& file)
{
    const TiffLayout layout = readTiffLayout(file);
    ImageHeader header;
    header.format = ImageFormat::Tiff;
    header.width = layout.width;
    header.height = layout.height;
    header.bitsPerSample = layout.bits;
    header.channels = layout.samples;
    header.transparency = layout.transparency;
    header.cmyk = layout.colours == TiffColours::Cmyk;
    header.clipsGrey = layout.isGrey() && layout.bits > 8;
    header.severalPages = layout.severalPages;
    header.orientation = layout.orientation;
    return header;
}

}

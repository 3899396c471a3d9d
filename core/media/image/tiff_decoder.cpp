#include "core/media/image/tiff_decoder.h"

#include "core/media/format/header_reader.h"
#include "core/media/format/tiff_pixels.h"

#include <tiffio.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace attnscope {

namespace {

/// The file as libtiff reads it; read-only.
struct MemoryFile {
    std::span<const uint8_t> bytes;
    uint64_t at = 0;
};

tmsize_t readMemory(thandle_t handle, void* to, tmsize_t count)
{
    auto& file = *static_cast<MemoryFile*>(handle);
    if (count <= 0 || file.at >= file.bytes.size())
        return 0;
    const size_t length = std::min(size_t(count), file.bytes.size() - size_t(file.at));
    std::memcpy(to, file.bytes.data() + file.at, length);
    file.at += length;
    return static_cast<tmsize_t>(length);
}

toff_t seekMemory(thandle_t handle, toff_t offset, int from)
{
    auto& file = *static_cast<MemoryFile*>(handle);
    const uint64_t base = from == SEEK_SET ? 0 : from == SEEK_CUR ? file.at : file.bytes.size();
    file.at = base + offset;
    return file.at;
}

toff_t memorySize(thandle_t handle)
{
    return static_cast<MemoryFile*>(handle)->bytes.size();
}

int mapMemory(thandle_t handle, void** base, toff_t* size)
{
    const auto& file = *static_cast<MemoryFile*>(handle);
    *base = const_cast<uint8_t*>(file.bytes.data());
    *size = file.bytes.size();
    return 1;
}

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using OpenTiff = std::unique_ptr<TIFF, CloseTiff>;

/// Opened without splitting large strips: blocks are those of our own layout.
OpenTiff openTiff(MemoryFile& file)
{
    [[maybe_unused]] static const bool quiet = [] {
        TIFFSetErrorHandler(nullptr);
        TIFFSetWarningHandler(nullptr);
        return true;
    }();
    const auto write = [](thandle_t, void*, tmsize_t) -> tmsize_t { return 0; };
    const auto close = [](thandle_t) { return 0; };
    const auto unmap = [](thandle_t, void*, toff_t) {};
    return OpenTiff(TIFFClientOpen("picture", "rC", &file, readMemory, write, seekMemory, close, memorySize,
                                   mapMemory, unmap));
}

bool hasThisLayout(TIFF* tiff, const TiffLayout& layout)
{
    uint32_t width = 0, height = 0;
    TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
    return width == layout.width && height == layout.height && (TIFFIsTiled(tiff) != 0) == layout.tiled;
}

TiffBlockReader libtiffBlocks(TIFF* tiff, const TiffLayout& layout)
{
    const tmsize_t rowBytes = layout.tiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff);
    return [tiff, rowBytes, &layout](int64_t block, std::span<uint8_t> samples) {
        const auto number = uint32_t(block);
        const auto size = static_cast<tmsize_t>(samples.size());
        if (rowBytes != layout.blockRowBytes())
            return false;
        return (layout.tiled ? TIFFReadEncodedTile(tiff, number, samples.data(), size)
                             : TIFFReadEncodedStrip(tiff, number, samples.data(), size))
               != -1;
    };
}

/// libtiff's own conversion to RGB, for images with subsampled chroma.
class RgbaImage {
public:
    explicit RgbaImage(TIFF* tiff)
    {
        char reason[1024] = "";
        m_begun = TIFFRGBAImageOK(tiff, reason) != 0 && TIFFRGBAImageBegin(&m_image, tiff, 1, reason) != 0;
        m_image.orientation = m_image.req_orientation = ORIENTATION_TOPLEFT;
    }
    ~RgbaImage()
    {
        if (m_begun)
            TIFFRGBAImageEnd(&m_image);
    }
    RgbaImage(const RgbaImage&) = delete;
    RgbaImage& operator=(const RgbaImage&) = delete;

    bool read(const TiffLayout& layout, uint8_t* to)
    {
        if (!m_begun || m_image.width != layout.width || m_image.height != layout.height)
            return false;
        std::vector<uint32_t> raster(size_t(layout.width * layout.blockHeight));
        for (int64_t top = 0; top < layout.height; top += layout.blockHeight) {
            const int64_t rows = std::min(layout.blockHeight, layout.height - top);
            m_image.row_offset = int(top);
            if (TIFFRGBAImageGet(&m_image, raster.data(), m_image.width, uint32_t(rows)) == 0)
                return false;
            for (int64_t i = 0; i < rows * layout.width; ++i, to += 3) {
                const uint32_t pixel = raster[size_t(i)];
                to[0] = uint8_t(TIFFGetR(pixel));
                to[1] = uint8_t(TIFFGetG(pixel));
                to[2] = uint8_t(TIFFGetB(pixel));
            }
        }
        return true;
    }

private:
    TIFFRGBAImage m_image{};
    bool m_begun = false;
};

bool decodeByLibtiff(const HeaderReader& file, TiffLayout layout, std::span<uint8_t> pixels)
{
    MemoryFile memory{file.part(0, file.size())};
    const OpenTiff tiff = openTiff(memory);
    if (!tiff || !hasThisLayout(tiff.get(), layout))
        return false;
    if (layout.needsConversion() && layout.compression == COMPRESSION_JPEG && !layout.planes) {
        // libjpeg converts, so that a block's samples are RGB.
        TIFFSetField(tiff.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
        layout.colours = TiffColours::Rgb;
    }
    if (layout.needsConversion())
        return RgbaImage(tiff.get()).read(layout, pixels.data());
    const TiffPalette palette = readTiffPalette(file, layout);
    return placeTiffBlocks(layout, palette, std::endian::native, libtiffBlocks(tiff.get(), layout), pixels);
}

}

DecodeOutcome decodeTiff(const HeaderReader& file, std::span<uint8_t> pixels)
{
    const TiffLayout layout = readTiffLayout(file);
    if (int64_t(pixels.size()) != layout.width * layout.height * 3)
        return DecodeOutcome::Damaged;
    const bool plain = !layout.isCompressed() && !layout.needsConversion();
    const bool done = plain ? placeTiffBlocks(layout, readTiffPalette(file, layout),
                                              layout.bigEndian ? std::endian::big : std::endian::little,
                                              plainTiffBlocks(file, layout), pixels)
                            : decodeByLibtiff(file, layout, pixels);
    return done ? DecodeOutcome::Done : DecodeOutcome::Damaged;
}

std::string tiffVersion()
{
    // "LIBTIFF, Version 4.5.0", and lines about its authors
    const std::string_view text = TIFFLIB_VERSION_STR;
    const size_t space = text.find("Version ");
    const std::string_view number = space == std::string_view::npos ? text : text.substr(space + 8);
    return "libtiff " + std::string(number.substr(0, number.find('\n')));
}

}

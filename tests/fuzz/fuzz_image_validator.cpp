#include "core/base/error.h"
#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"
#include "core/media/format/plain_formats.h"
#include "core/media/format/tiff_pixels.h"

#include <cstdlib>
#include <vector>

using namespace attnscope;

namespace {

/// What the gate lets through must be within its limits, or a decoder would be asked for more.
void checkPromises(const ImageHeader& header, std::span<const uint8_t> bytes, const Limits& limits)
{
    const bool holds = header.width > 0 && header.height > 0 && header.width <= limits.imageSide
                       && header.height <= limits.imageSide && header.width * header.height <= limits.imagePixels
                       && header.orientation >= 1 && header.orientation <= 8;
    if (!holds)
        std::abort();
    if (const auto& frame = header.firstFrame) {
        const auto size = int64_t(bytes.size());
        const bool lies = frame->dataAt >= 0 && frame->dataBytes >= 0 && frame->dataAt + frame->dataBytes <= size
                          && frame->left >= 0 && frame->top >= 0 && frame->left + frame->width <= header.width
                          && frame->top + frame->height <= header.height;
        if (!lies)
            std::abort();
    }
}

/// Of compressed images the input itself stands for what libtiff would make of it.
void decodeTiffBlocks(const HeaderReader& file, std::span<const uint8_t> bytes, std::span<uint8_t> pixels)
{
    const TiffLayout layout = readTiffLayout(file);
    if (layout.needsConversion())
        return;
    const TiffBlockReader stand = [&](int64_t block, std::span<uint8_t> samples) {
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] = bytes[(i + size_t(block)) % bytes.size()];
        return true;
    };
    const std::endian order = layout.bigEndian ? std::endian::big : std::endian::little;
    if (!placeTiffBlocks(layout, readTiffPalette(file, layout), order,
                         layout.isCompressed() ? stand : plainTiffBlocks(file, layout), pixels))
        std::abort();
}

void decode(const ImageHeader& header, std::span<const uint8_t> bytes, const Limits& limits)
{
    if (header.width * header.height > 100'000)  // many inputs, not large ones
        return;
    const HeaderReader file(bytes, "input", limits);
    std::vector<uint8_t> pixels(size_t(header.width * header.height * 3));
    if (header.format == ImageFormat::Pnm && decodePnm(file).size() != pixels.size())
        std::abort();
    if (header.format == ImageFormat::Bmp)
        decodeBmp(file, pixels);
    if (header.format == ImageFormat::Tiff)
        decodeTiffBlocks(file, bytes, pixels);
}

}

/// The gate's own parsers, EXIF, and our own decoding of PNM, BMP and TIFF's samples: every input is taken or refused by FileError.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::span<const uint8_t> bytes(data, size);
    Limits limits;
    limits.imagePixels = 1'000'000;
    const int orientation = exifOrientation(bytes);
    if (orientation < 1 || orientation > 8)
        std::abort();
    try {
        const ImageHeader header = inspectImage(bytes, "input", limits);
        checkPromises(header, bytes, limits);
        decode(header, bytes, limits);
    } catch (const FileError&) {
    }
    return 0;
}

#include "core/media/image/image_reader.h"

#include "core/base/error.h"
#include "core/data/preprocess/transform.h"
#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"
#include "core/media/format/plain_formats.h"
#include "core/media/image/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace attnscope {

namespace {

/// The input of the decoder: the file itself, or a still image made of an animation's first frame.
std::span<const uint8_t> toDecode(std::span<const uint8_t> bytes, const ImageHeader& header,
                                  std::vector<uint8_t>& copy)
{
    if (!header.firstFrame)
        return bytes;
    const FirstFrame& frame = *header.firstFrame;
    const auto add = [&copy](int64_t value, int count) {
        for (int i = 0; i < count; ++i)
            copy.push_back(uint8_t(value >> (8 * i)));
    };
    const auto addText = [&copy](std::string_view text) { copy.insert(copy.end(), text.begin(), text.end()); };
    constexpr int64_t extendedBytes = 10, mayHaveAlpha = 0x10;
    addText("RIFF");
    add(12 + extendedBytes + frame.dataBytes, 4);
    addText("WEBPVP8X");
    add(extendedBytes, 4);
    add(mayHaveAlpha, 4);
    add(frame.width - 1, 3);
    add(frame.height - 1, 3);
    const auto chunks = bytes.subspan(size_t(frame.dataAt), size_t(frame.dataBytes));
    copy.insert(copy.end(), chunks.begin(), chunks.end());
    return copy;
}

ImageSize decodedSize(const ImageHeader& header)
{
    return header.firstFrame ? ImageSize{header.firstFrame->width, header.firstFrame->height}
                             : ImageSize{header.width, header.height};
}

/// Whether what is decoded is smaller than the image.
bool isFramed(const ImageHeader& header)
{
    const ImageSize size = decodedSize(header);
    return size.width != header.width || size.height != header.height;
}

/// The frame on black, as Pillow's animation decoder leaves pixels that no frame has covered yet.
std::vector<uint8_t> onCanvas(const ImageHeader& header, const std::vector<uint8_t>& frame)
{
    const FirstFrame& at = *header.firstFrame;
    std::vector<uint8_t> canvas(size_t(header.width * header.height * 3));
    for (int64_t y = 0; y < at.height; ++y)
        std::copy_n(frame.begin() + y * at.width * 3, at.width * 3,
                    canvas.begin() + ((at.top + y) * header.width + at.left) * 3);
    return canvas;
}

[[noreturn]] void failWithoutMemory(const std::string& name)
{
    throw FileError(name, "there is not enough memory to decode it", "close other programs");
}

/// Does everything except the decoding itself.
void decode(std::span<const uint8_t> bytes, const ImageHeader& header, const std::string& name,
            const ImageSize& size, const PixelWindow& window, const PixelDecoder& decoder, const PixelUse& use)
{
    std::vector<uint8_t> still;
    const DecodeOutcome outcome = decoder(toDecode(bytes, header, still), size, window, use);
    if (outcome == DecodeOutcome::NoMemory)
        failWithoutMemory(name);
    if (outcome != DecodeOutcome::Done)
        throw FileError(name, fmt::format("its {} data is damaged", imageFormatName(header.format)),
                        "copy or export the image again");
}

std::vector<uint8_t> decodeAll(std::span<const uint8_t> bytes, const ImageHeader& header, const std::string& name,
                               const PixelDecoder& decoder)
{
    std::vector<uint8_t> pixels;
    const ImageSize size = decodedSize(header);
    decode(bytes, header, name, size, {0, 0, size.width, size.height}, decoder,
           [&](std::span<const uint8_t> decoded) { pixels.assign(decoded.begin(), decoded.end()); });
    return isFramed(header) ? onCanvas(header, pixels) : pixels;
}

DecodeOutcome decodeHere(std::span<const uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                         const PixelUse& use)
{
    std::vector<uint8_t> pixels(size.bytes());
    const DecodeOutcome outcome = decodePixels(encoded, size, window, pixels);
    if (outcome == DecodeOutcome::Done)
        use(pixels);
    return outcome;
}

std::vector<std::string> notesOn(const ImageHeader& header)
{
    std::vector<std::string> notes;
    if (header.clipsGrey)
        notes.emplace_back(
            "grey values above 255 were clipped to white, as in Pillow; export it with 8 bits to keep its shades");
    else if (header.bitsPerSample == 16)
        notes.emplace_back("16 bits per channel were reduced to 8");
    if (header.transparency)
        notes.emplace_back("transparency was dropped");
    if (header.cmyk)
        notes.emplace_back("CMYK was converted to RGB without a colour profile");
    if (header.animated)
        notes.emplace_back(header.firstFrame ? "the first frame of the animation was used"
                                             : "the still image of the animation was used");
    if (header.severalPages)
        notes.emplace_back("the first of several pages was used");
    return notes;
}

/// A TIFF's orientation says how its rows are stored, and the published loaders apply it too; EXIF's is metadata.
bool isTurned(const ImageHeader& header, Orientation orientation)
{
    return header.orientation != 1 && (header.format == ImageFormat::Tiff || orientation == Orientation::Apply);
}

void orient(Clip& clip, const ImageHeader& header, Orientation orientation)
{
    if (header.orientation == 1)
        return;
    if (isTurned(header, orientation)) {
        applyOrientation(clip, header.orientation);
        clip.notes.push_back(fmt::format("rotated upright (EXIF orientation {})", header.orientation));
        return;
    }
    clip.orientation = header.orientation;
    clip.notes.push_back(fmt::format(
        "its rotation (EXIF orientation {}) was ignored, as the published evaluation does", header.orientation));
}

Clip withoutPixels(const ImageHeader& header, int64_t width, int64_t height)
{
    return {1, height, width, {}, std::string(imageFormatName(header.format)), notesOn(header)};
}

}

Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options)
{
    return readImage(readImageFile(path, options.limits), path.string(), options);
}

Clip readImage(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options)
{
    return readImage(bytes, name, options, decodeHere);
}

Clip readImage(std::span<const uint8_t> bytes, const std::string& name, const ImageReadOptions& options,
               const PixelDecoder& decoder)
try {
    const ImageHeader header = inspectImage(bytes, name, options.limits);
    Clip clip = withoutPixels(header, header.width, header.height);
    clip.pixels = header.format == ImageFormat::Pnm ? decodePnm(HeaderReader(bytes, name, options.limits))
                                                    : decodeAll(bytes, header, name, decoder);
    orient(clip, header, options.orientation);
    return clip;
} catch (const std::bad_alloc&) {
    failWithoutMemory(name);
}

Clip readDecoded(std::span<const uint8_t> bytes, const std::string& name, const Transform& transform,
                 const ImageReadOptions& options, const PixelDecoder& decoder, const DecodedUse& use)
try {
    requireSizes(transform);
    const ImageHeader header = inspectImage(bytes, name, options.limits);
    const PixelDecoder& decoding = decoder ? decoder : PixelDecoder(decodeHere);
    if (header.format == ImageFormat::Pnm || isFramed(header) || isTurned(header, options.orientation)) {
        Clip image = readImage(bytes, name, options, decoding);
        use({image.pixels.data(), image.width * 3}, image.width, image.height);
        image.pixels.clear();
        return image;
    }
    Clip clip = withoutPixels(header, header.width, header.height);
    orient(clip, header, options.orientation);
    const int64_t fraction = header.format == ImageFormat::Jpeg
                                 ? decodingFraction(header.width, header.height, transform)
                                 : 1;
    const ImageSize size{(header.width + fraction - 1) / fraction, (header.height + fraction - 1) / fraction};
    decode(bytes, header, name, size, windowRead(size.width, size.height, transform), decoding,
           [&](std::span<const uint8_t> pixels) {
               use({pixels.data(), size.width * 3}, size.width, size.height);
           });
    return clip;
} catch (const std::bad_alloc&) {
    failWithoutMemory(name);
}

Clip readCrop(std::span<const uint8_t> bytes, const std::string& name, const Transform& transform,
              const ImageReadOptions& options, const PixelDecoder& decoder)
{
    Clip crop;
    const auto use = [&](RgbView<const uint8_t> image, int64_t width, int64_t height) {
        crop = blankClip(1, transform.cropHeight, transform.cropWidth);
        resizeAndCropInto(image, width, height, transform, crop.pixels.data());
    };
    Clip read = readDecoded(bytes, name, transform, options, decoder, use);
    crop.format = std::move(read.format);
    crop.notes = std::move(read.notes);
    crop.orientation = read.orientation;
    return crop;
}

}

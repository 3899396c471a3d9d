// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_reader.h"

#include "core/base/error.h"
#include "core/media/exif_orientation.h"
#include "core/media/image_gate.h"
#include "core/media/picture_file.h"
#include "core/media/pnm.h"

#include <fmt/format.h>

#include <new>

namespace attnscope {

namespace {

/// What the published loaders ignore and libtiff would apply, made harmless in a copy; the bytes themselves without such.
std::span<const std::uint8_t> withPatches(std::span<const std::uint8_t> bytes, const ImageHeader& header,
                                          std::vector<std::uint8_t>& copy)
{
    if (header.patches.empty())
        return bytes;
    copy.assign(bytes.begin(), bytes.end());
    for (const BytePatch& patch : header.patches)
        copy.at(static_cast<std::size_t>(patch.at)) = patch.value;
    return copy;
}

[[noreturn]] void failWithoutMemory(const std::string& name)
{
    throw FileError(name, "there is not enough memory to decode it", "close other programs");
}

std::vector<std::uint8_t> decode(std::span<const std::uint8_t> bytes, const ImageHeader& header, const std::string& name,
                                 const PixelDecoder& decoder)
{
    std::vector<std::uint8_t> patched, pixels;
    const DecodeOutcome outcome = decoder(withPatches(bytes, header, patched), {header.width, header.height}, pixels);
    if (outcome == DecodeOutcome::NoMemory)
        failWithoutMemory(name);
    if (outcome != DecodeOutcome::Done)
        throw FileError(name, fmt::format("its {} data are damaged", imageFormatName(header.format)),
                        "copy or export the picture again");
    return pixels;
}

DecodeOutcome decodeHere(std::span<const std::uint8_t> encoded, const PictureSize& size, std::vector<std::uint8_t>& pixels)
{
    pixels.resize(size.bytes());
    return decodePixels(encoded, size, pixels);
}

std::vector<std::string> notesOn(const ImageHeader& header)
{
    std::vector<std::string> notes;
    if (header.bitsPerSample == 16)
        notes.emplace_back("16 bits a channel were reduced to 8");
    if (header.transparency)
        notes.emplace_back("transparency was dropped");
    if (header.format == ImageFormat::Jpeg && header.channels == 4)
        notes.emplace_back("CMYK was converted to RGB without a colour profile");
    if (header.animated)
        notes.emplace_back("of an animation, the still picture was used");
    return notes;
}

/// A TIFF's orientation says how its rows lie, and the published loaders apply it too; EXIF's is a note beside a picture.
void orient(Clip& clip, const ImageHeader& header, Orientation orientation)
{
    if (header.orientation == 1)
        return;
    if (header.format == ImageFormat::Tiff || orientation == Orientation::Apply) {
        applyOrientation(clip, header.orientation);
        clip.notes.push_back(fmt::format("turned upright (EXIF orientation {})", header.orientation));
        return;
    }
    clip.orientation = header.orientation;
    clip.notes.push_back(fmt::format("its rotation (EXIF orientation {}) was ignored, as the published evaluation does",
                                     header.orientation));
}

}  // namespace

Clip readImage(const std::filesystem::path& path, const ImageReadOptions& options)
{
    return readImage(readPictureFile(path, options.limits), path.string(), options);
}

Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options)
{
    return readImage(bytes, name, options, decodeHere);
}

Clip readImage(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options,
               const PixelDecoder& decoder)
try {
    const ImageHeader header = inspectImage(bytes, name, options.limits);
    Clip clip;
    clip.frames = 1;
    clip.height = header.height;
    clip.width = header.width;
    clip.format = imageFormatName(header.format);
    clip.notes = notesOn(header);
    clip.pixels = header.format == ImageFormat::Pnm ? decodePnm(HeaderReader(bytes, name, options.limits))
                                                    : decode(bytes, header, name, decoder);
    orient(clip, header, options.orientation);
    return clip;
} catch (const std::bad_alloc&) {
    failWithoutMemory(name);
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"
#include "core/media/exif_orientation.h"
#include "core/media/image_gate.h"
#include "core/media/pnm.h"

#include <cstdlib>

using namespace attnscope;

namespace {

/// What the gate lets through must be within its limits, or a decoder would be asked for more.
void checkPromises(const ImageHeader& header, std::span<const std::uint8_t> bytes, const Limits& limits)
{
    const bool holds = header.width > 0 && header.height > 0 && header.width <= limits.imageSide
                       && header.height <= limits.imageSide && header.width * header.height <= limits.imagePixels
                       && header.orientation >= 1 && header.orientation <= 8;
    if (!holds)
        std::abort();
    for (const BytePatch& patch : header.patches)
        if (patch.at < 0 || patch.at >= static_cast<std::int64_t>(bytes.size()))
            std::abort();
}

}  // namespace

/// The gate's own parsers, EXIF and PNM decoding: every input is taken or refused by FileError.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::span<const std::uint8_t> bytes(data, size);
    Limits limits;
    limits.imagePixels = 1'000'000;
    const int orientation = exifOrientation(bytes);
    if (orientation < 1 || orientation > 8)
        std::abort();
    try {
        const ImageHeader header = inspectImage(bytes, "input", limits);
        checkPromises(header, bytes, limits);
        if (header.format == ImageFormat::Pnm)
            decodePnm(HeaderReader(bytes, "input", limits));
    } catch (const FileError&) {
    }
    return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_gate.h"

#include <fmt/format.h>

#include <cstdlib>

namespace attnscope {

namespace {

enum Compression : std::uint32_t { None = 0, RunLength8 = 1, RunLength4 = 2, BitFields = 3 };

struct BmpLayout {
    std::int64_t width, height;
    std::uint32_t bits;
    std::uint32_t compression;
};

BmpLayout readLayout(const HeaderReader& file)
{
    if (file.little32(14) == 12)  // OS/2: 16-bit sizes
        return {file.little16(18), file.little16(20), file.little16(24), None};
    const std::int64_t width = static_cast<std::int32_t>(file.little32(18));
    const std::int64_t height = static_cast<std::int32_t>(file.little32(22));
    return {width, std::abs(height), file.little16(28), file.little32(30)};  // a negative height: rows from the top
}

bool isValid(const BmpLayout& layout)
{
    switch (layout.compression) {
    case None:
        return layout.bits == 1 || layout.bits == 4 || layout.bits == 8 || layout.bits == 24 || layout.bits == 32;
    case RunLength8: return layout.bits == 8;
    case RunLength4: return layout.bits == 4;
    case BitFields: return layout.bits == 32;
    default: return false;
    }
}

}  // namespace

ImageHeader readBmpHeader(const HeaderReader& file)
{
    const BmpLayout layout = readLayout(file);
    file.checkSize(layout.width, layout.height);
    if (!isValid(layout))
        file.fail(fmt::format("it is a BMP of {} bits a pixel with compression {}", layout.bits, layout.compression),
                  "save it with 24 bits, uncompressed");
    const std::int64_t data = file.little32(10);
    file.require(data, 1);
    if (layout.compression == None || layout.compression == BitFields)
        file.require(data, (layout.width * layout.bits + 31) / 32 * 4 * layout.height);
    ImageHeader header;
    header.format = ImageFormat::Bmp;
    header.width = layout.width;
    header.height = layout.height;
    header.channels = layout.bits <= 8 ? 1 : static_cast<int>(layout.bits / 8);
    return header;
}

}  // namespace attnscope

#include "core/media/format/exif_orientation.h"
#include "core/media/format/image_validator.h"

namespace attnscope {

namespace {

enum ColourType { Grey = 0, Rgb = 2, Palette = 3, GreyAlpha = 4, Rgba = 6 };

bool isValid(int colour, int bits)
{
    const bool small = bits == 1 || bits == 2 || bits == 4;
    switch (colour) {
    case Grey:
        return small || bits == 8 || bits == 16;
    case Palette:
        return small || bits == 8;
    case Rgb:
    case GreyAlpha:
    case Rgba:
        return bits == 8 || bits == 16;
    default:
        return false;
    }
}

ImageHeader readFirstChunk(const HeaderReader& file)
{
    if (file.big32(8) != 13 || !file.hasText(12, "IHDR"))
        file.damaged("its header chunk is missing");
    ImageHeader header;
    header.format = ImageFormat::Png;
    header.width = file.big32(16);
    header.height = file.big32(20);
    file.checkSize(header.width, header.height);
    header.bitsPerSample = file.byte(24);
    const int colour = file.byte(25);
    if (!isValid(colour, header.bitsPerSample))
        file.damaged("its header has a colour type that PNG does not define");
    header.channels = colour == Grey || colour == Palette ? 1 : colour == GreyAlpha ? 2 : colour == Rgb ? 3 : 4;
    header.clipsGrey = colour == Grey && header.bitsPerSample == 16;
    header.transparency = colour == GreyAlpha || colour == Rgba;
    return header;
}

}

ImageHeader readPngHeader(const HeaderReader& file)
{
    ImageHeader header = readFirstChunk(file);
    bool hasData = false;
    for (int64_t at = 33;;) {  // after the signature and header chunk
        const int64_t length = file.big32(at);
        file.require(at, length + 12);
        if (file.hasText(at + 4, "IEND"))
            break;
        hasData |= file.hasText(at + 4, "IDAT");
        header.transparency |= file.hasText(at + 4, "tRNS");
        header.animated |= file.hasText(at + 4, "acTL");
        if (file.hasText(at + 4, "eXIf"))
            header.orientation = exifOrientation(file.part(at + 8, length));
        at += length + 12;
    }
    if (!hasData)
        file.damaged("it has no image data");
    return header;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/media/image_gate.h"

#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/media/byte_reader.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace attnscope {

namespace {

using Bytes = std::span<const std::uint8_t>;

/// One picture's bytes with the name to complain under.
struct Candidate {
    Bytes bytes;
    const std::string& name;
    ByteReader reader{bytes};

    [[noreturn]] void refuse(const std::string& problem, const std::string& remedy = "copy or save it again") const
    {
        throw FileError(name, problem, remedy);
    }
    [[noreturn]] void breaksOff(const char* format) const { refuse(std::string("the ") + format + " breaks off"); }

    std::int64_t big(std::size_t at, int count, const char* format) const { return need(reader.big(at, count), format); }
    std::int64_t little(std::size_t at, int count, const char* format) const { return need(reader.little(at, count), format); }

private:
    std::int64_t need(std::optional<std::uint64_t> value, const char* format) const
    {
        if (!value)
            breaksOff(format);
        return static_cast<std::int64_t>(*value);
    }
};

bool isFrameHeader(std::int64_t marker)
{
    // SOF0 … SOF15 without DHT, JPG and DAC.
    return marker >= 0xffc0 && marker <= 0xffcf && marker != 0xffc4 && marker != 0xffc8 && marker != 0xffcc;
}

bool hasEndOfImage(Bytes bytes, std::size_t from)
{
    for (std::size_t i = bytes.size(); i-- > from + 1;)
        if (bytes[i] == 0xd9 && bytes[i - 1] == 0xff)
            return true;
    return false;
}

ImageHeader jpeg(const Candidate& c)
{
    ImageHeader header{.format = "JPEG"};
    for (std::size_t at = 2;;) {
        std::int64_t marker = c.big(at, 2, "JPEG");
        if (marker == 0xffff) {  // fill bytes
            ++at;
            continue;
        }
        if (marker < 0xff01)
            c.refuse("the JPEG is damaged (no marker where one belongs)");
        if ((marker >= 0xffd0 && marker <= 0xffd8) || marker == 0xff01) {  // without length
            at += 2;
            continue;
        }
        const std::int64_t length = c.big(at + 2, 2, "JPEG");
        if (length < 2 || marker == 0xffd9)
            c.refuse("the JPEG is damaged (it ends before its picture)");
        if (isFrameHeader(marker)) {
            header.height = c.big(at + 5, 2, "JPEG");
            header.width = c.big(at + 7, 2, "JPEG");
        }
        at += 2 + static_cast<std::size_t>(length);
        if (marker == 0xffda) {
            // The decoder fills what is missing with grey and says nothing.
            if (!hasEndOfImage(c.bytes, at))
                c.breaksOff("JPEG");
            return header;
        }
    }
}

ImageHeader png(const Candidate& c)
{
    if (!c.reader.startsWith(12, "IHDR"))
        c.refuse("the PNG is damaged (it does not begin with its header)");
    ImageHeader header{.format = "PNG", .width = c.big(16, 4, "PNG"), .height = c.big(20, 4, "PNG")};
    header.sixteenBit = c.big(24, 1, "PNG") == 16;
    bool data = false;
    for (std::size_t at = 8;;) {
        const auto length = static_cast<std::size_t>(c.big(at, 4, "PNG"));
        if (c.bytes.size() - at < 12 || length > c.bytes.size() - at - 12)
            c.breaksOff("PNG");
        if (c.reader.startsWith(at + 4, "IEND"))
            break;
        data = data || c.reader.startsWith(at + 4, "IDAT");
        at += 12 + length;
    }
    if (!data)
        c.refuse("the PNG has no picture in it");
    return header;
}

ImageHeader webp(const Candidate& c)
{
    const std::int64_t riff = c.little(4, 4, "WebP");
    if (riff + 8 > static_cast<std::int64_t>(c.bytes.size()))
        c.breaksOff("WebP");
    ImageHeader header{.format = "WebP"};
    if (c.reader.startsWith(12, "VP8X")) {
        if ((c.little(20, 1, "WebP") & 2) != 0)
            c.refuse("it is an animated WebP", "give a single picture");
        header.width = c.little(24, 3, "WebP") + 1;
        header.height = c.little(27, 3, "WebP") + 1;
    } else if (c.reader.startsWith(12, "VP8L")) {
        const std::int64_t bits = c.little(21, 4, "WebP");
        header.width = (bits & 0x3fff) + 1;
        header.height = ((bits >> 14) & 0x3fff) + 1;
    } else if (c.reader.startsWith(12, "VP8 ")) {
        header.width = c.little(26, 2, "WebP") & 0x3fff;
        header.height = c.little(28, 2, "WebP") & 0x3fff;
    } else {
        c.refuse("the WebP is damaged (it does not begin with a picture)");
    }
    return header;
}

ImageHeader bmp(const Candidate& c)
{
    const std::int64_t headerSize = c.little(14, 4, "BMP");
    ImageHeader header{.format = "BMP"};
    std::int64_t bits = 0;
    if (headerSize == 12) {
        header.width = c.little(18, 2, "BMP");
        header.height = c.little(20, 2, "BMP");
        bits = c.little(24, 2, "BMP");
    } else if (headerSize >= 40 && headerSize <= 256) {
        header.width = static_cast<std::int32_t>(c.little(18, 4, "BMP"));
        header.height = std::abs(static_cast<std::int64_t>(static_cast<std::int32_t>(c.little(22, 4, "BMP"))));  // negative: top-down
        bits = c.little(28, 2, "BMP");
    } else {
        c.refuse("the BMP is damaged (its header has an impossible size)");
    }
    const bool compressed = headerSize >= 40 && c.little(30, 4, "BMP") != 0 && c.little(30, 4, "BMP") != 3;
    const std::int64_t rowBytes = (std::max<std::int64_t>(header.width, 0) * bits + 31) / 32 * 4;
    const std::int64_t data = c.little(10, 4, "BMP");
    if (!compressed && header.height < (1 << 20) && data + rowBytes * header.height > static_cast<std::int64_t>(c.bytes.size()))
        c.breaksOff("BMP");
    return header;
}

/// A number of the text header of a PNM, after blanks and comments.
std::int64_t pnmNumber(const Candidate& c, std::size_t& at)
{
    const auto byte = [&] { return static_cast<unsigned char>(c.big(at, 1, "PNM")); };
    for (;;) {
        if (byte() == '#')
            while (byte() != '\n')
                ++at;
        else if (std::isspace(byte()) == 0)
            break;
        ++at;
    }
    std::int64_t value = 0;
    if (std::isdigit(byte()) == 0)
        c.refuse("the PNM is damaged (no number where one belongs)");
    for (; at < c.bytes.size() && std::isdigit(byte()) != 0; ++at)
        value = std::min<std::int64_t>(value * 10 + (byte() - '0'), 1'000'000'000);
    return value;
}

ImageHeader pnm(const Candidate& c)
{
    std::size_t at = 2;
    ImageHeader header{.format = "PNM"};
    header.width = pnmNumber(c, at);
    header.height = pnmNumber(c, at);
    const char kind = static_cast<char>(c.bytes[1]);
    const bool bitmap = kind == '1' || kind == '4';
    const std::int64_t largest = bitmap ? 1 : pnmNumber(c, at);
    if (largest < 1 || largest > 65535)
        c.refuse("the PNM is damaged (its largest value is impossible)");
    header.sixteenBit = largest > 255;
    const std::int64_t samples = header.width * (kind == '6' ? 3 : 1);
    const std::int64_t rowBytes = kind == '4' ? (header.width + 7) / 8 : samples * (header.sixteenBit ? 2 : 1);
    const bool binary = kind >= '4';
    if (binary && header.height < (1 << 24) && static_cast<std::int64_t>(at) + 1 + rowBytes * header.height > static_cast<std::int64_t>(c.bytes.size()))
        c.breaksOff("PNM");
    return header;
}

ImageHeader tiff(const Candidate& c)
{
    const bool little = c.reader.startsWith(0, "II");
    const auto read = [&](std::size_t at, int count) { return little ? c.little(at, count, "TIFF") : c.big(at, count, "TIFF"); };
    ImageHeader header{.format = "TIFF"};
    const auto directory = static_cast<std::size_t>(read(4, 4));
    const auto entries = static_cast<std::size_t>(read(directory, 2));
    for (std::size_t i = 0; i < entries; ++i) {
        const std::size_t entry = directory + 2 + 12 * i;
        const std::int64_t tag = read(entry, 2), type = read(entry + 2, 2), count = read(entry + 4, 4);
        const std::int64_t value = read(entry + 8, type == 3 ? 2 : 4);
        if (tag == 256)
            header.width = value;
        if (tag == 257)
            header.height = value;
        if (tag == 258 && type == 3)
            header.sixteenBit = (count > 2 ? read(static_cast<std::size_t>(read(entry + 8, 4)), 2) : value) == 16;
        if (tag == 322 || tag == 323) {  // tiles larger than the picture would be allocated as they claim
            if (value < 1 || value > 16384)
                c.refuse("the TIFF has tiles of an impossible size");
        }
    }
    if (read(directory + 2 + 12 * entries, 4) != 0)
        c.refuse("the TIFF has more than one page", "give a single picture");
    return header;
}

bool isPnm(Bytes b)
{
    return b.size() > 2 && b[0] == 'P' && b[1] >= '1' && b[1] <= '6' && std::isspace(b[2]) != 0;
}

ImageHeader readHeader(const Candidate& c)
{
    const auto starts = [&](std::string_view text) { return c.reader.startsWith(0, text); };
    if (starts("\xff\xd8\xff"))
        return jpeg(c);
    if (starts("\x89PNG\r\n\x1a\n"))
        return png(c);
    if (starts("RIFF") && c.reader.startsWith(8, "WEBP"))
        return webp(c);
    if (starts("BM"))
        return bmp(c);
    if (isPnm(c.bytes))
        return pnm(c);
    if (starts({"II*\0", 4}) || starts({"MM\0*", 4}))
        return tiff(c);
    const std::string_view text(reinterpret_cast<const char*>(c.bytes.data()), std::min<std::size_t>(c.bytes.size(), 12));
    c.refuse("it is not a JPEG, PNG, WebP, BMP, PNM or TIFF file (it starts with \"" + printable(text) + "\")",
             "give a picture in one of these formats");
}

void checkSize(const Candidate& c, const ImageHeader& header, const Limits& limits)
{
    const std::string size = formatCount(header.width) + "×" + formatCount(header.height);
    if (header.width < 1 || header.height < 1)
        c.refuse("the " + header.format + " says that it is " + size + " pixels large");
    if (header.width > limits.imageSide || header.height > limits.imageSide)
        c.refuse("it would be " + size + " pixels; the limit is " + formatCount(limits.imageSide) + " a side",
                 "scale it down, or raise the limit");
    if (header.width * header.height > limits.imagePixels)
        c.refuse("it would be " + size + " pixels (" + formatBytes(header.width * header.height * 3).text() + "); the limit is "
                     + formatCount(limits.imagePixels / 1'000'000) + " megapixels",
                 "scale it down, or raise the limit");
}

}  // namespace

ImageHeader inspectImage(std::span<const std::uint8_t> bytes, const std::string& name, const Limits& limits)
{
    const Candidate candidate{bytes, name};
    if (bytes.empty())
        candidate.refuse("it is empty");
    // OpenCV gives whatever has DICM at this place to its DICOM reader, which aborts the program on damaged files.
    if (candidate.reader.startsWith(128, "DICM"))
        candidate.refuse("it is marked as a DICOM file, which is not read", "save it as PNG or JPEG");
    const ImageHeader header = readHeader(candidate);
    checkSize(candidate, header, limits);
    return header;
}

}  // namespace attnscope

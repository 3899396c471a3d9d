#include "tests/core/media/image_mutator.h"

#include <algorithm>
#include <array>

namespace attnscope::test {

namespace {

using image::Bytes;

uint64_t numberAt(const Bytes& bytes, const Field& field)
{
    uint64_t value = 0;
    for (int i = 0; i < field.bytes; ++i) {
        const size_t at = field.at + size_t(field.bigEndian ? i : field.bytes - 1 - i);
        value = value << 8 | (at < bytes.size() ? bytes[at] : 0);
    }
    return value;
}

void write(Bytes& bytes, const Field& field, uint64_t value)
{
    const Bytes encoded = image::number(value, field.bytes, field.bigEndian);
    for (size_t i = 0; i < encoded.size() && field.at + i < bytes.size(); ++i)
        bytes[field.at + i] = encoded[i];
}

bool begins(const Bytes& bytes, std::string_view text, size_t at = 0)
{
    return bytes.size() >= at + text.size()
           && std::equal(text.begin(), text.end(), bytes.begin() + ptrdiff_t(at),
                         [](char a, uint8_t b) { return uint8_t(a) == b; });
}

/// Length, type, data, check sum; IHDR's data are two sizes and five bytes.
void addPng(const Bytes& bytes, ImageStructure& structure)
{
    for (size_t at = 8; at + 12 <= bytes.size();) {
        const Field length{at, 4, true};
        structure.fields.push_back(length);
        if (begins(bytes, "IHDR", at + 4))
            for (const size_t offset : {8, 12})
                structure.fields.push_back({at + offset, 4, true});
        if (begins(bytes, "IHDR", at + 4))
            for (const size_t offset : {16, 17, 18, 19, 20})
                structure.fields.push_back({at + offset, 1, true});
        const uint64_t whole = numberAt(bytes, length) + 12;
        if (whole > bytes.size() - at)
            return;
        structure.parts.push_back({at, size_t(whole)});
        at += size_t(whole);
    }
}

/// A directory of a TIFF that begins at `base`, and those that follow it.
void addTiff(const Bytes& bytes, size_t base, ImageStructure& structure)
{
    const bool big = begins(bytes, "MM", base);
    Field offset{base + 4, 4, big};
    for (int directories = 0; directories < 4; ++directories) {
        structure.fields.push_back(offset);
        const size_t at = base + size_t(numberAt(bytes, offset));
        const Field count{at, 2, big};
        if (at + 2 > bytes.size() || at == base)
            return;
        structure.fields.push_back(count);
        const size_t entries = std::min<size_t>(size_t(numberAt(bytes, count)), 64);
        for (size_t i = 0; i < entries; ++i) {
            const size_t entry = at + 2 + 12 * i;
            structure.parts.push_back({entry, 12});
            structure.fields.push_back({entry, 2, big});      // tag
            structure.fields.push_back({entry + 2, 2, big});  // type
            structure.fields.push_back({entry + 4, 4, big});  // count
            structure.fields.push_back({entry + 8, 4, big});  // value or offset
        }
        offset = {at + 2 + 12 * entries, 4, big};
    }
}

/// Marker, length and contents of each segment up to the coded data.
void addJpeg(const Bytes& bytes, ImageStructure& structure)
{
    for (size_t at = 2; at + 4 <= bytes.size() && bytes[at] == 0xff;) {
        const uint8_t marker = bytes[at + 1];
        const Field length{at + 2, 2, true};
        structure.fields.push_back({at + 1, 1, true});
        structure.fields.push_back(length);
        if (marker >= 0xc0 && marker <= 0xcf)
            for (const Field& field :
                 {Field{at + 4, 1, true}, Field{at + 5, 2, true}, Field{at + 7, 2, true}, Field{at + 9, 1, true}})
                structure.fields.push_back(field);
        if (marker == 0xe1 && begins(bytes, "Exif", at + 4))
            addTiff(bytes, at + 10, structure);
        structure.parts.push_back({at, size_t(numberAt(bytes, length)) + 2});
        if (marker == 0xda)
            return;
        at += size_t(numberAt(bytes, length)) + 2;
    }
}

void addWebp(const Bytes& bytes, ImageStructure& structure)
{
    structure.fields.push_back({4, 4, false});
    for (size_t at = 12; at + 8 <= bytes.size();) {
        const Field length{at + 4, 4, false};
        structure.fields.push_back(length);
        for (size_t i = 0; i < 10; i += 2)  // sizes lie in the first bytes of VP8, VP8L and VP8X
            structure.fields.push_back({at + 8 + i, 2, false});
        const uint64_t whole = 8 + numberAt(bytes, length) + numberAt(bytes, length) % 2;
        if (whole > bytes.size() - at)
            return;
        structure.parts.push_back({at, size_t(whole)});
        at += size_t(whole);
    }
}

void addBmp(ImageStructure& structure)
{
    for (const size_t at : {2, 10, 14, 18, 22, 30, 34, 46})
        structure.fields.push_back({at, 4, false});
    for (const size_t at : {26, 28})
        structure.fields.push_back({at, 2, false});
}

void repairPng(Bytes& bytes)
{
    ImageStructure structure;
    addPng(bytes, structure);
    for (const Part& chunk : structure.parts) {
        const auto begin = bytes.begin() + ptrdiff_t(chunk.at);
        const Bytes body(begin + 4, begin + ptrdiff_t(chunk.bytes) - 4);
        write(bytes, {chunk.at + chunk.bytes - 4, 4, true}, image::crc32(body));
    }
}

}

ImageStructure structureOf(const Bytes& bytes)
{
    ImageStructure structure;
    if (begins(bytes, "\x89PNG"))
        addPng(bytes, structure);
    else if (begins(bytes, "\xff\xd8"))
        addJpeg(bytes, structure);
    else if (begins(bytes, "RIFF"))
        addWebp(bytes, structure);
    else if (begins(bytes, "BM"))
        addBmp(structure);
    else if (begins(bytes, "II") || begins(bytes, "MM"))
        addTiff(bytes, 0, structure);
    const auto beyond = [&](const Part& part) {
        return part.at >= bytes.size() || part.bytes > bytes.size() - part.at;
    };
    std::erase_if(structure.parts, beyond);
    return structure;
}

ImageMutator::ImageMutator(uint64_t seed, std::vector<Bytes> originals)
    : m_random(seed)
    , m_originals(std::move(originals))
{}

ImageMutator::Mutant ImageMutator::next()
{
    Mutant mutant;
    mutant.original = below(m_originals.size());
    mutant.bytes = m_originals[mutant.original];
    while (mutant.bytes == m_originals[mutant.original]) {
        for (size_t steps = 1 + below(2); steps > 0; --steps)
            step(mutant);
        // Of a change to a check sum alone nothing is left.
        if (begins(mutant.bytes, "\x89PNG") && below(4) != 0)
            repairPng(mutant.bytes);
    }
    return mutant;
}

void ImageMutator::step(Mutant& mutant)
{
    struct Kind {
        const char* name;
        void (ImageMutator::*change)(Bytes&);
    };
    // Edits of the structure come twice: they are what a decoder has to cope with most.
    static constexpr std::array<Kind, 14> kinds{{{"flip", &ImageMutator::flipBits},
                                                 {"set", &ImageMutator::setBytes},
                                                 {"cut", &ImageMutator::cut},
                                                 {"extend", &ImageMutator::extend},
                                                 {"remove", &ImageMutator::removePiece},
                                                 {"repeat", &ImageMutator::repeatPiece},
                                                 {"splice", &ImageMutator::splice},
                                                 {"text", &ImageMutator::editText},
                                                 {"field", &ImageMutator::editField},
                                                 {"field", &ImageMutator::editField},
                                                 {"field", &ImageMutator::editField},
                                                 {"part", &ImageMutator::editPart},
                                                 {"part", &ImageMutator::editPart},
                                                 {"flip", &ImageMutator::flipBits}}};
    const Kind& kind = kinds[below(kinds.size())];
    (this->*kind.change)(mutant.bytes);
    mutant.steps += (mutant.steps.empty() ? "" : " ") + std::string(kind.name);
}

size_t ImageMutator::somewhere(const Bytes& bytes)
{
    return below(below(2) == 0 ? std::min<size_t>(bytes.size(), 256) : bytes.size());
}

void ImageMutator::flipBits(Bytes& bytes)
{
    for (size_t flips = 1 + below(8); flips > 0 && !bytes.empty(); --flips)
        bytes[somewhere(bytes)] ^= uint8_t(1u << below(8));
}

void ImageMutator::setBytes(Bytes& bytes)
{
    constexpr std::array<uint8_t, 6> extremes{0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff};
    const uint8_t value = extremes[below(extremes.size())];
    const size_t at = somewhere(bytes);
    for (size_t i = at; i < std::min(bytes.size(), at + 1 + below(16)); ++i)
        bytes[i] = value;
}

void ImageMutator::cut(Bytes& bytes)
{
    bytes.resize(somewhere(bytes));
}

void ImageMutator::extend(Bytes& bytes)
{
    for (size_t more = 1 + below(200); more > 0; --more)
        bytes.push_back(uint8_t(m_random()));
}

void ImageMutator::removePiece(Bytes& bytes)
{
    const size_t at = somewhere(bytes), count = std::min(bytes.size() - at, 1 + below(64));
    bytes.erase(bytes.begin() + ptrdiff_t(at), bytes.begin() + ptrdiff_t(at + count));
}

void ImageMutator::repeatPiece(Bytes& bytes)
{
    const size_t at = somewhere(bytes), count = std::min(bytes.size() - at, 1 + below(256));
    const Bytes piece(bytes.begin() + ptrdiff_t(at), bytes.begin() + ptrdiff_t(at + count));
    bytes.insert(bytes.begin() + ptrdiff_t(at), piece.begin(), piece.end());
}

/// The beginning of this one and the end of another.
void ImageMutator::splice(Bytes& bytes)
{
    const Bytes& other = m_originals[below(m_originals.size())];
    bytes.resize(somewhere(bytes));
    bytes.insert(bytes.end(), other.begin() + ptrdiff_t(below(other.size())), other.end());
}

uint64_t ImageMutator::extremeNumber(uint64_t current, size_t fileBytes)
{
    const std::array<uint64_t, 14> numbers{
        0,    1,    current + 1, current - 1, current * 2, fileBytes,  fileBytes + 1,
        0x7f, 0xff, 0x7fff,      0xffff,      0x7fffffff,  0xffffffff, m_random()};
    return numbers[below(numbers.size())];
}

void ImageMutator::editField(Bytes& bytes)
{
    const ImageStructure structure = structureOf(bytes);
    if (structure.fields.empty())
        return flipBits(bytes);
    const Field& field = structure.fields[below(structure.fields.size())];
    write(bytes, field, extremeNumber(numberAt(bytes, field), bytes.size()));
}

void ImageMutator::editPart(Bytes& bytes)
{
    const ImageStructure structure = structureOf(bytes);
    if (structure.parts.empty())
        return removePiece(bytes);
    const auto copyOf = [&](const Part& part) {
        const auto begin = bytes.begin() + ptrdiff_t(part.at);
        return Bytes(begin, begin + ptrdiff_t(part.bytes));
    };
    const Part part = structure.parts[below(structure.parts.size())];
    const Bytes other = copyOf(structure.parts[below(structure.parts.size())]);
    const auto begin = bytes.begin() + ptrdiff_t(part.at), end = begin + ptrdiff_t(part.bytes);
    switch (below(3)) {
    case 0:
        bytes.erase(begin, end);
        break;
    case 1:
        bytes.insert(begin, other.begin(), other.end());
        break;
    default:
        bytes.insert(bytes.erase(begin, end), other.begin(), other.end());
        break;
    }
}

/// Numbers written in digits, as in a PNM's header.
void ImageMutator::editText(Bytes& bytes)
{
    constexpr std::array<std::string_view, 8> numbers{
        "0", "-1", "1", "65535", "65536", "2147483647", "99999999999999999999", "#"};
    const auto isDigit = [](uint8_t c) { return c >= '0' && c <= '9'; };
    const auto start = bytes.begin() + ptrdiff_t(std::min<size_t>(2 + below(12), bytes.size()));
    const auto first = std::find_if(start, bytes.end(), isDigit),
               last = std::find_if_not(first, bytes.end(), isDigit);
    const std::string_view number = numbers[below(numbers.size())];
    bytes.insert(bytes.erase(first, last), number.begin(), number.end());
}

}

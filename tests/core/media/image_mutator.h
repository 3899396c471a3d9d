#pragma once

#include "tests/core/media/image_bytes.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace attnscope::test {

/// A number that a format stores: a length, a size, a count, an offset. Editing those gets deeper than flipping
/// bits anywhere.
struct Field {
    size_t at = 0;
    int bytes = 4;
    bool bigEndian = false;
};

/// A chunk, segment or directory entry, header included.
struct Part {
    size_t at = 0;
    size_t bytes = 0;
};

/// What a mutator needs to know of an image's structure; empty for what is no image.
struct ImageStructure {
    std::vector<Field> fields;
    std::vector<Part> parts;
};

/// Structure of JPEG (segments), PNG and WebP (chunks), TIFF (directory entries, EXIF's in JPEG too) and BMP. As
/// far as it goes: the bytes may be mutated ones.
ImageStructure structureOf(const image::Bytes& bytes);

/// Makes damaged images out of good ones: flipped bits, bytes of extreme value, truncation, garbage behind,
/// holes, repetitions, chunks of other images; edited fields; parts dropped, repeated or exchanged; numbers of a
/// PNM's header. Check sums of a PNG are made right again three times out of four, else hardly anything would get
/// past them. The same seed gives the same images.
class ImageMutator {
public:
    ImageMutator(uint64_t seed, std::vector<image::Bytes> originals);

    struct Mutant {
        image::Bytes bytes;
        size_t original = 0;
        std::string steps;  ///< "field@16 truncate"
    };
    Mutant next();

private:
    void step(Mutant& mutant);
    void flipBits(image::Bytes& bytes);
    void setBytes(image::Bytes& bytes);
    void cut(image::Bytes& bytes);
    void extend(image::Bytes& bytes);
    void removePiece(image::Bytes& bytes);
    void repeatPiece(image::Bytes& bytes);
    void splice(image::Bytes& bytes);
    void editField(image::Bytes& bytes);
    void editPart(image::Bytes& bytes);
    void editText(image::Bytes& bytes);

    size_t below(size_t count) { return count == 0 ? 0 : m_random() % count; }
    uint64_t extremeNumber(uint64_t current, size_t fileBytes);
    /// A place, near the start half of the time: that is where the headers are.
    size_t somewhere(const image::Bytes& bytes);

    std::mt19937_64 m_random;
    std::vector<image::Bytes> m_originals;
};

}

#include "core/archive/parquet_pages.h"

#include "core/archive/thrift_compact.h"
#include "core/base/error.h"
#include "core/base/first_bytes.h"

#include <algorithm>
#include <array>
#include <bit>
#ifdef ATTNSCOPE_SNAPPY
#include <snappy.h>
#endif
#ifdef ATTNSCOPE_ZLIB
#include <zlib.h>
#endif
#ifdef ATTNSCOPE_ZSTD
#include <zstd.h>
#endif

namespace attnscope::parquet {

namespace {

using Bytes = std::span<const uint8_t>;

constexpr int64_t largestPage = int64_t{1} << 30, largestHeader = int64_t{16} << 20;
/// Gzip packs at most 1,032 bytes into one, snappy less; zstd more, but not of what data sets consist of. A page that claims more than this
/// is refused before memory is allocated, unless it is small.
constexpr int64_t largestRatio = 1040, smallPage = int64_t{4} << 20;

constexpr std::array encodings{
    "PLAIN",          "GROUP_VAR_INT",       "PLAIN_DICTIONARY",        "RLE",
    "BIT_PACKED",     "DELTA_BINARY_PACKED", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY",
    "RLE_DICTIONARY", "BYTE_STREAM_SPLIT"};

struct Codec {
    const char* name;
    const char* library = nullptr;  // Debian's package; null: not read at all
};
enum CodecNumber : int64_t { Uncompressed = 0, Snappy = 1, Gzip = 2, Zstd = 6 };
constexpr std::array codecs{Codec{"nothing"},
                            Codec{"snappy", "libsnappy-dev"},
                            Codec{"gzip", "zlib1g-dev"},
                            Codec{"LZO"},
                            Codec{"brotli"},
                            Codec{"LZ4"},
                            Codec{"zstd", "libzstd-dev"},
                            Codec{"LZ4"}};

[[noreturn]] void refuseCodec(const ByteSource& file, int64_t number)
{
    const Codec codec = number >= 0 && number < std::ssize(codecs) ? codecs[size_t(number)]
                                                                   : Codec{"an unknown codec"};
    if (codec.library != nullptr)
        throw Unsupported(file.name(),
                          std::string("its pages are packed with ") + codec.name
                              + ", and this program was built without " + codec.library,
                          "install it and build again, or save the table without compression");
    refuse(file, std::string("its pages are packed with ") + codec.name, "save it with snappy, gzip or zstd");
}

#ifdef ATTNSCOPE_ZLIB
bool inflateAll(Bytes packed, std::vector<uint8_t>& bytes)
{
    z_stream stream{};
    if (inflateInit2(&stream, 32 + MAX_WBITS) != Z_OK)
        return false;
    stream.next_in = const_cast<uint8_t*>(packed.data());
    stream.avail_in = uInt(packed.size());
    stream.next_out = bytes.data();
    stream.avail_out = uInt(bytes.size());
    const bool ended = inflate(&stream, Z_FINISH) == Z_STREAM_END;
    inflateEnd(&stream);
    return ended && stream.avail_out == 0;
}
#endif

std::vector<uint8_t> unpack(const ByteSource& file, int64_t codec, Bytes packed, int64_t unpacked)
{
    if (codec == Uncompressed)
        return {packed.begin(), packed.end()};
    if (unpacked > std::max(smallPage, largestRatio * std::ssize(packed)))
        refuse(file, "it has a page of " + std::to_string(packed.size()) + " bytes that is said to unpack to "
                         + std::to_string(unpacked));
    std::vector<uint8_t> bytes(static_cast<size_t>(unpacked));
    const auto in = reinterpret_cast<const char*>(packed.data());
    const auto out = reinterpret_cast<char*>(bytes.data());
    bool whole = false;
    switch (codec) {
#ifdef ATTNSCOPE_SNAPPY
    case Snappy: {
        size_t length = 0;
        whole = snappy::GetUncompressedLength(in, packed.size(), &length) && length == bytes.size()
                && snappy::RawUncompress(in, packed.size(), out);
        break;
    }
#endif
#ifdef ATTNSCOPE_ZLIB
    case Gzip:
        whole = inflateAll(packed, bytes);
        break;
#endif
#ifdef ATTNSCOPE_ZSTD
    case Zstd:
        whole = ZSTD_decompress(out, bytes.size(), in, packed.size()) == bytes.size();
        break;
#endif
    default:
        refuseCodec(file, codec);
    }
    if (!whole && unpacked > 0)  // of no bytes some writers pack nothing
        refuse(file, "one of its pages cannot be unpacked");
    return bytes;
}

Bytes take(const ByteSource& file, Bytes& bytes, uint64_t count)
{
    if (count > bytes.size())
        refuse(file, "one of its pages ends too early");
    const Bytes taken = bytes.first(size_t(count));
    bytes = bytes.subspan(size_t(count));
    return taken;
}

uint64_t takeLength(const ByteSource& file, Bytes& bytes)
{
    return integerOf(take(file, bytes, 4), std::endian::little);
}

/// Numbers of `width` bits, in runs of one number and groups of eight packed ones (parquet-format, Encodings.md, RLE).
std::vector<uint32_t> readHybrid(const ByteSource& file, Bytes bytes, int width, int64_t count)
{
    std::vector<uint32_t> numbers;
    numbers.reserve(size_t(count));
    while (std::ssize(numbers) < count) {
        const uint64_t head = readVarint(bytes).value_or(0), left = uint64_t(count) - numbers.size();
        if (head < 2)
            refuse(file, "one of its pages has an invalid run of values");
        if ((head & 1) == 0) {
            const uint64_t number = integerOf(take(file, bytes, uint64_t(width + 7) / 8), std::endian::little);
            numbers.resize(numbers.size() + size_t(std::min(head >> 1, left)), uint32_t(number));
            continue;
        }
        const uint64_t groups = std::min(head >> 1, (left + 7) / 8);
        Bytes packed = take(file, bytes, groups * uint64_t(width));
        uint64_t window = 0;
        int held = 0;
        for (uint64_t i = 0; i < std::min(8 * groups, left); ++i) {
            for (; held < width; held += 8)
                window |= take(file, packed, 1).front() * (uint64_t{1} << held);
            numbers.push_back(uint32_t(window & ((uint64_t{1} << width) - 1)));
            window >>= width;
            held -= width;
        }
    }
    return numbers;
}

void checkEncoding(const ByteSource& file, int64_t encoding, std::initializer_list<int64_t> allowed)
{
    if (std::ranges::find(allowed, encoding) != allowed.end())
        return;
    const bool known = encoding >= 0 && encoding < std::ssize(encodings);
    refuse(file, std::string("its values are encoded as ") + (known ? encodings[size_t(encoding)] : "unknown"),
           "save it with plain or dictionary encoding, as the Hub does");
}

/// `at`: where the header ends; `left`: rows that no page before it has.
Page pageOf(const ByteSource& file, const ThriftValue& header, const Chunk& chunk, int64_t at, int64_t left)
{
    Page page;
    page.kind = PageKind(header[1].number);
    page.offset = at;
    page.unpacked = header[2].number;
    page.packed = header[3].number;
    const bool isDictionary = page.kind == PageKind::Dictionary, isSecond = page.kind == PageKind::DataV2;
    const ThriftValue& details = header[isDictionary ? 7 : isSecond ? 8 : 5];
    page.values = details[1].number;
    page.encoding = details[isSecond ? 4 : 2].number;
    page.levelBytes = details[5].number;
    page.isPacked = chunk.codec != Uncompressed && (!details.has(7) || details[7].number != 0);
    if (page.packed < 0 || page.packed > std::min(largestPage, chunk.end - at) || page.unpacked < 0
        || page.unpacked > largestPage || page.levelBytes < 0
        || page.levelBytes > std::min(page.packed, page.unpacked)
        || (!page.isPacked && page.packed != page.unpacked) || details[6].number != 0)
        refuse(file, "the size of one of its pages does not fit");
    if (page.kind == PageKind::Index)
        return page;
    if (page.values < 0 || (isDictionary ? page.values > page.unpacked : page.values > left))
        refuse(file, "one of its pages has more values than rows");
    checkEncoding(file, page.encoding, {Plain, PlainDictionary, isDictionary ? Plain : RleDictionary});
    if (page.kind == PageKind::Data && chunk.levels > 0)
        checkEncoding(file, details[3].number, {Rle});
    return page;
}

}

void refuse(const ByteSource& file, const std::string& problem, std::string_view remedy)
{
    throw FileError(file.name(), problem, remedy);
}

std::vector<uint8_t> bytesAt(const ByteSource& file, int64_t offset, int64_t count)
{
    std::vector<uint8_t> bytes(static_cast<size_t>(count));
    file.read(offset, std::as_writable_bytes(std::span(bytes)));
    return bytes;
}

std::vector<Page> pagesOf(const ByteSource& file, const Chunk& chunk)
{
    std::vector<Page> pages;
    int64_t at = chunk.begin, rows = 0;
    // A header may contain a page's least and greatest value, so how long it is comes out only at its end.
    for (int64_t window = 256; rows < chunk.rows;) {
        const int64_t available = std::min(window, chunk.end - at);
        const std::vector<uint8_t> bytes = bytesAt(file, at, available);
        Bytes rest = bytes;
        const auto header = readThrift(rest);
        if (!header && available == window && window < largestHeader) {
            window *= 16;
            continue;
        }
        const auto kind = header ? (*header)[1].number : -1;
        if (kind < 0 || kind > int64_t(PageKind::DataV2)
            || (kind == int64_t(PageKind::Dictionary) && !pages.empty()))
            refuse(file, "one of its columns ends before its rows do or has an invalid page");
        const Page page = pageOf(file, *header, chunk, at + available - std::ssize(rest), chunk.rows - rows);
        at = page.offset + page.packed;
        if (page.kind != PageKind::Index)
            pages.push_back(page);
        if (page.kind == PageKind::Data || page.kind == PageKind::DataV2)
            rows += page.values;
    }
    return pages;
}

std::shared_ptr<const Values> valuesOf(const ByteSource& file, const Chunk& chunk, const Page& page,
                                       std::shared_ptr<const Values> dictionary)
{
    const std::vector<uint8_t> packed = bytesAt(file, page.offset, page.packed);
    Bytes rest = packed;
    Bytes levelBytes = take(file, rest, uint64_t(page.levelBytes));
    const auto result = std::make_shared<Values>();
    result->bytes = unpack(file, page.isPacked ? chunk.codec : Uncompressed, rest,
                           page.unpacked - page.levelBytes);
    result->dictionary = std::move(dictionary);
    rest = result->bytes;
    std::vector<uint32_t> levels;
    if (page.kind != PageKind::Dictionary && chunk.levels > 0) {
        if (page.kind == PageKind::Data)
            levelBytes = take(file, rest, takeLength(file, rest));
        levels = readHybrid(file, levelBytes, int(std::bit_width(uint64_t(chunk.levels))), page.values);
    }
    const int64_t present = levels.empty() ? page.values : std::ranges::count(levels, uint32_t(chunk.levels));
    std::vector<uint32_t> numbers;
    if (page.kind != PageKind::Dictionary && page.encoding != Plain && present > 0) {
        const int width = take(file, rest, 1).front();
        if (width > 32 || !result->dictionary)
            refuse(file, "one of its pages refers to a dictionary that is not there");
        numbers = readHybrid(file, rest, width, present);
    }
    auto number = numbers.begin();
    const auto next = [&]() -> std::string_view {
        if (!numbers.empty()) {
            if (*number >= result->dictionary->values.size())
                refuse(file, "one of its pages refers to a value that its dictionary does not have");
            return result->dictionary->values[*number++];
        }
        const uint64_t size = chunk.type == ByteArray ? takeLength(file, rest) : chunk.type == Int64 ? 8 : 4;
        const Bytes value = take(file, rest, size);
        return {reinterpret_cast<const char*>(value.data()), value.size()};
    };
    for (int64_t i = 0; i < page.values; ++i)
        result->values.push_back(
            levels.empty() || levels[size_t(i)] == uint32_t(chunk.levels) ? next() : std::string_view());
    return result;
}

}

#include "core/archive/gzip.h"

#include "core/base/error.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace attnscope {

namespace {

constexpr size_t inputBytes = 65'536, historyBytes = 32'768;
constexpr int rawFormat = -15, gzipFormat = 15 + 16;  // of the window's size, as zlib wants it
/// A sample costs the unpacking of this much where no other one did.
constexpr int64_t minimumSpacing = int64_t{1} << 20;
/// Of a file, each of 32 KiB.
constexpr int64_t maximumPoints = 4096;
/// zlib ends a block after 4 MiB; more than this would have to be unpacked at once.
constexpr int64_t largestBlock = int64_t{64} << 20;
constexpr size_t keptBlocks = 16;
constexpr int64_t trailerBytes = 8, shortestMember = 18;

Bytef* zlibBytes(std::span<const std::byte> bytes)
{
    return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

uInt atMost(size_t bytes)
{
    return uInt(std::min(bytes, size_t(std::numeric_limits<int>::max())));
}

}

GzipReader::GzipReader(std::shared_ptr<const ByteSource> file, const GzipPoint& from,
                       std::vector<GzipPoint>* found)
    : m_file(std::move(file))
    , m_found(found)
    , m_stream(std::make_unique<z_stream>())
    , m_input(inputBytes)
    , m_read(from.packed)
    , m_unpacked(from.unpacked)
    , m_raw(!from.history.empty())
{
    if (inflateInit2(m_stream.get(), m_raw ? rawFormat : gzipFormat) != Z_OK)
        throw std::bad_alloc();
    if (!m_raw)
        return;
    if (from.bits > 0) {
        std::byte before{};
        m_file->read(from.packed - 1, {&before, 1});
        inflatePrime(m_stream.get(), int(from.bits), int(before) >> (8 - from.bits));
    }
    inflateSetDictionary(m_stream.get(), from.history.data(), uInt(from.history.size()));
}

GzipReader::~GzipReader()
{
    inflateEnd(m_stream.get());
}

void GzipReader::fill()
{
    const auto count = size_t(std::min(int64_t(m_input.size()), m_file->size() - m_read));
    if (count == 0)
        throw FileError(m_file->name(), "it is cut off", "copy or download it again");
    const std::span<uint8_t> input(m_input.data(), count);
    m_file->read(m_read, std::as_writable_bytes(input));
    m_read += int64_t(count);
    m_stream->next_in = m_input.data();
    m_stream->avail_in = uInt(count);
}

void GzipReader::nextMember()
{
    m_read += (m_raw ? trailerBytes : 0) - int64_t(m_stream->avail_in);
    m_stream->avail_in = 0;
    m_raw = false;
    m_ended = m_file->size() - m_read < shortestMember;
    std::array<std::byte, 2> magic{};
    if (!m_ended)
        m_file->read(m_read, magic);
    // Zeros, or whatever else gzip passes over.
    m_ended = m_ended || magic != std::array{std::byte{0x1f}, std::byte{0x8b}};
    inflateReset2(m_stream.get(), gzipFormat);
}

size_t GzipReader::read(std::span<std::byte> out)
{
    size_t filled = 0;
    while (filled < out.size() && !m_ended) {
        if (m_stream->avail_in == 0)
            fill();
        m_stream->next_out = zlibBytes(out.subspan(filled));
        const uInt room = atMost(out.size() - filled);
        m_stream->avail_out = room;
        const int result = inflate(m_stream.get(), m_found != nullptr ? Z_BLOCK : Z_NO_FLUSH);
        filled += room - m_stream->avail_out;
        m_unpacked += room - m_stream->avail_out;
        constexpr int border = 128, last = 64;  // after a block, or a member's header
        bool isPoint = (m_stream->data_type & (border | last)) == border && m_stream->total_out > 0;
        if (result == Z_STREAM_END) {
            nextMember();
            isPoint = !m_ended;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            throw FileError(m_file->name(), "its compressed data is damaged", "copy or download it again");
        }
        if (m_found != nullptr && isPoint)
            addPoint();
    }
    return filled;
}

void GzipReader::addPoint()
{
    const int64_t after = m_unpacked - m_found->back().unpacked;
    const int64_t spacing = std::max(minimumSpacing, m_file->size() / maximumPoints);
    if (after > spacing + largestBlock)
        throw FileError(m_file->name(), "it has compressed blocks of more than 64 MiB",
                        "compress it again with gzip");
    if (after < spacing)
        return;
    GzipPoint point{m_unpacked, m_read - int64_t(m_stream->avail_in), m_stream->data_type & 7, {}};
    point.history.resize(historyBytes);
    uInt count = 0;
    inflateGetDictionary(m_stream.get(), point.history.data(), &count);
    point.history.resize(count);
    m_found->push_back(std::move(point));
}

GzipSource::GzipSource(const std::filesystem::path& file, const std::vector<GzipPoint>& points)
    : m_name(file.string())
    , m_points(points)
{}

std::shared_ptr<const GzipSource::Block> GzipSource::block(size_t number) const
{
    std::shared_ptr<Block> block;
    {
        const std::scoped_lock lock(m_mutex);
        const auto known = std::ranges::find(m_blocks, number, [](const auto& kept) { return kept.first; });
        if (known != m_blocks.end()) {
            block = known->second;
            std::rotate(m_blocks.begin(), known, known + 1);
        } else {
            block = std::make_shared<Block>();
            m_blocks.emplace(m_blocks.begin(), number, block);
            if (m_blocks.size() > keptBlocks)
                m_blocks.pop_back();
        }
    }
    const GzipPoint& from = m_points[number];
    const auto size = size_t(m_points[number + 1].unpacked - from.unpacked);
    std::call_once(block->once, [&] {
        std::vector<std::byte> bytes(size);
        if (GzipReader(openFile(m_name), from).read(bytes) != size)
            throw FileError(m_name, "its compressed data is damaged", "copy or download it again");
        block->bytes = std::move(bytes);
    });
    return block;
}

void GzipSource::read(int64_t offset, std::span<std::byte> out) const
{
    while (!out.empty()) {
        if (offset < 0 || offset >= size())
            throw FileError(m_name, "it ends before its data does", "copy or download it again");
        const auto next = std::ranges::upper_bound(m_points, offset, {}, &GzipPoint::unpacked);
        const auto from = block(size_t(next - m_points.begin()) - 1);
        const auto start = size_t(offset - (next - 1)->unpacked);
        const size_t count = std::min(out.size(), from->bytes.size() - start);
        std::copy_n(from->bytes.begin() + ptrdiff_t(start), count, out.begin());
        out = out.subspan(count);
        offset += int64_t(count);
    }
}

bool inflateAll(std::span<const std::byte> packed, std::span<std::byte> out)
{
    z_stream stream{};
    if (inflateInit2(&stream, rawFormat) != Z_OK)
        throw std::bad_alloc();
    stream.next_in = zlibBytes(packed);
    stream.avail_in = atMost(packed.size());
    std::byte none{};
    stream.next_out = zlibBytes(out.empty() ? std::span(&none, 1) : out);
    stream.avail_out = atMost(out.size());
    const bool whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return whole && out.size() <= size_t(std::numeric_limits<int>::max());
}

uint32_t crc32Of(std::span<const std::byte> bytes)
{
    return uint32_t(crc32_z(0, zlibBytes(bytes), bytes.size()));
}

}

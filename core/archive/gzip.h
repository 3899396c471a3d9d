#pragma once

#include "core/archive/listing.h"
#include "core/checkpoint/state_dict.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

struct z_stream_s;

namespace attnscope {

/// Unpacks a gzip file, also one of several members, from one of its points on.
class GzipReader {
public:
    GzipReader(std::shared_ptr<const ByteSource> file, const GzipPoint& from);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Fills `out` as far as there are bytes, and returns how many. `atBlock`, unless empty, is called at each border of two blocks with
    /// the place there. Throws FileError: damaged or cut off.
    size_t read(std::span<std::byte> out, const std::function<void()>& atBlock = {});
    /// Where it stands, at a border of two blocks.
    GzipPoint point() const;
    int64_t unpacked() const { return m_unpacked; }

private:
    void fill();
    void nextMember();

    std::shared_ptr<const ByteSource> m_file;
    std::unique_ptr<z_stream_s> m_stream;
    std::vector<uint8_t> m_input;
    int64_t m_read = 0;  ///< of the file
    int64_t m_unpacked = 0;
    bool m_raw = false;  ///< without a header, and so without a checksum at the end
    bool m_ended = false;
};

/// Unpacks a gzip file once from its beginning, and keeps points from which it can be unpacked later.
class GzipIndexer {
public:
    explicit GzipIndexer(std::shared_ptr<const ByteSource> file);
    size_t read(std::span<std::byte> out);
    /// After the last byte was read.
    std::vector<GzipPoint> finish();

private:
    std::string m_name;
    GzipReader m_reader;
    std::vector<GzipPoint> m_points;
    int64_t m_spacing;
};

/// A gzip file by its points, unpacked: reads at any place, from any thread. What was unpacked last is kept.
class GzipSource : public ByteSource {
public:
    GzipSource(std::filesystem::path file, const std::vector<GzipPoint>& points);
    int64_t size() const override { return m_points.back().unpacked; }
    const std::string& name() const override { return m_name; }
    void read(int64_t offset, std::span<std::byte> out) const override;

private:
    struct Block {
        std::once_flag once;
        std::vector<std::byte> bytes;
    };
    std::shared_ptr<const Block> block(size_t number) const;

    std::string m_name;
    const std::vector<GzipPoint>& m_points;
    mutable std::mutex m_mutex;
    mutable std::vector<std::pair<size_t, std::shared_ptr<Block>>> m_blocks;  ///< the latest first
};

/// Fills `out`, which must have the unpacked size, with what `packed` holds; false if that is damaged.
bool inflateAll(std::span<const std::byte> packed, std::span<std::byte> out);
/// The checksum of zip archives.
uint32_t crc32Of(std::span<const std::byte> bytes);

}

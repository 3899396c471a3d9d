#pragma once

#include "core/archive/listing.h"
#include "core/checkpoint/state_dict.h"

#include <cstdint>
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
    /// `found`, unless null, gets the points on the way.
    GzipReader(std::shared_ptr<const ByteSource> file, const GzipPoint& from,
               std::vector<GzipPoint>* found = nullptr);
    ~GzipReader();
    GzipReader(const GzipReader&) = delete;
    GzipReader& operator=(const GzipReader&) = delete;

    /// Fills `out` as far as there are bytes, and returns how many. Throws FileError: damaged or cut off.
    size_t read(std::span<std::byte> out);
    int64_t unpacked() const { return m_unpacked; }

private:
    void fill();
    void nextMember();
    void addPoint();

    std::shared_ptr<const ByteSource> m_file;
    std::vector<GzipPoint>* m_found;
    std::unique_ptr<z_stream_s> m_stream;
    std::vector<uint8_t> m_input;
    int64_t m_read = 0;  ///< of the file
    int64_t m_unpacked = 0;
    bool m_raw = false;  ///< without a header, and so without a checksum at the end
    bool m_ended = false;
};

/// A gzip file by its points, unpacked: reads at any place, from any thread. What was unpacked last is kept.
class GzipSource : public ByteSource {
public:
    GzipSource(const std::filesystem::path& file, const std::vector<GzipPoint>& points);
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

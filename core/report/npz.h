#pragma once

#include "core/base/atomic_file.h"

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// Arrays for `numpy.load`: a zip archive of uncompressed .npy files (NumPy's format 1.0), little-endian, in C order. All functions throw
/// FileError.
class NpzFile {
public:
    explicit NpzFile(const std::filesystem::path& target);

    /// `values` must fill `shape`.
    template <typename Number>
    requires std::integral<Number> || std::floating_point<Number>
    void add(const std::string& name, const std::vector<int64_t>& shape, const std::vector<Number>& values)
    {
        constexpr char kind = std::floating_point<Number> ? 'f' : 'i';
        addArray(name, std::string{'<', kind} + std::to_string(sizeof(Number)), shape,
                 std::as_bytes(std::span(values)));
    }
    /// One dimension of texts, which must be UTF-8.
    void add(const std::string& name, const std::vector<std::string>& texts);
    /// Throws unless an array of so many bytes still fits.
    void requireRoom(uint64_t bytes) const;
    /// Until then the file does not appear.
    void commit();

private:
    struct Entry {
        std::string name;
        uint32_t checksum = 0, size = 0, offset = 0;
    };

    void addArray(const std::string& name, const std::string& type, const std::vector<int64_t>& shape,
                  std::span<const std::byte> values);
    /// The fields that an entry's header and the directory share.
    static void appendFields(const Entry& entry, std::string& record);
    void write(std::string_view bytes);

    std::string m_name;
    AtomicFile m_file;
    uint64_t m_written = 0;
    std::vector<Entry> m_entries;
};

}

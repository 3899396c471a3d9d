#pragma once

#include "core/base/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// One file of a cache of image crops: a header of one page, slots of equal size, and an index with the key and checksum of each slot. It
/// is written under another name and renamed when complete; after that it never changes. Numbers are in native representation.
namespace attnscope {

constexpr const char* cropFileSuffix = ".crops";
constexpr const char* unfinishedCropFileSuffix = ".part";

/// Reader. Contents are trusted only as far as checksums go. Thread-safe.
class CropFile {
public:
    struct Entry {
        std::string key;
        uint64_t checksum = 0;
    };

    /// Empty if the file is damaged or was written by another version. Throws std::system_error if it can't be opened.
    static std::optional<CropFile> open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    /// The writer's description of how its crops are made.
    const std::string& description() const { return m_description; }
    uint64_t cropBytes() const { return m_cropBytes; }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// False if the bytes are not those that were written.
    bool read(size_t slot, std::span<uint8_t> crop) const;
    /// Marks the file as recently used.
    void touch() const;

private:
    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::string m_description;
    uint64_t m_cropBytes = 0;
    std::vector<Entry> m_entries;
};

/// Writer. Its unfinished file is locked during its lifetime and removed with it; an unlocked one was left by a process that ended.
class CropFileWriter {
public:
    /// The file's name starts with `stem`. Throws std::system_error, like `add` and `finish`.
    CropFileWriter(const std::filesystem::path& folder, const std::string& stem, std::string description,
                   uint64_t cropBytes);
    ~CropFileWriter();
    CropFileWriter(const CropFileWriter&) = delete;
    CropFileWriter& operator=(const CropFileWriter&) = delete;

    /// The size of a file with this many crops, without its index.
    static int64_t bytesOf(size_t count, uint64_t cropBytes);
    size_t count() const { return m_entries.size(); }
    void add(std::string key, std::span<const uint8_t> crop);
    /// Renames the file to its final name; nothing can be added afterwards.
    std::filesystem::path finish();

    /// Removes unfinished files that are no longer being written.
    static void removeAbandoned(const std::filesystem::path& folder);

private:
    std::string m_part;  ///< name while unfinished; empty afterwards
    FileDescriptor m_file;
    std::string m_description;
    uint64_t m_cropBytes;
    std::vector<CropFile::Entry> m_entries;
};

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// One file of a cache of pictures' crops: a header of a page, slots of equal size, and an index with the key and checksum of each slot. It
/// is written under another name and renamed once it is whole; from then on it is never changed. Numbers are this machine's own.
namespace attnscope {

constexpr const char* cropFileSuffix = ".crops";
constexpr const char* unfinishedCropFileSuffix = ".part";

/// Reads. What is in the file is believed only as far as checksums go. Safe from several threads.
class CropFile {
public:
    struct Entry {
        std::string key;
        std::uint64_t checksum = 0;
    };

    /// Empty when the file is damaged, or was made by another version. Throws std::system_error when it cannot be opened.
    static std::optional<CropFile> open(const std::filesystem::path& path);

    const std::filesystem::path& path() const { return m_path; }
    /// What the writer said of how its crops are made.
    const std::string& description() const { return m_description; }
    std::uint64_t cropBytes() const { return m_cropBytes; }
    const std::vector<Entry>& entries() const { return m_entries; }
    /// False when the bytes are not those that were written.
    bool read(std::size_t slot, std::span<std::uint8_t> crop) const;
    /// Notes that it is of use, for those who look for room.
    void touch() const;

private:
    std::filesystem::path m_path;
    FileDescriptor m_file;
    std::string m_description;
    std::uint64_t m_cropBytes = 0;
    std::vector<Entry> m_entries;
};

/// Writes. Its unfinished file is locked as long as it lives and removed with it; one that is not locked was left by a process that ended.
class CropFileWriter {
public:
    /// `stem` begins the file's name. Throws std::system_error, as `add` and `finish` do.
    CropFileWriter(const std::filesystem::path& folder, const std::string& stem, std::string description,
                   std::uint64_t cropBytes);
    ~CropFileWriter();
    CropFileWriter(const CropFileWriter&) = delete;
    CropFileWriter& operator=(const CropFileWriter&) = delete;

    /// What a file of so many crops takes, but for its index.
    static std::int64_t bytesOf(std::size_t count, std::uint64_t cropBytes);
    std::size_t count() const { return m_entries.size(); }
    void add(std::string key, std::span<const std::uint8_t> crop);
    /// Gives the file its name; nothing can be added any more.
    std::filesystem::path finish();

    /// Removes unfinished files that nobody writes any more.
    static void removeAbandoned(const std::filesystem::path& folder);

private:
    std::string m_part;  ///< its name while it is unfinished; empty afterwards
    FileDescriptor m_file;
    std::string m_description;
    std::uint64_t m_cropBytes;
    std::vector<CropFile::Entry> m_entries;
};

}  // namespace attnscope

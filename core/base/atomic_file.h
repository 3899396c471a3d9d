#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

/// A file that appears completely or not at all: written next to its target, synced and renamed. Without `commit` nothing appears.
class AtomicFile {
public:
    /// Throws FileError if the folder is not writable.
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Throws FileError (a full disk).
    void write(std::span<const std::byte> bytes);
    /// Replaces what was written at `offset`: for headers with counts that are known at the end. Throws FileError.
    void rewrite(int64_t offset, std::span<const std::byte> bytes);
    /// Throws FileError.
    void commit();

private:
    [[noreturn]] void fail(const std::string& problem);

    std::filesystem::path m_target;
    std::string m_temporary;
    int m_file = -1;
};

/// Checks before long work that a file can be written there, by creating and removing one next to it. Throws FileError if the folder is not
/// writable, or `target` is a folder itself.
void requireWritable(const std::filesystem::path& target);

/// Creates the folder and those above it, as far as they are not there. Throws FileError with that remedy.
void createFolders(const std::filesystem::path& folder, std::string_view remedy = "choose a writable folder");

/// Writes a text at once. Throws FileError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

}

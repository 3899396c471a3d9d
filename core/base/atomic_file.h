// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace attnscope {

/// A file that appears whole or not at all: written beside its place, synced and renamed. Without `commit` nothing appears.
class AtomicFile {
public:
    /// Throws FileError when the folder cannot be written.
    explicit AtomicFile(const std::filesystem::path& target);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Throws FileError (a full disk).
    void write(std::span<const std::byte> bytes);
    /// Throws FileError.
    void commit();

private:
    [[noreturn]] void fail(const std::string& problem);

    std::filesystem::path m_target;
    std::string m_temporary;
    int m_descriptor = -1;
};

/// Whether a file could be written there at the end of long work: makes one beside it and takes it away again. Throws FileError when the
/// folder cannot be written, or `target` is a folder itself.
void requireWritable(const std::filesystem::path& target);

/// A text in one go. Throws FileError.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

}  // namespace attnscope

#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace attnscope {

/// A file in an archive, or an image in a row of a table.
struct PackedEntry {
    std::string name;   ///< with "/" between folders
    int64_t bytes = 0;  ///< unpacked
    /// Its class where the archive itself gives one (a table's column, webdataset's .cls or .json): a number, or a name; else empty.
    std::string label;
};

/// What an archive contains and is not among its entries.
struct PackedIssue {
    std::string kind;  ///< one of DataIssue
    std::string name;
};

/// An archive or table that is read in place: listed when it is opened, then any entry by itself, from any thread.
class Archive {
public:
    Archive() = default;
    virtual ~Archive() = default;
    Archive(const Archive&) = delete;
    Archive& operator=(const Archive&) = delete;

    /// In the archive's own order.
    const std::vector<PackedEntry>& entries() const { return m_entries; }
    const std::vector<PackedIssue>& issues() const { return m_issues; }
    /// The names of the classes that its labels number; empty: it gives none.
    const std::vector<std::string>& classNames() const { return m_classNames; }
    /// The unpacked bytes of an entry. Throws FileError if they cannot be read or are damaged.
    virtual std::vector<uint8_t> read(size_t entry) const = 0;

protected:
    std::vector<PackedEntry> m_entries;
    std::vector<PackedIssue> m_issues;
    std::vector<std::string> m_classNames;
};

}

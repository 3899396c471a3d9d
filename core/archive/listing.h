#pragma once

#include "core/archive/archive.h"

#include <string_view>
#include <unordered_map>

/// What is known of an archive once it was listed: enough to read any entry by itself, and kept between runs.
namespace attnscope {

/// A place from which a gzip file can be unpacked: at the border of two of its blocks.
struct GzipPoint {
    int64_t unpacked = 0;  ///< bytes before it
    int64_t packed = 0;
    int64_t bits = 0;              ///< of the byte before `packed` that still count
    std::vector<uint8_t> history;  ///< the last 32 KiB before it; empty: a member begins here, with its header
};

struct PackedPlace {
    int64_t offset = 0;
    int64_t deflated = -1;  ///< its packed bytes in a zip archive; -1: stored as it is
    int64_t checksum = -1;  ///< of the unpacked bytes; -1: none
};

struct ArchiveListing {
    std::vector<PackedEntry> entries;
    std::vector<PackedIssue> issues;
    std::vector<PackedPlace> places;  ///< of the entries
    std::vector<GzipPoint> points;    ///< of a gzip file; the last is its end
};

/// What all archives have in common: which names are allowed, and that the last of equal ones counts.
class ListingBuilder {
public:
    /// `archive`: its path, for messages.
    explicit ListingBuilder(std::string archive);

    /// The name without "." and doubled slashes. Throws FileError: it leads out of the archive, or is too long.
    std::string cleaned(std::string_view name);
    void add(const std::string& name, int64_t bytes, const PackedPlace& place);
    /// A second name for what `target` names.
    void addLink(const std::string& name, const std::string& target);
    void leaveOut(const char* kind, const std::string& name);
    /// Whether a member may be the label of a webdataset's sample, which `addLabel` is given.
    static bool isLabel(const std::string& name, int64_t bytes);
    /// Throws FileError: another label than the sample has.
    void addLabel(const std::string& name, std::string_view text);

    ArchiveListing finish();

    [[noreturn]] void refuse(const std::string& problem,
                             const char* remedy = "it is damaged; copy or download it again") const;

private:
    std::string m_archive;
    ArchiveListing m_listing;
    std::unordered_map<std::string, size_t> m_numbers;
    std::unordered_map<std::string, std::string> m_labels;
    int64_t m_nameBytes = 0;
};

}

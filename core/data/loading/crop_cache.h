// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/loading/crop_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

/// Free of torch.
namespace attnscope {

/// Which file a picture was, and in which state: path, size, times of change to the nanosecond, and the system's own number. Empty when there
/// is none, or when it changed within the last two seconds: then its times may not tell the next change apart.
std::optional<std::string> imageIdentity(const std::string& path);

/// Crops of pictures as 8-bit values, kept in a folder from one evaluation to the next. What it gives is what was put in under the same
/// identity and description, or nothing: files that are damaged or half written are recognised and removed. Any number of threads and
/// processes may use a folder at a time.
///
/// A folder is kept within `bytes`: files that were not of use for longest go first. When there is no room it keeps what it has, says so
/// once, and everything goes on without.
class CropCache {
public:
    struct Options {
        std::filesystem::path folder;
        std::string description;  ///< of everything but the picture that decides on its crop
        std::uint64_t cropBytes = 0;
        std::int64_t bytes = std::int64_t{20} << 30;     ///< of all files in the folder
        std::int64_t leaveFree = std::int64_t{1} << 30;  ///< of the disk, for others
        std::size_t fileImages = 512;  ///< of a file; so many crops are lost at most when the process is killed
    };

    /// Makes the folder where there is none. Throws FileError when it cannot be used.
    explicit CropCache(Options options);
    ~CropCache();
    CropCache(const CropCache&) = delete;
    CropCache& operator=(const CropCache&) = delete;

    /// The crop of a picture; false when there is none.
    bool find(const std::string& identity, std::span<std::uint8_t> crop);
    /// Keeps it, unless the picture is not what it was when its identity was taken.
    void keep(const std::string& path, const std::string& identity, std::span<const std::uint8_t> crop);
    /// Gives the file that is being written its place. The destructor does so too.
    void finish();

    std::int64_t found() const;
    /// A sentence on why nothing is kept any more; each once.
    std::string takeMessage();

private:
    struct Place {
        std::shared_ptr<const CropFile> file;
        std::size_t slot = 0;
    };
    void read();
    void add(std::optional<CropFile> opened, const std::filesystem::path& path);
    bool makeRoom();
    void giveUp(std::string sentence);
    void forget(const std::shared_ptr<const CropFile>& file);

    Options m_options;
    std::string m_stem;
    mutable std::mutex m_mutex;
    std::unordered_map<std::string, Place> m_places;
    std::unordered_set<std::string> m_kept;    // by this object
    std::set<std::filesystem::path> m_useful;  // files that gave a crop, or that this object wrote
    std::unique_ptr<CropFileWriter> m_writer;
    bool m_keeps = true;
    std::int64_t m_found = 0;
    std::string m_message;
};

}  // namespace attnscope

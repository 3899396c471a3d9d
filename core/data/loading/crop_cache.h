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
#include <unordered_map>
#include <unordered_set>

/// Independent of torch.
namespace attnscope {

/// Identifies an image file and its state: path, size, modification times to the nanosecond, and the inode. Empty if there is no file, or
/// if it changed within the last two seconds, as its times may then not reveal the next change.
std::optional<std::string> imageIdentity(const std::string& path);

/// Crops of images as 8-bit values, kept in a folder from one evaluation to the next. It returns what was stored under the same identity
/// and description, or nothing: damaged or partially written files are recognised and removed. Any number of threads and processes may use
/// a folder at the same time.
///
/// A folder is kept within `bytes`: the least recently used files are removed first. If there is no room it keeps what it has, reports that
/// once, and everything continues without it.
class CropCache {
public:
    struct Options {
        std::filesystem::path folder;
        std::string description;  ///< of everything but the image that determines its crop
        uint64_t cropBytes = 0;
        int64_t bytes = int64_t{20} << 30;     ///< of all files in the folder
        int64_t leaveFree = int64_t{1} << 30;  ///< on the disk, for others
        size_t fileImages = 512;  ///< crops per file; at most this many are lost if the process is killed
    };

    /// Creates the folder if necessary. Throws FileError if it can't be used.
    explicit CropCache(Options options);
    ~CropCache();
    CropCache(const CropCache&) = delete;
    CropCache& operator=(const CropCache&) = delete;

    /// The crop of an image; false if not stored.
    bool find(const std::string& identity, std::span<uint8_t> crop);
    /// Stores the crop, unless the image has changed since its identity was taken.
    void keep(const std::string& path, const std::string& identity, std::span<const uint8_t> crop);
    /// Completes the file that is being written. The destructor does so too.
    void finish();

    int64_t found() const;
    /// A sentence on why nothing is stored any more; returned once.
    std::string takeMessage();

private:
    struct Place {
        std::shared_ptr<const CropFile> file;
        size_t slot = 0;
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
    std::set<std::filesystem::path> m_useful;  // files that returned a crop, or that this object wrote
    std::unique_ptr<CropFileWriter> m_writer;
    bool m_keeps = true;
    int64_t m_found = 0;
    std::string m_message;
};

}

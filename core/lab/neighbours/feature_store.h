#pragma once

#include "core/base/atomic_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Datastores of features: a safetensors file with one row per image of a labelled folder. Independent of torch.
namespace attnscope {

/// What made the features. Rows of different networks cannot be compared, so that a datastore is used only by the network that built it.
struct FeatureIdentity {
    std::string model;        ///< its name
    std::string weightsHash;  ///< sha256 of the checkpoint; for untrained weights of the seed and description
    std::string description;  ///< sha256 of the model's description
    std::string transform;
    std::string attention;  ///< canonical, without `native`
    std::string seed;       ///< of a random attention; else empty
    int64_t width = 0;      ///< numbers per feature

    friend bool operator==(const FeatureIdentity&, const FeatureIdentity&) = default;
};

/// Where the features of a datastore are from.
struct FeatureOrigin {
    FeatureIdentity identity;
    std::string folder;                ///< absolute
    std::vector<std::string> classes;  ///< names, by index
};

/// One row.
struct FeatureEntry {
    std::span<const float> features;
    int64_t label = 0;
    /// core/data/preprocess/sample_identity.h: an image that is in the datastore recognises itself.
    uint64_t sample = 0;
    std::string path;
};

/// Writes a datastore row by row, in memory that does not grow with the features. Nothing appears without `commit`.
class FeatureStoreWriter {
public:
    /// `maxEntries`: an upper bound of the number of rows. Throws FileError if the folder is not writable.
    FeatureStoreWriter(const std::filesystem::path& file, FeatureOrigin origin, int64_t maxEntries);

    /// Throws FileError (a full disk).
    void add(const FeatureEntry& entry);
    int64_t entries() const { return int64_t(m_labels.size()); }
    /// Throws FileError if there are no entries.
    void commit();

private:
    std::string header(int64_t entries, int64_t pathBytes) const;

    std::filesystem::path m_path;
    FeatureOrigin m_origin;
    AtomicFile m_file;
    size_t m_headerBytes = 0;  // with the spaces at its end: it is rewritten when the counts are known
    std::vector<int64_t> m_labels, m_pathEnds;
    std::vector<uint64_t> m_samples;
    std::string m_paths;
};

/// Features in memory, or in a file that is mapped into it: (count, width), row by row.
struct FeatureRows {
    const float* values = nullptr;
    int64_t count = 0, width = 0;
    std::string name;  ///< for messages
};

/// An open datastore. The features are mapped and not read: 1.28 million rows of 384 numbers are 1.97 GB, which need not fit in memory.
class FeatureStore {
public:
    /// Throws FileError for anything but a datastore. A file that another program shortens while it is open ends the program.
    explicit FeatureStore(const std::filesystem::path& file);
    ~FeatureStore();
    FeatureStore(const FeatureStore&) = delete;
    FeatureStore& operator=(const FeatureStore&) = delete;

    const FeatureOrigin& origin() const { return m_origin; }
    const FeatureRows& rows() const { return m_rows; }
    const std::vector<int64_t>& labels() const { return m_labels; }
    std::string path(int64_t entry) const;
    int64_t bytes() const { return m_mappedBytes; }

    /// The entries with this image, ascending.
    std::vector<int64_t> entriesOf(uint64_t sample) const;

    /// Throws FileError, naming the first difference, if the features are of another network.
    void require(const FeatureIdentity& identity) const;

private:
    void map(int64_t offset);

    std::string m_name;
    FeatureOrigin m_origin;
    FeatureRows m_rows;
    void* m_mapped = nullptr;
    int64_t m_mappedBytes = 0;
    std::vector<int64_t> m_labels, m_pathEnds;
    std::vector<std::pair<uint64_t, int64_t>> m_samples;  // sorted
    std::string m_paths;
};

}

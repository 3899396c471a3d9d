// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/lab/neighbours/feature_index.h"
#include "core/lab/sample_batches.h"
#include "core/measure/proportions.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// kNN-augmented classification, after kNN-LM (Khandelwal et al., ICLR 2020): the labels of the images whose features are nearest,
/// mixed with the classifier's prediction. Features are those of Classifier::readOut behind the last block.
namespace attnscope {

/// A network as it makes features.
struct FeatureNetwork {
    const Classifier& classifier;
    AttentionSpec attention = AttentionSpec::native();
    std::uint64_t seed = 0;
    std::string weightsHash;  ///< sha256 of the checkpoint; for untrained weights of the seed and description
    std::string description;  ///< sha256 of the model's description
};

/// What a datastore of this network has in its header. Throws Unsupported if the network has no features or several heads, UsageError if
/// the attention does not fit it.
[[nodiscard]] FeatureIdentity featureIdentity(const FeatureNetwork& network);

struct BuiltDatastore {
    std::string file;
    std::int64_t entries = 0, bytes = 0;
    std::vector<UnreadableInput> unreadable;
};

/// Writes the features of a labelled set. Samples that can't be read, or whose features are not finite, are listed and left out. An
/// existing file is replaced when the new one is complete. Throws FileError, Cancelled and what `featureIdentity` throws.
[[nodiscard]] BuiltDatastore buildDatastore(const FeatureNetwork& network, const LabelledSamples& samples,
                              const std::filesystem::path& file, const ProgressCallback& progress,
                              std::stop_token stop);

struct NeighbourRequest {
    std::vector<std::int64_t> k;  ///< numbers of neighbours; empty: usualNeighbourCounts
    std::vector<double> mix;      ///< λ, 0 to 1; empty: 0, 0.1 … 1
    FeatureDistance distance = FeatureDistance::L2;
    std::optional<double> temperature;  ///< empty: usualTemperature
};

/// 1, 5, 10, 20, 50, 100 and 200, as far as a query that leaves itself out finds so many.
[[nodiscard]] std::vector<std::int64_t> usualNeighbourCounts(std::int64_t entries);

/// Correct predictions with k neighbours and mix λ.
struct NeighbourAccuracyPoint {
    std::int64_t k = 0;
    double mix = 0;
    std::int64_t correct = 0;
};

struct NeighbourAccuracy {
    std::string folder;
    std::vector<std::int64_t> k;
    std::vector<double> mix;
    std::vector<NeighbourAccuracyPoint> points;  ///< by k, then λ
    std::int64_t samples = 0;
    std::int64_t leftOut =
        0;  ///< samples that are themselves in the datastore, and did not count as their own neighbours
    std::vector<UnreadableInput> unreadable;

    [[nodiscard]] double accuracy(const NeighbourAccuracyPoint& point) const;
    [[nodiscard]] Interval interval(const NeighbourAccuracyPoint& point) const
    {
        return wilson95(point.correct, samples);
    }  ///< 95 %, Wilson
};

/// One neighbour of an image.
struct ShownNeighbour {
    std::int64_t entry = 0;
    std::string path, className;
    std::int64_t label = 0;
    double distance = 0, weight = 0;
};

/// The neighbours of an image, nearest first, and the predictions of the model, of the neighbours alone and of their mixture.
struct ImageNeighbours {
    std::string path;
    std::int64_t k = 0;
    double mix = 0;
    std::int64_t leftOut = 0;  ///< entries of the datastore that are this image
    std::vector<ShownNeighbour> neighbours;
    std::vector<Prediction> model, retrieved, mixed;  ///< the five most probable classes
};

struct NeighbourReport {
    RunReport model;  ///< model, device and environment
    std::string datastore;
    FeatureOrigin origin;
    std::int64_t entries = 0, bytes = 0;
    FeatureDistance distance = FeatureDistance::L2;
    double temperature = 1;
    std::optional<BuiltDatastore> built;
    std::optional<NeighbourAccuracy> accuracy;
    std::vector<ImageNeighbours> images;
    std::vector<UnreadableInput> unreadable;  ///< of the images
    std::vector<std::string> notes;
};

/// Searches one datastore with one network.
class NeighbourClassifier {
public:
    /// Throws FileError if `store` is of another network; UsageError for k beyond it, a mix outside [0, 1] or a temperature that is not
    /// positive.
    NeighbourClassifier(const FeatureNetwork& network, std::shared_ptr<const FeatureStore> store,
                        NeighbourRequest request);

    /// Classifies a labelled set with every k and λ, one search per sample. Images that are in the datastore leave themselves out, which
    /// their content decides. Throws FileError if the set's classes are not the datastore's, UsageError for k beyond the other entries, Cancelled.
    [[nodiscard]] NeighbourAccuracy accuracy(const LabelledSamples& samples, const ProgressCallback& progress,
                               std::stop_token stop) const;

    /// The neighbours of images, with the first k and λ of the request, or 20 (as many as there are) and 0.25. Those that can't be
    /// read go to `unreadable`. Throws Cancelled.
    [[nodiscard]] std::vector<ImageNeighbours> neighbours(const std::vector<InputSource>& images,
                                            std::vector<UnreadableInput>& unreadable, std::stop_token stop) const;

    /// A report of this search without results.
    [[nodiscard]] NeighbourReport report() const;

private:
    struct Queries;
    struct ReadImage;

    void count(Queries& queries, NeighbourAccuracy& accuracy, const std::stop_token& stop) const;
    [[nodiscard]] ReadImage readImage(const InputSource& image, const std::stop_token& stop) const;
    [[nodiscard]] ImageNeighbours neighboursOf(const std::string& path, const ReadImage& read,
                                 const std::stop_token& stop) const;
    [[nodiscard]] std::int64_t shownK() const;

    FeatureNetwork m_network;
    std::shared_ptr<const FeatureStore> m_store;
    NeighbourRequest m_request;
    double m_temperature = 1;
    FeatureIndex m_index;
    PreparedAttention m_prepared;
};

}  // namespace attnscope

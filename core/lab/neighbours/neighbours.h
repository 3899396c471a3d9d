#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/lab/neighbours/feature_index.h"
#include "core/lab/neighbours/neighbour_report.h"
#include "core/lab/sample_batches.h"
#include "core/run/compare.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// kNN-augmented classification, after kNN-LM (Khandelwal et al., ICLR 2020): the labels of the images whose features are nearest,
/// mixed with the classifier's prediction. Features are those of Classifier::readOut behind the last block; a network without a head puts them
/// out, and its neighbours alone classify.
namespace attnscope {

/// A network as it makes features.
struct FeatureNetwork {
    const Classifier& classifier;
    AttentionSpec attention = AttentionSpec::native();
    uint64_t seed = 0;
    std::string weightsHash;  ///< sha256 of the checkpoint; for untrained weights of the seed and description
    std::string description;  ///< sha256 of the model's description
};

/// What a datastore of this network has in its header. Throws Unsupported if the network has no features or several heads, UsageError if
/// the attention does not fit it.
FeatureIdentity featureIdentity(const FeatureNetwork& network);

/// Writes the features of a labelled set. Samples that can't be read, or whose features are not finite, are listed and left out. An
/// existing file is replaced when the new one is complete. Throws FileError, Cancelled and what `featureIdentity` throws.
BuiltDatastore buildDatastore(const FeatureNetwork& network, const LabelledSamples& samples,
                              const std::filesystem::path& file, const ProgressCallback& progress,
                              std::stop_token stop);

/// Searches one datastore with one network.
class NeighbourClassifier {
public:
    /// Throws FileError if `store` is of another network; UsageError for k beyond it, a mix outside [0, 1] or a temperature that is not
    /// positive.
    NeighbourClassifier(const FeatureNetwork& network, std::shared_ptr<const FeatureStore> store,
                        NeighbourRequest request);

    /// Classifies a labelled set with every k and λ, one search per sample. Images that are in the datastore leave themselves out, which
    /// their content decides. A stop returns what was counted. Throws FileError if the set's classes are not the datastore's, UsageError for k beyond the other entries,
    /// Cancelled before the first sample.
    NeighbourAccuracy accuracy(const LabelledSamples& samples, const ProgressCallback& progress,
                               std::stop_token stop) const;

    /// Adds the neighbours of images, with the first k and λ of the request, or 20 (as many as there are) and 0.25, to `report`, and those
    /// that can't be read. Throws Cancelled.
    void neighbours(const std::vector<InputSource>& images, NeighbourReport& report, std::stop_token stop) const;

    /// A report of this search without results.
    NeighbourReport report() const;

private:
    struct Queries;
    struct ReadImage;

    void count(Queries& queries, NeighbourAccuracy& accuracy, const std::stop_token& stop) const;
    ReadImage readImage(const InputSource& image, const std::stop_token& stop) const;
    ImageNeighbours neighboursOf(const std::string& path, const ReadImage& read,
                                 const std::stop_token& stop) const;
    int64_t shownK() const;

    FeatureNetwork m_network;
    std::shared_ptr<const FeatureStore> m_store;
    NeighbourRequest m_request;
    double m_temperature = 1;
    FeatureIndex m_index;
    PreparedAttention m_prepared;
};

}

#pragma once

#include "core/lab/neighbours/feature_store.h"
#include "core/measure/proportions.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What is asked of a datastore of features, and what a search in it found. Independent of torch.
namespace attnscope {

enum class FeatureDistance {
    L2,         ///< ‖q − f‖
    L2Squared,  ///< ‖q − f‖², as in the code of kNN-LM
    Cosine,     ///< 1 − q·f / ‖q‖‖f‖, as in DINO's evaluation
};

/// "l2", "l2-squared" or "cosine".
const char* toText(FeatureDistance distance);
/// The temperature without another one: 0.07 for cosine (DINO), else 1 (kNN-LM).
double defaultTemperature(FeatureDistance distance);

struct BuiltDatastore {
    std::string file;
    int64_t entries = 0, bytes = 0;
    std::vector<UnreadableInput> unreadable;
};

struct NeighbourRequest {
    std::vector<int64_t> k;   ///< numbers of neighbours; empty: defaultNeighbourCounts
    std::vector<double> mix;  ///< λ, 0 to 1; empty: 0, 0.1 … 1, of a network without a head 1 alone
    FeatureDistance distance = FeatureDistance::L2;
    std::optional<double> temperature;  ///< empty: defaultTemperature

    friend bool operator==(const NeighbourRequest&, const NeighbourRequest&) = default;
};

/// 1, 5, 10, 20, 50, 100 and 200, as far as a query that leaves itself out finds so many.
std::vector<int64_t> defaultNeighbourCounts(int64_t entries);

/// Correct predictions with k neighbours and mix λ.
struct NeighbourAccuracyPoint {
    int64_t k = 0;
    double mix = 0;
    int64_t correct = 0;
};

struct NeighbourAccuracy {
    std::string folder;
    std::vector<int64_t> k;
    std::vector<double> mix;
    std::vector<NeighbourAccuracyPoint> points;  ///< by k, then λ
    int64_t samples = 0;
    /// Samples that are themselves in the datastore, and did not count as their own neighbours.
    int64_t leftOut = 0;
    std::vector<UnreadableInput> unreadable;
    bool complete = true;  ///< false: stopped before the last sample

    Proportion at(const NeighbourAccuracyPoint& point) const { return {samples, point.correct}; }
};

/// One neighbour of an image.
struct ShownNeighbour {
    int64_t entry = 0;
    std::string path, className;
    int64_t label = 0;
    double distance = 0, weight = 0;
};

/// The neighbours of an image, nearest first, and the predictions of the model, of the neighbours alone and of their mixture.
struct ImageNeighbours {
    std::string path;
    int64_t k = 0;
    double mix = 0;
    int64_t leftOut = 0;  ///< entries of the datastore that are this image
    std::vector<ShownNeighbour> neighbours;
    /// The five most probable classes; `model` is empty without a head.
    std::vector<Prediction> model, retrieved, mixed;
};

struct NeighbourReport {
    RunReport model;  ///< model, device and environment
    std::string datastore;
    FeatureOrigin origin;
    int64_t entries = 0, bytes = 0;
    FeatureDistance distance = FeatureDistance::L2;
    double temperature = 1;
    std::optional<BuiltDatastore> built;
    std::optional<NeighbourAccuracy> accuracy;
    std::vector<ImageNeighbours> images;
    std::vector<UnreadableInput> unreadable;  ///< of the images
    std::vector<std::string> notes;
    bool complete = true;  ///< false: stopped before everything was done
};

}

#pragma once

#include "core/data/preprocess/transform.h"
#include "core/data/preprocess/video_views.h"
#include "core/device/environment.h"
#include "core/measure/measurements.h"
#include "core/run/load_report.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What was run and its results: plain values, independent of torch, shared by command line, JSON, store and app. docs/measurements.md
/// defines every quantity.
namespace attnscope {

/// The kind of weights under which something was measured.
enum class WeightsKind {
    Trained,    ///< trained with this attention
    Swapped,    ///< trained with another attention, which was replaced
    Untrained,  ///< random weights: cost is meaningful, predictions are not
};

struct Prediction {
    int64_t index = 0;
    std::string label;  ///< empty if the classes have no names
    double probability = 0;
};

/// A column without an approximation error says so in this note.
inline constexpr const char* exactAttentionNote =
    "the attention is exact, so it has no error of its own; what the network around it loses shows end to end";

/// The file that a network's weights are from.
struct Checkpoint {
    std::string path;    ///< or "untrained, seed 0"
    std::string sha256;  ///< empty: not known, or no file
};

struct EndToEnd {
    /// KL(softmax ‖ this backend) of the class distribution, nats, mean over seeds; NaN if logits are not
    /// finite.
    double kl = 0;
    double top1Agreement = 0;   ///< fraction of seeds whose first class is softmax's
    bool top1Agrees = false;    ///< with the run's seed; false if there is no first class
    std::vector<double> drift;  ///< relative drift of each block's output
    bool hasClasses = true;     ///< false for a network without a head: drift is all there is
    /// Of a column in another network than the first: exact attention in that one, which it is compared with. Then `drift` is empty unless
    /// both have the same blocks, and classes are compared as far as both have them.
    std::string against;
    int64_t matchedClasses = 0;

    /// Whether there are classes that can be compared.
    bool isComparable() const { return against.empty() || matchedClasses > 0; }
};

/// The prediction for one view of a video; InputRecord::views describes the view at the same index.
struct ViewPrediction {
    std::vector<Prediction> top;
    std::vector<float> probabilities;  ///< of every class
    std::vector<float> logits;         ///< if requested
};

/// The vector that stands for an input (docs/features.md).
struct Features {
    std::string kind;           ///< "pooled", "token", "avg" or "token+avg"
    std::vector<float> values;  ///< of a video the mean over its views
    double length = 0;          ///< ‖values‖; not finite if the features are not
};

/// The cosines of a block's tokens with those of exact attention's pass.
struct LayerCosine {
    std::optional<double> token;  ///< of the class token
    double patches = 0;           ///< mean over the others
};

/// How far features are from exact attention's when the backend replaces it in every layer: cosines, mean over seeds.
struct FeatureDrift {
    std::string kind;
    double cosine = 0;  ///< of the features of that kind
    /// Of the class token and of the mean of the patches, where the network has them.
    std::optional<double> token, avg;
    std::optional<CosineSummary> patches;
    std::vector<double> patchCosines;           ///< of each patch behind the final norm, frame-major and row-major
    int64_t frames = 1, rows = 0, columns = 0;  ///< of the patches
    std::vector<LayerCosine> layers;            ///< by block, before the final norm
    /// Linear CKA of the patches behind the final norm, of two networks with the same grid of patches.
    std::optional<double> cka;
    /// Principal components of the patches in the exact pass's basis, if requested; 1 pixel per patch.
    Clip colours, exactColours;
    double variance = 0;               ///< fraction of the exact patches' variance that those components explain
    std::vector<float> values, exact;  ///< the features themselves, with the run's own seed
};

/// Which tokens have become one where tokens merge: prefix tokens first, then patches, frame-major and row-major.
struct MergedTokens {
    int64_t prefix = 0, frames = 1, rows = 0, columns = 0;  ///< 0 × 0: no grid
    /// Behind each layer: the number of the token that each one has become part of.
    std::vector<std::vector<int32_t>> layers;

    /// How many tokens there are behind a layer.
    int64_t left(size_t layer) const;
};

struct RunRecord {
    std::string attention;  ///< canonical specification, as requested
    std::string resolved;   ///< what `native` resolved to; otherwise the same
    std::string backend;    ///< its name, which determines colour and mark
    Checkpoint checkpoint;  ///< of its network
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<Prediction> top;        ///< for a video from the mean of its views' probabilities
    std::vector<float> logits;          ///< for an input with one view
    std::vector<ViewPrediction> views;  ///< one per view, one for an image; grows during prediction
    double macs = 0;                    ///< multiply-adds of one forward pass with this attention
    /// Fraction of the prediction's queries, in all layers, heads and views, that saw no key and used all;
    /// empty: the attention is not sparse.
    std::optional<double> emptyRows;
    std::optional<MergedTokens> merged;  ///< of the measured view; empty: no token merges
    std::optional<Latency> latency;
    std::optional<Memory> memory;
    std::optional<ApproximationError> error;  ///< none of exact attention in a changed network
    std::optional<EndToEnd> endToEnd;
    std::optional<Features> features;          ///< without a head, or if requested
    std::optional<FeatureDrift> featureDrift;  ///< if an error was measured as well
    std::vector<std::string> notes;  ///< "plain pooled landmarks: these weights have no landmark parameters"
    std::string failure;             ///< one sentence if this backend could not run; the others continue
};

struct InputRecord {
    std::string path;
    std::string kind = "image";
    int64_t width = 0, height = 0;  ///< of the original image; 0 for preprocessed input
    double rate = 0, seconds = 0;   ///< of a video: frames per second and length; 0: unknown
    std::string sampling;           ///< of a video: how its frames were selected
    ViewGrid grid{1, 1};
    std::vector<ViewPlan> views;  ///< of a video
    int64_t measuredView = 0;     ///< the view on whose forward pass latency, memory and error are measured
    std::vector<std::string> notes;
    std::vector<RunRecord> runs;
};

struct UnreadableInput {
    std::string path;
    std::string reason;
};

struct ModelSummary {
    std::string name;
    std::string family;
    int64_t parameters = 0;
    double macs = 0;             ///< with the native attention
    std::vector<int64_t> input;  ///< (C,H,W) or (C,T,H,W)
    int64_t classes = 0;         ///< 0: a network without a head, whose output are its features
    int64_t features = 0;        ///< channels of the features that its head reads, or that it outputs
    /// Number of classes of each of several heads (verbs and nouns); else empty.
    std::vector<int64_t> classifierHeads;
    /// Of video networks: distance between frames of a clip, in frames of the video; else 0.
    int64_t frameInterval = 0;
    /// If stages differ: tokens of the first, the others of the last.
    int64_t layers = 0, heads = 0, width = 0, tokens = 0;
    std::vector<std::string> layerNames;  ///< "stage 2 block 1"; empty if layers are numbered
    std::string nativeAttention;
    std::string weightsSource;  ///< path, or "untrained, seed 0"
    WeightsKind weights = WeightsKind::Untrained;
    LoadReport load;  ///< how the checkpoint was loaded; only notes for untrained weights
};

/// A network of a comparison, by what its columns say of it.
struct ComparedModel {
    std::string checkpoint, dtype;
    ModelSummary model;
};

struct RunReport {
    ModelSummary model;                 ///< of the first network
    std::vector<ComparedModel> others;  ///< those that could be opened
    DeviceSummary device;
    Environment environment;
    std::string dtype = "float32";
    uint64_t seed = 0;
    std::string transform;
    std::vector<InputRecord> inputs;
    std::vector<UnreadableInput> unreadable;
};

const char* toText(WeightsKind kind);

}

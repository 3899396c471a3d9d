// SPDX-License-Identifier: Apache-2.0
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
    std::int64_t index = 0;
    std::string label;  ///< empty if the classes have no names
    double probability = 0;
};

struct EndToEnd {
    double kl = 0;             ///< KL(softmax ‖ this backend) of the class distribution, nats, mean over seeds; NaN if logits are not
                               ///< finite
    double top1Agreement = 0;  ///< fraction of seeds whose first class is softmax's
    bool top1Agrees = false;   ///< with the run's seed; false if there is no first class
    std::vector<double> drift; ///< relative drift of each block's output
};

/// The prediction for one view of a video; InputRecord::views describes the view at the same index.
struct ViewPrediction {
    std::vector<Prediction> top;
    std::vector<float> probabilities;  ///< of every class
    std::vector<float> logits;         ///< if requested
};

struct RunRecord {
    std::string attention;  ///< canonical specification, as requested
    std::string resolved;   ///< what `native` resolved to; otherwise the same
    std::string backend;    ///< its name, which determines colour and mark
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<Prediction> top;        ///< for a video from the mean of its views' probabilities
    std::vector<float> logits;          ///< for an input with one view
    std::vector<ViewPrediction> views;  ///< one per view, one for an image; grows during prediction
    double macs = 0;        ///< multiply-adds of one forward pass with this attention
    std::optional<double> emptyRows;  ///< fraction of the prediction's queries, in all layers, heads and views, that saw no key and used all;
                                      ///< empty: the attention is not sparse
    std::optional<Latency> latency;
    std::optional<Memory> memory;
    std::optional<ApproximationError> error;
    std::optional<EndToEnd> endToEnd;
    std::vector<std::string> notes;  ///< "plain pooled landmarks: these weights have no landmark parameters"
    std::string failure;             ///< one sentence if this backend could not run; the others continue
};

struct InputRecord {
    std::string path;
    std::string kind = "image";
    std::int64_t width = 0, height = 0;  ///< of the original image; 0 for preprocessed input
    double rate = 0, seconds = 0;        ///< of a video: frames per second and length; 0: unknown
    std::string sampling;                ///< of a video: how its frames were selected
    ViewGrid grid{1, 1};
    std::vector<ViewPlan> views;         ///< of a video
    std::int64_t measuredView = 0;       ///< the view on whose forward pass latency, memory and error are measured
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
    std::int64_t parameters = 0;
    double macs = 0;                  ///< with the native attention
    std::vector<std::int64_t> input;  ///< (C,H,W) or (C,T,H,W)
    std::int64_t classes = 0;
    std::vector<std::int64_t> classifierHeads;  ///< number of classes of each of several heads (verbs and nouns); else empty
    std::int64_t frameInterval = 0;   ///< of video networks: distance between frames of a clip, in frames of the video; else 0
    std::int64_t layers = 0, heads = 0, width = 0, tokens = 0;  ///< if stages differ: tokens of the first, the others of the last
    std::vector<std::string> layerNames;  ///< "stage 2 block 1"; empty if layers are numbered
    std::string nativeAttention;
    std::string weightsSource;        ///< path, or "untrained, seed 0"
    WeightsKind weights = WeightsKind::Untrained;
    LoadReport load;                  ///< how the checkpoint was loaded; only notes for untrained weights
};

struct RunReport {
    ModelSummary model;
    DeviceSummary device;
    Environment environment;
    std::string dtype = "float32";
    std::uint64_t seed = 0;
    std::string transform;
    std::vector<InputRecord> inputs;
    std::vector<UnreadableInput> unreadable;
};

[[nodiscard]] const char* toText(WeightsKind kind);

}  // namespace attnscope

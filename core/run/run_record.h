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

/// What ran and what came out: plain values, free of torch, shared by command line, JSON, store and app. docs/measurements.md
/// defines every figure.
namespace attnscope {

/// Under which weights a figure was measured.
enum class WeightsKind {
    Trained,    ///< trained with this attention
    Swapped,    ///< trained with another attention, which was replaced
    Untrained,  ///< random weights: cost is meaningful, predictions are not
};

struct Prediction {
    std::int64_t index = 0;
    std::string label;  ///< empty when the classes have no names
    double probability = 0;
};

struct EndToEnd {
    double kl = 0;             ///< KL(softmax ‖ this backend) of the class distribution, nats, mean over seeds; NaN where logits are not finite
    double top1Agreement = 0;  ///< share of seeds whose first class is softmax's
    bool top1Agrees = false;   ///< with the seed of the run; false where there is no first class
    std::vector<double> drift; ///< relative drift of each block's output
};

/// What one view of a video was taken for; which view it is stands in InputRecord::views at the same index.
struct ViewPrediction {
    std::vector<Prediction> top;
    std::vector<float> probabilities;  ///< of every class
    std::vector<float> logits;         ///< where the request keeps them
};

struct RunRecord {
    std::string attention;  ///< canonical specification, as asked for
    std::string resolved;   ///< what `native` stood for; else the same
    std::string backend;    ///< its name: colour and mark go by this
    WeightsKind weights = WeightsKind::Untrained;
    std::vector<Prediction> top;        ///< of a video: from the mean of its views' probabilities
    std::vector<float> logits;          ///< of an input with one view
    std::vector<ViewPrediction> views;  ///< one a view, one for a picture; grows while they are predicted
    double macs = 0;        ///< multiply-adds of one forward pass with this attention
    std::optional<Latency> latency;
    std::optional<Memory> memory;
    std::optional<ApproximationError> error;
    std::optional<EndToEnd> endToEnd;
    std::vector<std::string> notes;  ///< "plain pooled landmarks: these weights have no landmark parameters"
    std::string failure;             ///< one sentence when this backend could not run; the others go on
};

struct InputRecord {
    std::string path;
    std::string kind = "image";
    std::int64_t width = 0, height = 0;  ///< of the original picture; 0 for preprocessed input
    double rate = 0, seconds = 0;        ///< of a video: frames a second and length; 0: not known
    std::string sampling;                ///< of a video: how its frames were chosen
    ViewGrid grid{1, 1};
    std::vector<ViewPlan> views;         ///< of a video
    std::int64_t measuredView = 0;       ///< latency, memory and error are of one forward pass: of this view
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
    std::vector<std::int64_t> classifierHeads;  ///< where there are several heads (verbs and nouns): classes of each; else empty
    std::int64_t frameInterval = 0;   ///< of video networks: frames of a video from one of the clip to the next; else 0
    std::int64_t layers = 0, heads = 0, width = 0, tokens = 0;  ///< where stages differ: tokens of the first, the others of the last
    std::vector<std::string> layerNames;  ///< "stage 2 block 1"; empty where a layer is called by its number
    std::string nativeAttention;
    std::string weightsSource;        ///< path, or "untrained, seed 0"
    WeightsKind weights = WeightsKind::Untrained;
    LoadReport load;                  ///< what became of the checkpoint's tensors; notes alone for untrained weights
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

const char* toText(WeightsKind kind);

}  // namespace attnscope

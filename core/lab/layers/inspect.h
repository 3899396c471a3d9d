// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/lab/approximate.h"
#include "core/run/compare.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

/// Where in a network an attention goes wrong, and what it looks at instead. Free of torch: what the Layers screen is made of.
namespace attnscope {

class Classifier;
class InspectedSubject;

/// Whose weights are shown: class and distillation tokens come first, then patches, frame-major and row-major.
struct TokenQuery {
    std::int64_t frame = 0, row = 0, column = 0;
    bool classToken = false;  ///< token 0 instead; only where the network has one
};

struct InspectRequest {
    std::vector<AttentionSpec> attention;
    std::uint64_t seed = 0;
    std::int64_t seeds = 8;           ///< draws of a random attention, for errors
    std::optional<TokenQuery> query;  ///< empty: no maps
    bool errors = true;               ///< false: maps alone
    bool endToEnd = true;  ///< one more pass a seed: errors of the network that runs with the attention everywhere
    bool alone = true;     ///< a pass a layer: what replacing that layer alone does to the answer
};

struct HeadErrors {
    ErrorValue error;
    ErrorParts parts;                       ///< bias² and variance over seeds
    std::optional<ErrorValue> classToken;  ///< the rows of class and distillation tokens alone
    std::optional<ErrorValue> patches;     ///< the other rows, where there are such tokens
};

struct InspectedLayer {
    std::int64_t layer = 0;
    std::string name;  ///< "stage 2 block 1"; empty where a layer is called by its number
    std::vector<HeadErrors> heads;
    HeadErrors mean;           ///< over heads
    ErrorValue meanOfValues;  ///< yardstick
    double zeroMse = 0;        ///< yardstick
};

/// What one layer alone does to the answer when it, and no other, is replaced.
struct LayerAlone {
    double kl = 0;
    bool top1Agrees = true;
};

/// Of one layer: [head][key]. Keys in the order of its tokens.
struct LayerMaps {
    std::int64_t layer = 0;
    TokenGrid grid;  ///< of the keys; 0 × 0: no grid
    std::int64_t prefix = 0,
                 frames = 1;  ///< of the keys: class tokens before the grid, and how often the grid follows
    std::int64_t query = 0;   ///< the token whose row this is
    std::vector<std::vector<float>> exact, implied, difference;  ///< difference = implied − exact
    /// Landmarks, where the attention has them: cells of a side × side grid, segments (side 0), or tokens.
    std::int64_t landmarkSide = 0;
    std::vector<std::vector<float>> landmarkWeights;        ///< [head][landmark]; empty: no landmarks
    std::vector<std::vector<std::int64_t>> landmarkTokens;  ///< [head][landmark], where landmarks are tokens
};

/// How much of each token reaches the query after all layers: products of ½(mean over heads) + ½(identity), Abnar and Zuidema 2020.
struct Rollout {
    std::vector<float> exact,
        implied;  ///< one a token; empty where layers differ in their tokens (PVTv2) or keys have groups
};

struct InspectedAttention {
    std::string attention, resolved, backend;
    std::optional<WeightsKind> weights;  ///< none of tensors alone, nor where preparing failed
    std::string exact = "softmax over all keys";
    bool deterministic = false;
    std::int64_t seeds = 1;
    std::vector<InspectedLayer> teacherForced;  ///< the exact pass's q, k, v
    std::vector<InspectedLayer>
        endToEnd;                   ///< the attention everywhere, against the exact pass; empty unless asked for
    std::vector<double> drift;      ///< of every block's output, end to end, mean over seeds
    std::vector<LayerAlone> alone;  ///< by layer; empty unless asked for
    double kl = 0;                  ///< end to end
    bool top1Agrees = true;
    std::vector<LayerMaps> maps;  ///< by layer; empty unless a query is given. The run's own seed
    Rollout rollout;
    std::vector<std::string> notes;
    std::string failure;  ///< one sentence: this attention could not be run; the others go on
};

struct LayerInspection {
    RunReport model;  ///< model, device, environment, and the one input
    std::vector<InspectedAttention> attention;
    std::int64_t tokens = 0, prefix = 0, frames = 1;
    TokenGrid grid;  ///< of the first layer's queries
};

/// What is known when another attention was inspected: the last of `sofar.attention` is new.
using InspectedCallback = std::function<void(const LayerInspection& sofar)>;

class InspectionMemory;

/// Who is told, and what is remembered.
struct InspectionCalls {
    ProgressCallback progress;
    std::stop_token stop;
    InspectedCallback inspected;
    /// Of questions about the same input alone: one for errors begins it anew, those for maps alone take from it what it has.
    InspectionMemory* memory = nullptr;
};

/// Throws FileError when the input cannot be read, UsageError for a request that does not fit the model, Cancelled.
LayerInspection inspectLayers(const Classifier& classifier, const InputSource& input,
                              const InspectRequest& request, const InspectionCalls& calls = {});

/// The same of dumped q, k, v, each (layers, heads, tokens, channels), at which attentions are measured: there is no network, and so
/// nothing end to end. Where the tokens lie on no grid, a query is frame 0, row 0 and the token as its column.
/// Throws FileError, UsageError, Cancelled.
LayerInspection inspectLayers(const DumpedAttention& dump, const InspectRequest& request,
                              const InspectionCalls& calls = {});

/// Whether the file's header has q, k and v of four dimensions. Reads nothing else of it.
bool holdsDumpedAttention(const std::filesystem::path& file);

/// The maps as tensors: `exact.LAYER`, `implied.LAYER`, `difference.LAYER` (heads, keys), `landmarks.LAYER` (heads, landmarks),
/// `rollout.exact`, `rollout.implied`; with several attentions behind their index ("1/implied.3"). The header says what is what.
void writeMaps(const LayerInspection& inspection, const std::filesystem::path& file);

/// Inspects what `open` opens, or what an earlier question has left in `memory`. What a request asks beyond the subject (end to end
/// without a network) is left out.
LayerInspection inspectWith(InspectionMemory* memory, const InspectRequest& request, const InspectionCalls& calls,
                            const std::function<std::unique_ptr<InspectedSubject>()>& open);

}  // namespace attnscope

#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/base/progress.h"
#include "core/lab/approximate.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Where in a network an attention is inaccurate, and what it attends to instead. Independent of torch: the basis of the Layers screen.
namespace attnscope {

/// Identifies the query: class and distillation tokens come first, then patches, frame-major and row-major.
struct TokenQuery {
    int64_t frame = 0, row = 0, column = 0;
    bool classToken = false;  ///< token 0 instead; only if the network has one
};

struct InspectRequest {
    std::vector<AttentionSpec> attention;
    uint64_t seed = 0;
    int64_t seeds = 8;                ///< seeds of a random attention, for errors
    std::optional<TokenQuery> query;  ///< empty: no maps
    bool errors = true;               ///< false: maps only
    bool endToEnd = true;  ///< one more pass per seed: errors of the network with the attention in all layers
    bool alone = true;     ///< one pass per layer: the effect on the prediction of replacing only that layer
};

struct HeadErrors {
    ErrorValue error;
    ErrorParts parts;                      ///< bias² and variance over seeds
    std::optional<ErrorValue> classToken;  ///< only the rows of prefix tokens: class, distillation, registers
    std::optional<ErrorValue> patches;     ///< the other rows, if there are such tokens
};

/// How much the queries of one head see of the keys, where an attention leaves some out: fractions and means over queries.
struct HeadKeys {
    /// Fraction of all pairs of query and key that are seen; rows that fell back count in full.
    double density = 0;
    double emptyRows = 0;  ///< fraction of queries that saw no key and used all
    /// Exact softmax's weight on the seen keys, mean over queries that see any; NaN if none does.
    double massKept = 0;
};

/// The same of a layer. Seen are the keys that a query weighs one by one (AttentionBackend::keySets).
struct LayerKeys {
    std::vector<HeadKeys> heads;
    HeadKeys mean;  ///< over heads
    /// [head][query]: exact softmax's weight on the seen keys; with a normaliser for every frame the mean over them. NaN for queries that
    /// saw no key and used all.
    std::vector<std::vector<float>> massKept;
    TokenGrid grid;  ///< of the queries; 0 × 0: no grid
    int64_t prefix = 0, frames = 1;
};

/// A number of every query or key of a layer, by head, that shows what the attention chose, or where it errs.
struct LayerTokenMap {
    TokenMapInfo info;
    std::vector<std::vector<float>> values;  ///< [head][token]; NaN: a token that it does not concern
    TokenGrid grid;                          ///< of these tokens; 0 × 0: no grid
    int64_t prefix = 0, frames = 1;
};
/// The name of the map of every query's error, ‖out − exact‖ relative to the root mean square of ‖exact‖ over the head's queries, for the run's
/// own seed: any attention has it.
inline constexpr std::string_view queryErrorMap = "query-error";

struct InspectedLayer {
    int64_t layer = 0;
    std::string name;  ///< "stage 2 block 1"; empty if layers are numbered
    std::vector<HeadErrors> heads;
    HeadErrors mean;          ///< over heads
    ErrorValue meanOfValues;  ///< baseline
    double zeroMse = 0;       ///< baseline
    /// Those of all queries, at the exact pass's q, k and v: what it chose, and at last `queryErrorMap`.
    std::vector<LayerTokenMap> tokenMaps;
    /// At the exact pass's q, k and v, for the run's own seed; empty: it leaves no keys out.
    std::optional<LayerKeys> keys;
};

/// The effect on the prediction when this layer, and no other, is replaced; if tokens merge, those behind this layer alone.
struct LayerAlone {
    double kl = 0;
    bool top1Agrees = true;
};

/// For one layer: [head][key]. Keys in the order of its tokens.
struct LayerMaps {
    int64_t layer = 0;
    TokenGrid grid;  ///< of the keys; 0 × 0: no grid
    /// Of the keys: number of class tokens before the grid, and of repetitions of the grid.
    int64_t prefix = 0, frames = 1;
    int64_t query = 0;                                           ///< the token that this row belongs to
    std::vector<std::vector<float>> exact, implied, difference;  ///< difference = implied − exact
    /// How much of a key the query may see: 1, 0, the value of a soft mask, or how often it counts. All 0: it saw no key and used all.
    /// Empty: the attention leaves no keys out.
    std::vector<std::vector<float>> seen;
    std::vector<LayerTokenMap> tokenMaps;  ///< what it chose for the query
    /// If the attention has landmarks: cells of a side × side grid, segments (side 0), or tokens.
    int64_t landmarkSide = 0;
    std::vector<std::vector<float>> landmarkWeights;   ///< [head][landmark]; empty: no landmarks
    std::vector<std::vector<int64_t>> landmarkTokens;  ///< [head][landmark], if landmarks are tokens
};

/// How much of each token reaches the query after all layers: products of ½(mean over heads) + ½(identity), Abnar and Zuidema 2020.
struct Rollout {
    /// One per token; empty if layers differ in their tokens (PVTv2) or keys have groups.
    std::vector<float> exact, implied;
};

struct InspectedAttention {
    std::string attention, resolved, backend;
    std::optional<WeightsKind> weights;  ///< empty for tensors without a network, and if preparing failed
    std::string exact = "softmax over all keys";
    bool deterministic = false;
    int64_t seeds = 1;
    std::vector<InspectedLayer> teacherForced;  ///< at the exact pass's q, k, v
    /// The attention in all layers, relative to the exact pass; empty unless requested. A merged token's output
    /// counts for all that are part of it.
    std::vector<InspectedLayer> endToEnd;
    std::vector<double> drift;      ///< of every block's output, end to end, mean over seeds
    std::vector<LayerAlone> alone;  ///< by layer; empty unless requested
    double kl = 0;                  ///< end to end
    bool top1Agrees = true;
    bool hasClasses = true;  ///< false for a network without a head: kl, top1Agrees and `alone` mean nothing then
    std::vector<LayerMaps> maps;  ///< by layer; empty unless a query is given. For the run's own seed
    /// For the run's own seed; empty: no token merges, or nothing is requested end to end.
    std::optional<MergedTokens> merged;
    /// Fraction of queries, at the exact pass's q, k and v and for the run's own seed, that saw no key and used all; empty: it is not sparse.
    std::optional<double> emptyRows;
    Rollout rollout;
    std::vector<std::string> notes;
    std::string failure;  ///< one sentence: this attention could not be run; the others continue
};

struct LayerInspection {
    RunReport model;  ///< model, device, environment, and the one input
    std::vector<InspectedAttention> attention;
    int64_t tokens = 0, prefix = 0, frames = 1;
    TokenGrid grid;        ///< of the first layer's queries
    bool complete = true;  ///< false: stopped before all attentions were inspected
};

/// Called after each attention: the last of `sofar.attention` is new.
using InspectedCallback = std::function<void(const LayerInspection& sofar)>;

class InspectionMemory;

/// Callbacks and memory of an inspection.
struct InspectionCalls {
    ProgressCallback progress;
    std::stop_token stop;
    InspectedCallback inspected;
    /// For requests about the same input: one for errors replaces its contents, those for maps reuse them.
    InspectionMemory* memory = nullptr;
};

/// On one input. Tensors have no network, and so nothing end to end: what they don't support is left out. If the tokens have no grid, a
/// query is frame 0, row 0 and the token as its column. A stop returns the finished attentions. Throws FileError if the input can't be read,
/// UsageError for a request that does not fit, Cancelled before the first attention.
LayerInspection inspectLayers(const LabSubject& subject, const InspectRequest& request,
                              const InspectionCalls& calls = {});

/// The maps as tensors: `exact.LAYER`, `implied.LAYER`, `difference.LAYER` (heads, keys), `landmarks.LAYER` (heads, landmarks),
/// `rollout.exact`, `rollout.implied`, and what the attention chose by name: `cluster.LAYER` (heads, tokens); where keys are left out `seen.LAYER` (heads, keys), `mass_kept.LAYER` (heads, queries); with several attentions prefixed by their index ("1/implied.3"). The header describes them.
void writeMaps(const LayerInspection& inspection, const std::filesystem::path& file);

}

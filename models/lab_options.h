#pragma once

#include "core/data/preprocess/input_options.h"
#include "core/lab/approximate.h"
#include "core/lab/exits/exits.h"
#include "core/lab/layers/layer_maps.h"
#include "core/lab/leaderboard/leaderboard.h"
#include "core/lab/neighbours/neighbour_report.h"
#include "core/lab/plan/plan.h"
#include "core/run/compare.h"
#include "models/labelled_request.h"
#include "models/model_options.h"

/// The options of the commands that show a model inputs: classify, compare, and the laboratory's.
namespace attnscope {

/// What names a model and what it looks at.
struct LabOptions : RunOptions {
    InputOptions inputs;
    ModelRequest model;
    ViewGrid defaultViews{1, 1};        ///< of videos, where --views does not say
    RandomTensors random{.tokens = 0};  ///< instead of a model or a file; 0 tokens: not
    double temperature = 1;             ///< of tensors alone
};

void visitModelAndInputs(auto& options, auto& visit)
{
    visitInputs(options.inputs, visit, options.defaultViews.name());
    visitOptions(options.model, visit);
}

void visitLab(auto& options, auto& visit)
{
    visitModelAndInputs(options, visit);
    visitAttention(options.attention, visit);
    visitDeviceAndOutput(options, visit);
}

void visitWorkers(MaybeConst<int64_t> auto& workers, auto& visit)
{
    visit("--workers", workers, within(0, 1024),
          "Threads that read and preprocess; 0: as many as --threads, or one per core with a GPU");
}

void visitBatches(MaybeConst<LabelledRequest> auto& request, auto& visit)
{
    visit("--batch-size", request.batch, within(0, 65536, "B"), "Samples per batch; 0: 32 images or 1 video");
    visitWorkers(request.workers, visit);
}

struct ApproximateOptions : LabOptions {
    ApproximateRequest request;
    bool samplesGiven = false;      ///< those of the request, by name
    std::vector<std::string> flat;  ///< specifications
    bool kernel = false, all = false;
    LeaderboardOrder order = LeaderboardOrder::Error;
    std::string resume;  ///< a JSON file; empty: rows are not kept
    double seconds = 45;
};

void visitOptions(MaybeConst<ApproximateOptions> auto& options, auto& visit)
{
    visitLab(options, visit);
    visit("--random", options.random.tokens, optionalWithin(1, 1 << 20, "TOKENS"),
          "Instead of INPUT: q, k and v for this many tokens and 8 heads, drawn independently from a standard "
          "normal distribution");
    visit("--head-size", options.random.width, within(1, 4096, "D"), "Channels per head of the random q, k and v");
    visit("--samples", options.request.samples, OptionRule{.type = "N,N,…"},
          "Sample counts, separated by commas; one, by default 64, with --kernel");
    visit("--kernel", options.kernel,
          "Instead of attentions: exp(q·k) next to the estimate and variance of each kind of random features, "
          "against the norm");
    visit("--flat", options.flat, repeatedText(),
          "An attention measured once as specified and drawn as a horizontal line over all sample counts");
    visit("--tau", options.temperature, optionalWithin(1e-6, 1e6),
          "Multiply the logits of dumped or random q and k");
    visit("--out", options.out, anyText(), "Write the figure (.svg) or its data (.csv)");
    visitSeeds(options.request.seeds, visit);
    visit("--all", options.all,
          "Every attention that needs no training, at several sizes: error of each layer and end to end, time and "
          "memory next to each other");
    visit("--sort", options.order, oneOf({"error", "time", "memory"}),
          "Order of the rows of --all; memory also draws memory instead of time");
    visit("--resume", options.resume, anyText(),
          "With --all: keep the rows in FILE while they are measured, and do not measure again what it already "
          "holds");
    visit("--seconds", options.seconds, optionalWithin(0, 1e6),
          "With --all: aim to be done in that time, by timing as often as that allows, but at least 5 times");
}

struct PlanOptions : LabOptions {
    PlanRequest request;
    std::string budget;    ///< "speed=1.5"
    int64_t labelled = 0;  ///< samples of a labelled folder; 0: INPUT is no such folder
};

void visitOptions(MaybeConst<PlanOptions> auto& options, auto& visit)
{
    visitLab(options, visit);
    visitTokens(options.around.tokens, visit);
    visit("--budget", options.budget, requiredText("KIND=VALUE"),
          "latency=MS, speed=TIMES (relative to explicit softmax), error=RELATIVE, kl=NATS, accuracy=FRACTION of "
          "correct predictions, or drop=FRACTION below exact softmax");
    visit("--labelled", options.labelled, optionalWithin(1, 100000),
          "INPUT is a labelled folder or list, as for evaluate: plan on N samples, spread evenly over it");
    visit("--classes", options.request.labels, listOf(), "The class of each input, in order, separated by commas");
    visit("--rounds", options.request.rounds, within(1, 100000, "INT"),
          "Number of timed runs of every candidate in every layer");
    visit("--out", options.out, anyText(), "Write the figure (.svg) or its data (.csv)");
    visitSeeds(options.request.seeds, visit);
}

struct LayersOptions : LabOptions {
    InspectRequest request;
    std::string against;  ///< another checkpoint, with which the network is compared block by block; empty: none
    std::string query, figure, figureOf = "errors", overlay;
    bool withoutEndToEnd = false, terms = false;
};

void visitOptions(MaybeConst<LayersOptions> auto& options, auto& visit)
{
    visitLab(options, visit);
    visitOptions(options.around, visit);
    visit(
        "--against", options.against, anyText(),
        "Instead of errors: this checkpoint (or untrained[:SEED]) next to that of --weights, block by block over "
        "the inputs: drift, CKA, weights and description; --attention names those of both, by default native, "
        "the second with `;checkpoint=2`");
    visit("--query", options.query, anyText("TOKEN"),
          "Attention maps of one query token: class, or a patch as ROW,COLUMN or FRAME,ROW,COLUMN, counting from "
          "0");
    visit("--out", options.out, anyText(), "Write the maps as tensors to this safetensors file");
    visit("--figure", options.figure, anyText(),
          "Write a figure of the first attention (.svg or .csv): see --figure-of");
    visit("--figure-of", options.figureOf, oneOf(namesOf(layerCharts())),
          "What --figure draws: errors by layer and head; where an attention leaves keys out, exact softmax's "
          "weight on the keys that each query sees, or the keys that the query of --query sees; where tokens "
          "merge, how many patches are one token with each; every query's error; or what the attention chose (see "
          "backends)");
    visit(
        "--overlay", options.overlay, anyText(),
        "Write the errors of the first attention by layer as node data for Google's Model Explorer (.json), for "
        "the network that `export` writes with it; with --against FILE-drift, FILE-cka and FILE-weights, for the "
        "first network");
    visit("--teacher-forced", options.withoutEndToEnd,
          "Only measure errors on the exact pass's q, k, v, without further passes");
    visit("--terms", options.terms,
          "Instead of attentions: the logits of layer 0 as terms of content and position, with maps of the query");
    visitSeeds(options.request.seeds, visit);
}

struct NeighboursOptions : LabOptions {
    std::string datastore, build, evaluate, labels, spec = "native";
    LabelledRequest labelled;
    NeighbourRequest request;
};

void visitOptions(MaybeConst<NeighboursOptions> auto& options, auto& visit)
{
    visitModelAndInputs(options, visit);
    visit("--datastore", options.datastore, requiredText(),
          "The datastore of features (safetensors): written with --build, else read");
    visit("--build", options.build, anyText("FOLDER"),
          "Build the datastore of the features of this labelled folder or list");
    visit("--evaluate", options.evaluate, anyText("FOLDER"),
          "Measure the accuracy on this labelled folder or list against k and mix");
    visitLayout(options.labelled.layout, visit, "Layout of these folders");
    visit("--labels", options.labels, anyText(),
          "Class names of the model: one per line, or a JSON list or object");
    visit("--limit", options.labelled.limit, within(0, maxLimit),
          "Number of samples of a folder, spread evenly; 0: all");
    visit("--attention", options.spec, anyText("SPEC"),
          "The attention with which features are computed (default: the model's own)");
    visit("--k", options.request.k, listOf(),
          "Numbers of neighbours; images show the first (default: 20, and several for --evaluate)");
    visit("--mix", options.request.mix, listOf("X,X,…"),
          "Weights of the neighbours against the model, 0 to 1; images show the first (default: 0.25, and 0 to 1 "
          "for --evaluate)");
    visit("--distance", options.request.distance, oneOf({"l2", "l2-squared", "cosine"}),
          "Distance between features");
    visit("--temperature", options.request.temperature, optionalWithin(1e-9, 1e9),
          "Neighbours weigh exp(−distance/temperature) (default: 0.07 for cosine, else 1)");
    visitBatches(options.labelled, visit);
    visit("--out", options.out, anyText(), "Write accuracy against the mix as a figure (.svg) or its data (.csv)");
    visitDeviceAndOutput(options, visit);
}

struct ExitsOptions : RunOptions {
    LabelledRequest labelled;
    ModelRequest model;
    ExitRequest request;
};

void visitOptions(MaybeConst<ExitsOptions> auto& options, auto& visit)
{
    visit("FOLDER", options.labelled.folder, requiredText(""), "A labelled folder or list, as for `evaluate`");
    visitLayout(options.labelled.layout, visit);
    visit("--limit", options.labelled.limit, within(0, maxLimit), "Number of samples, spread evenly; 0: all");
    visitOptions(options.model, visit);
    visitAttention(options.attention, visit);
    visit("--thresholds", options.request.thresholds, listOf("X,X,…"),
          "Confidences, 0 to 1, above which a sample leaves (default: 0, 0.05 to 1)");
    visit("--penalties", options.request.penalties, listOf("X,X,…"),
          "What a block costs the oracles (default: 0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5 and 1)");
    visitBatches(options.labelled, visit);
    visit("--out", options.out, anyText(),
          "Write figures (.svg) or their data (.csv): FILE, FILE-oracle, and FILE-blocks, where samples leave");
    visitDeviceAndOutput(options, visit);
}

/// Files of weights, and the models of all of them or of each, where they do not say themselves.
struct CheckpointList {
    std::vector<std::string> checkpoints, models;

    /// What opens each checkpoint: `model` but for its own weights and model. Throws UsageError.
    std::vector<ModelRequest> requests(const ModelRequest& model) const;
};

void visitCheckpoints(auto& options, auto& visit, bool required = true)
{
    visitWeights(options.checkpoints, visit, "; may be repeated: every attention then runs with each of them",
                 required);
    visitModelName(options.models, visit, "; once for all of --weights, or once for each");
    visitCheckpointKeys(options.model, visit);
    visitNetwork(options.model, visit);
}

/// What runs attentions in several networks: columns (models/compared_networks.h).
struct ColumnOptions : LabOptions, CheckpointList {};

void visitColumns(auto& options, auto& visit)
{
    visitInputs(options.inputs, visit, options.defaultViews.name());
    visitCheckpoints(options, visit);
}

struct ClassifyOptions : ColumnOptions {
    RunRequest request;
    std::string labels;  ///< a file of class names; empty: the model's own
    std::string pca;     ///< a folder for images of the patches' features; empty: none

    ClassifyOptions() { defaultViews = {10, 3}; }  // the published protocol
};

void visitRun(auto& options, auto& visit)
{
    visitColumns(options, visit);
    visitAttention(options.attention, visit);
    visitOptions(options.around, visit);
    visit("--labels", options.labels, anyText(), "Class names: one per line, or a JSON list or object");
    visit("--topk", options.request.topK, within(1, 100000, "K"), "Classes to show for each attention");
    visit("--logits", options.request.keepLogits, "Include the logits in the JSON");
    visitFeatures(
        options.request.features, visit,
        "Also report features: pooled (what the head reads), token (class token), avg (mean of the patches) or "
        "token+avg; networks without a head report pooled ones");
    visitDeviceAndOutput(options, visit);
}

void visitOptions(MaybeConst<ClassifyOptions> auto& options, auto& visit)
{
    visitRun(options, visit);
}

struct CompareOptions : ClassifyOptions {
    bool withoutLatency = false, withoutGraphs = false, withoutMemory = false, withoutError = false;

    CompareOptions() { defaultViews = {1, 1}; }
};

void visitOptions(MaybeConst<CompareOptions> auto& options, auto& visit)
{
    visitRun(options, visit);
    visitSeeds(options.request.seeds, visit);
    visit("--repetitions", options.request.minimumRepetitions, within(1, 1000000),
          "Minimum number of timed passes per attention");
    visit("--seconds", options.request.minimumSeconds, within(0, 3600, "S"),
          "Minimum time to spend on timing each attention");
    visit("--pca", options.pca, anyText("FOLDER"),
          "Write the principal components of the patches' features as an image per input and attention into this "
          "folder, all in the colours of exact attention");
    visit("--no-latency", options.withoutLatency, "Skip timing");
    visit("--no-cuda-graphs", options.withoutGraphs,
          "On a GPU, launch kernels individually when timing instead of using a CUDA graph");
    visit("--no-memory", options.withoutMemory, "Skip memory measurement");
    visit("--no-error", options.withoutError, "Skip the approximation error");
}

}

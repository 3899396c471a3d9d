#pragma once

#include "core/base/text.h"
#include "core/data/dataset/protocol.h"
#include "core/data/preprocess/input_options.h"
#include "core/evaluate/evaluate.h"
#include "models/lab_options.h"

/// The options of `attnscope-cli evaluate`.
namespace attnscope {

struct EvaluateOptions : RunOptions, CheckpointList {
    std::string folder, from, layout = "auto", labelsFile, protocol, inDistribution, store, labels, shard, receipt;
    VideoOptions video{.sampling = "auto"};
    ModelRequest model;  ///< but for its weights and name
    EvaluationRequest request;
    std::optional<FeatureKind> features;  ///< empty: pooled
    std::vector<int64_t> voters;
    bool probe = false;
    std::string trainFolder;
    int64_t trainLimit = 0;
    bool dryRun = false, noMeasuring = false, strict = false;
    bool tables = true;  ///< false: nothing is printed
};

void visitData(auto& options, auto& visit)
{
    auto& request = options.request;
    visit("FOLDER", options.folder, anyText(""),
          "A folder of class folders, a flat ImageNet folder, or a list (docs/evaluate.md)");
    visit("--from", options.from, anyText(),
          "Evaluate what this TOML file lists instead: data sets, networks, attentions, sizes "
          "(docs/evaluate.md#studies)");
    visitLayout(options.layout, visit);
    visit("--labels-file", options.labelsFile, anyText(),
          "The list of labels of FOLDER's files, wherever it is: `path label`, or the devkit's ground truth");
    visit("--protocol", options.protocol, oneOf(namesOf(protocols()), "NAME"),
          "Evaluate as published: labels, classes among which is predicted, sampling and figures "
          "(docs/evaluate.md#protocols)");
    visit("--in-distribution", options.inDistribution, anyText("FOLDER"),
          "ImageNet's validation set, for the protocol imagenet-o");
    visit("--labels", options.labels, anyText(),
          "Class names of the model: one per line, or a JSON list or object");
    visit("--limit", request.limit, within(0, maxLimit), "Number of samples to evaluate, spread evenly; 0: all");
    visit("--shard", options.shard, anyText("I/N"),
          "Evaluate only part I of N, that is every N-th batch; `merge` joins the parts");
    visitSampling(options.video, request.reading, visit, "10x3, with ssv2 1x3", {"auto", "published", "ssv2"});
    visitImages(request.reading, request.limits, visit);
}

void visitReadouts(auto& options, auto& visit)
{
    visitFeatures(
        options.features, visit,
        "Evaluate features: pooled (what the head reads), token (class token), avg (mean of the patches) "
        "or token+avg; networks without a head evaluate pooled ones");
    visit("--knn", options.voters, listOf("K,K,…"),
          "Accuracy of this many nearest neighbours among the training features (default for features: 10, 20, "
          "100 and 200, as they fit)");
    visit("--probe", options.probe,
          "Accuracy of a linear probe of the features, trained on those of exact attention (default for "
          "features)");
    visit("--train-folder", options.trainFolder, anyText("FOLDER"),
          "Labelled folder or list whose features are trained on (default: `train` in FOLDER, or next to it)");
    visit("--train-limit", options.trainLimit, within(0, maxLimit),
          "Number of training samples, spread evenly; 0: all");
}

void visitWork(auto& options, auto& visit)
{
    auto& request = options.request;
    visit("--store", options.store, anyText(),
          "The results store to write (default: results.sqlite where the app keeps its data)");
    visit("--resume", request.resume, "Resume the evaluation that the same command started");
    visit("--keep", request.keep, oneOf({"predictions", "logits"}, "WHAT"),
          "What is stored of every sample: predictions, or also the logits of all classes (4 bytes each), which "
          "`predictions --out FILE.npz` writes");
    visit("--receipt", options.receipt, anyText(),
          "Write what the results depend on, and their hashes, to FILE: `repeat` repeats the evaluation from it");
    visit("--batch-size", request.batch, within(0, 65536, "B"),
          "Samples per batch; part of the result, so it must be the same for --resume; 0: 32 images or 1 video");
    visitWorkers(request.workers, visit);
    visit(
        "--cache", request.cache, anyText("FOLDER"),
        "Cache preprocessed images in this folder, so that the next evaluation skips decoding (150 KB per image)");
    visit("--cache-bytes", request.cacheBytes, within(0, double(int64_t{1} << 50)), "Maximum size of this cache");
    visit("--decode", request.reading.decoding, oneOf({"exact", "fast"}, "HOW"),
          "How JPEGs are decoded: exact, as in the published evaluations, or fast: to 1/2, 1/4 or 1/8 of the size "
          "where they are shrunk that far, which changes pixels and is named in every record");
    visit("--error", request.error, "Also measure the approximation error of the attention, on the first sample");
    visit("--no-measuring", options.noMeasuring, "Skip latency and memory");
    visit(
        "--strict", options.strict,
        "Exit with code 3 also if files were passed over, are listed twice or do not exist, or were read in part "
        "(`issues` and `partial` of the JSON)");
    visit("--dry-run", options.dryRun, "Report what was found and the estimated cost without evaluating");
}

void visitOptions(MaybeConst<EvaluateOptions> auto& options, auto& visit)
{
    visitData(options, visit);
    visitCheckpoints(options, visit, false);  // a study has its own
    visitAttention(options.attention, visit);
    visitOptions(options.around, visit);
    visitReadouts(options, visit);
    visitWork(options, visit);
    visitDeviceAndOutput(options, visit);
}

}

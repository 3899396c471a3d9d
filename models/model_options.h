#pragma once

#include "core/run/run_options.h"
#include "models/open_model.h"

/// The options that commands with a network have in common.
namespace attnscope {

/// `model`: that of one checkpoint, or of each of several.
void visitModelName(auto& model, auto& visit, const char* more = "")
{
    visit("--model", model, OptionRule{.type = "NAME", .repeats = true},
          std::string("A name listed by `attnscope-cli models`, or a JSON file that describes the model; optional "
                      "if the checkpoint determines it")
              + more);
}

void visitCheckpointKeys(MaybeConst<ModelRequest> auto& request, auto& visit)
{
    visit("--checkpoint-key", request.checkpointKey, anyText("KEY"),
          "The checkpoint key that contains the weights (model_ema for the averaged ones); default: model, "
          "state_dict, …");
    visit("--heads", request.heads, optionalWithin(1, 4096),
          "Number of attention heads, if the checkpoint does not contain it and --model is not given");
    visit("--set", request.given, repeatedText("KEY=VALUE"),
          "A key of the model description that neither the checkpoint nor a file next to it tells "
          "(act=quick_gelu); may be repeated");
}

/// What a checkpoint may not say itself.
void visitCheckpointChoice(MaybeConst<ModelRequest> auto& request, auto& visit)
{
    visitModelName(request.model, visit);
    visitCheckpointKeys(request, visit);
}

/// The size of the input, and the rule that position embeddings are resized by.
void visitImageSize(MaybeConst<ModelRequest> auto& request, auto& visit)
{
    visit(
        "--image-size", request.imageSize, OptionRule{.type = "SIZE"},
        "Size of the input in pixels: the side of a square (518), or WIDTHxHEIGHT (1022x700); 0: the model's own");
    visit(
        "--position", request.positionRule, oneOf({"own", "deit", "timm", "dinov2"}, "RULE"),
        "How position embeddings are resized to another image size: own rule of the model, deit, timm or dinov2");
}

/// `weights`: one checkpoint, or several.
void visitWeights(auto& weights, auto& visit, const char* more = "", bool required = true)
{
    visit("--weights", weights, OptionRule{.type = "FILE", .required = required, .repeats = true},
          std::string("A checkpoint (safetensors or .pth), its folder, or untrained[:SEED] for seeded random "
                      "weights")
              + more);
}

/// How inputs are prepared for a network, and how it computes.
void visitNetwork(MaybeConst<ModelRequest> auto& request, auto& visit)
{
    visitImageSize(request, visit);
    visit("--preset", request.preset, oneOf({"native", "timm", "deit"}, "NAME"),
          "How images are prepared: native (as the weights were tested) or timm (as timm tests them: for DeiT and "
          "PVTv2 a short side of 248 "
          "instead of 256); deit is an older name of native");
    visit("--resize", request.resize, within(0, 65536),
          "Short side before the crop in pixels; 0: as in the preset");
    visit("--class-embeddings", request.classEmbeddings, anyText(),
          "Classify by the cosine of the network's output with these embeddings of classes (safetensors: classes "
          "× width, names in its "
          "header; docs/features.md), for networks without a head and for CLIP and SigLIP");
    visit("--plain", request.plain,
          "Run the unoptimized reference implementation of the layers instead of the one optimized for speed");
}

void visitOptions(MaybeConst<ModelRequest> auto& request, auto& visit)
{
    visitWeights(request.weights, visit);
    visitCheckpointChoice(request, visit);
    visitNetwork(request, visit);
}

}

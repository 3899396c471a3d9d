#pragma once

#include "core/data/augment/augment_options.h"
#include "core/data/preprocess/input_options.h"
#include "models/model_options.h"
#include "models/training/train_model.h"

/// The options of `attnscope-cli train`.
namespace attnscope {

struct TrainOptions {
    TrainRequest request;
    AugmentOptions augment;
    DeviceOptions device;

    TrainOptions() { request.model.weights = "untrained"; }
    /// Those that ask for `given`.
    TrainOptions(TrainRequest given, int64_t threads);
    /// What they ask for, on the device that was chosen.
    TrainRequest requestOn(const std::string& chosenDevice) const;
};

void visitOptions(MaybeConst<OptimizerPlan> auto& plan, auto& visit)
{
    visit("--lr", plan.learningRate, within(0, 10), "Peak learning rate of the schedule");
    visit("--final-lr", plan.finalRate, within(0, 10), ATTN_HELP("Final learning rate of the schedule"));
    visit("--warmup", plan.warmupEpochs, within(0, 100000),
          "Number of warm-up epochs until the peak learning rate");
    visit("--weight-decay", plan.weightDecay, within(0, 10),
          ATTN_HELP("AdamW weight decay; not applied to biases, norms, tokens and position embeddings"));
    visit("--clip", plan.clip, within(0, 1e6), ATTN_HELP("Maximum total gradient norm; 0: no limit"));
}

void visitOptions(MaybeConst<DistillationPlan> auto& plan, auto& visit)
{
    visit("--attention-weight", plan.attentionWeight, within(0, 1e6),
          ATTN_HELP("Loss weight of each layer's attention output error"));
    visit("--layer-weights", plan.layerWeights, listWithin(0, 1e6, "X,X,…"),
          "Relative weights of the layers in that loss, one per layer; default: all 1");
    visit("--logit-weight", plan.logitWeight, within(0, 1e6),
          ATTN_HELP("Loss weight of the Kullback-Leibler divergence of the predictions"));
    visit("--label-weight", plan.labelWeight, within(0, 1e6), ATTN_HELP("Loss weight of the labels"));
    visit("--temperature", plan.temperature, within(0.01, 100),
          ATTN_HELP("Softmax temperature of that divergence"));
    visit("--parameter-epochs", plan.parameterEpochs, within(0, 100000),
          ATTN_HELP("Number of initial epochs that train only the attention's own parameters"));
}

void visitOptions(MaybeConst<TrainOptions> auto& options, auto& visit)
{
    auto& request = options.request;
    auto& plan = request.plan;
    visit("FOLDER", request.folder, requiredText(""),
          "A folder with train and val inside, each with one folder per class; or a list");
    visitLayout(request.layout, visit);
    visit("--val", request.validation, anyText("FOLDER"), "Folder to validate on instead of `val` in FOLDER");
    visit("--limit", plan.limit, within(0, maxLimit),
          ATTN_HELP("Number of training samples to use, spread evenly; 0: all"));
    visit("--workers", plan.workers, within(0, 1024),
          ATTN_HELP("Threads that load and augment samples; 0: one per core"));
    visitCheckpointChoice(request.model, visit);
    visitImageSize(request.model, visit);
    visit("--init", request.model.weights, OptionRule{.type = "FILE"},
          "A checkpoint to start from, or untrained[:SEED]");
    visit.plugins();
    visit("--attention", request.attention, OptionRule{.type = "SPEC"},
          "The attention to train with, as `attnscope-cli backends` spells it; native: the model's own");
    visit("--landmark-map", request.landmarkMap, oneOf({"auto", "light", "dense", "none"}),
          ATTN_HELP("Learned map after LARA's pooling; auto: the checkpoint's if it has one"));
    visit("--exits", plan.exits,
          "Train only exit heads, a norm and a head behind each block but the last; the network of --init stays "
          "as it is");
    visit("--out", request.output, requiredText(),
          "The safetensors file to write; .best, .resume and .history are written next to it");
    visit("--resume", request.resume, "Resume the training run that wrote OUT");
    visit("--overwrite", request.overwrite, "Start over even if OUT exists");
    visit("--epochs", plan.epochs, within(1, 100000), "Number of passes over the training set");
    visit("--batch-size", plan.batch, within(1, 65536, "B"), "Samples per step, over all processes");
    visit("--accumulate", plan.accumulate, within(1, 1024),
          ATTN_HELP("Number of batches whose gradients are accumulated before each weight update"));
    visitOptions(plan.optimizer, visit);
    visit("--label-smoothing", plan.labelSmoothing, within(0, 0.99),
          ATTN_HELP("Label smoothing: fraction of a label that is spread over all classes"));
    visit("--drop-path", plan.dropPath, within(0, 0.99),
          ATTN_HELP("Stochastic depth rate of the last block; increases linearly with depth"));
    visit("--ema", plan.average, within(0, 0.999999),
          ATTN_HELP("Decay of an exponential moving average of the weights, which becomes the result; 0: none"));
    visit("--mixed-precision", plan.mixedPrecision,
          ATTN_HELP("Use bfloat16 inside linear layers and convolutions"));
    visitOptions(options.augment, visit);
    visit("--distil-from", request.teacher, anyText(),
          "Teacher checkpoint for distillation: usually the softmax one that is also given to --init");
    visitOptions(plan.distillation, visit);
    visitDevice(options.device, visit, {"float32"});
}

}

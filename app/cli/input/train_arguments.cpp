// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/train_arguments.h"

#include "core/base/error.h"

namespace attnscope::cli {

namespace {

void addData(CLI::App& command, TrainRequest& request)
{
    command.add_option("FOLDER", request.folder, "A folder with train and val inside, each with one folder per class; or a list")->required();
    addChoice(command, "--layout", request.layout, "Layout of the folder", {"auto", "imagenet", "kinetics", "list"});
    addText(command, "--val", request.validation, "Folder to validate on instead of `val` in FOLDER", "FOLDER");
    addInteger(command, "--limit", request.plan.limit,
               "Number of training samples to use, spread evenly; 0: all", 0, std::int64_t{1} << 40);
    addInteger(command, "--workers", request.plan.workers, "Threads that load and augment samples; 0: one per core", 0, 1024);
}

void addNetwork(CLI::App& command, TrainArguments& arguments)
{
    TrainRequest& request = arguments.request;
    addCheckpointChoice(command, request.model.model, request.model.checkpointKey, request.model.heads);
    command.add_option("--init", arguments.init, "A checkpoint to start from, or untrained[:SEED]")->type_name("FILE")->capture_default_str();
    command.add_option("--attention", request.attention, "The attention to train with, as `attnscope-cli backends` spells it; native: the model's own")
        ->type_name("SPEC")
        ->capture_default_str();
    addChoice(command, "--landmark-map", request.landmarkMap,
              "Learned map after LARA's pooling; auto: the checkpoint's if it has one", {"auto", "light", "dense", "none"});
    command.add_option("--out", request.output, "The safetensors file to write; .best, .resume and .history are written next to it")->required()->type_name("FILE");
    command.add_flag("--resume", request.resume, "Resume the training run that wrote OUT");
    command.add_flag("--overwrite", request.overwrite, "Start over even if OUT exists");
}

void addSchedule(CLI::App& command, TrainingPlan& plan)
{
    OptimizerPlan& optimizer = plan.optimizer;
    addInteger(command, "--epochs", plan.epochs, "Number of passes over the training set", 1, 100000);
    addInteger(command, "--batch-size", plan.batch, "Samples per step, over all processes", 1, 65536, "B");
    addInteger(command, "--accumulate", plan.accumulate, "Number of batches whose gradients are accumulated before each weight update", 1, 1024);
    addReal(command, "--lr", optimizer.learningRate, "Peak learning rate of the schedule", 0, 10);
    addReal(command, "--final-lr", optimizer.finalRate, "Final learning rate of the schedule", 0, 10);
    addReal(command, "--warmup", optimizer.warmupEpochs, "Number of warm-up epochs until the peak learning rate", 0, 100000);
    addReal(command, "--weight-decay", optimizer.weightDecay, "AdamW weight decay; not applied to biases, norms, tokens and position "
                                                              "embeddings", 0, 10);
    addReal(command, "--clip", optimizer.clip, "Maximum total gradient norm; 0: no limit", 0, 1e6);
    addReal(command, "--label-smoothing", plan.labelSmoothing, "Label smoothing: fraction of a label that is spread over all classes", 0, 0.99);
    addReal(command, "--drop-path", plan.dropPath, "Stochastic depth rate of the last block; increases linearly with depth", 0, 0.99);
    addReal(command, "--ema", plan.average, "Decay of an exponential moving average of the weights, which becomes the result; 0: none", 0, 0.999999);
    command.add_flag("--mixed-precision", plan.mixedPrecision, "Use bfloat16 inside linear layers and convolutions");
}

void addAugmentation(CLI::App& command, TrainArguments& arguments)
{
    addChoice(command, "--augment", arguments.augment,
              "deit: the full DeiT recipe; light: random crop and flip; none", {"deit", "light", "none"});
    const auto changed = [&](const std::string& name, double& value, const std::string& help, double high) {
        command.add_option(name, value, help + "; default: set by --augment")->check(between(0, high))->type_name("X");
    };
    command.add_option("--crop-scale", arguments.cropScale, "Minimum and maximum fraction of the image area kept by a random crop")
        ->check(between(0, 1))
        ->expected(2)
        ->delimiter(',')
        ->type_name("A,B");
    changed("--flip", arguments.flip, "Probability of a horizontal flip", 1);
    command.add_option("--rand-augment", arguments.randAugment, "Number and magnitude of RandAugment operations; 0,0: none")
        ->check(between(0, 16))
        ->expected(2)
        ->delimiter(',')
        ->type_name("N,M");
    changed("--erasing", arguments.erasing, "Probability of random erasing", 1);
    changed("--mixup", arguments.mixup, "α of mixup, 0: none", 100);
    changed("--cutmix", arguments.cutmix, "α of CutMix, 0: none", 100);
}

void addDistillation(CLI::App& command, TrainRequest& request)
{
    DistillationPlan& plan = request.plan.distillation;
    addText(command, "--distil-from", request.teacher, "Teacher checkpoint for distillation: usually the softmax one that is also "
                                                       "given to --init");
    addReal(command, "--attention-weight", plan.attentionWeight, "Loss weight of each layer's attention output error", 0, 1e6);
    command.add_option("--layer-weights", plan.layerWeights, "Relative weights of the layers in that loss, one per layer; default: "
                                                             "all 1")
        ->check(between(0, 1e6))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("X,X,…");
    addReal(command, "--logit-weight", plan.logitWeight, "Loss weight of the Kullback-Leibler divergence of the predictions", 0, 1e6);
    addReal(command, "--label-weight", plan.labelWeight, "Loss weight of the labels", 0, 1e6);
    addReal(command, "--temperature", plan.temperature, "Softmax temperature of that divergence", 0.01, 100);
    addInteger(command, "--parameter-epochs", plan.parameterEpochs,
               "Number of initial epochs that train only the attention's own parameters", 0, 100000);
}

AugmentPlan augmentPlan(const TrainArguments& arguments)
{
    AugmentPlan plan = arguments.augment == "deit" ? AugmentPlan{} : arguments.augment == "light" ? lightAugmentation() : noAugmentation();
    if (!arguments.cropScale.empty()) {
        plan.cropScaleMin = arguments.cropScale[0];
        plan.cropScaleMax = arguments.cropScale[1];
    }
    if (!arguments.randAugment.empty()) {
        plan.operations = static_cast<std::int64_t>(arguments.randAugment[0]);
        plan.magnitude = arguments.randAugment[1];
    }
    const auto take = [](double given, double& into) { into = given >= 0 ? given : into; };
    take(arguments.flip, plan.flip);
    take(arguments.erasing, plan.erasing);
    take(arguments.mixup, plan.mixup);
    take(arguments.cutmix, plan.cutmix);
    return plan;
}

}  // namespace

void addTrainArguments(CLI::App& command, TrainArguments& arguments)
{
    addData(command, arguments.request);
    addNetwork(command, arguments);
    addSchedule(command, arguments.request.plan);
    addAugmentation(command, arguments);
    addDistillation(command, arguments.request);
    addDevice(command, arguments.device, {"float32"});
    addSeed(command, arguments.device);
    addJson(command, arguments.output);
    addQuiet(command, arguments.output);
    addText(command, "--store", arguments.store, "A results store that also records every epoch, for `report`");
}

TrainRequest trainRequest(const TrainArguments& arguments)
{
    TrainRequest request = arguments.request;
    request.model.weights = arguments.init;
    request.model.device = chooseDevice(arguments.device);
    request.plan.seed = arguments.device.seed;
    request.plan.augment = augmentPlan(arguments);
    return request;
}

}  // namespace attnscope::cli

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/train_arguments.h"

#include "core/base/error.h"

namespace attnscope::cli {

namespace {

void addData(CLI::App& command, TrainRequest& request)
{
    command.add_option("FOLDER", request.folder, "A folder with train and val inside, of class folders each; or a list")->required();
    addChoice(command, "--layout", request.layout, "How the folder is laid out", {"auto", "imagenet", "kinetics", "list"});
    addText(command, "--val", request.validation, "Another folder to validate on, instead of `val` of FOLDER", "FOLDER");
    addInteger(command, "--limit", request.plan.limit,
               "Use so many samples of the training set, spread evenly; 0: all", 0, std::int64_t{1} << 40);
    addInteger(command, "--workers", request.plan.workers, "Threads that read and augment; 0: one a core", 0, 1024);
}

void addNetwork(CLI::App& command, TrainArguments& arguments)
{
    TrainRequest& request = arguments.request;
    addCheckpointChoice(command, request.model.model, request.model.checkpointKey, request.model.heads);
    command.add_option("--init", arguments.init, "A checkpoint to begin with, or untrained[:SEED]")->type_name("FILE")->capture_default_str();
    command.add_option("--attention", request.attention, "The attention to train with, as `attnscope-cli backends` spells it; native: the model's own")
        ->type_name("SPEC")
        ->capture_default_str();
    addChoice(command, "--landmark-map", request.landmarkMap,
              "Learned map behind LARA's pooling; auto: the checkpoint's where it has one", {"auto", "light", "dense", "none"});
    command.add_option("--out", request.output, "The safetensors file to write; .best, .resume and .history lie beside it")->required()->type_name("FILE");
    command.add_flag("--resume", request.resume, "Go on with the training that OUT was left by");
    command.add_flag("--overwrite", request.overwrite, "Begin anew although OUT exists");
}

void addSchedule(CLI::App& command, TrainingPlan& plan)
{
    OptimizerPlan& optimizer = plan.optimizer;
    addInteger(command, "--epochs", plan.epochs, "Times that the training set is gone through", 1, 100000);
    addInteger(command, "--batch-size", plan.batch, "Samples of a step, in all processes together", 1, 65536, "B");
    addInteger(command, "--accumulate", plan.accumulate, "Steps whose gradients are added up before the weights move", 1, 1024);
    addReal(command, "--lr", optimizer.learningRate, "Learning rate at the top of the schedule", 0, 10);
    addReal(command, "--final-lr", optimizer.finalRate, "Learning rate at its end", 0, 10);
    addReal(command, "--warmup", optimizer.warmupEpochs, "Epochs until the top is reached", 0, 100000);
    addReal(command, "--weight-decay", optimizer.weightDecay, "Of AdamW; not of biases, norms, tokens and positions", 0, 10);
    addReal(command, "--clip", optimizer.clip, "Largest norm of all gradients together; 0: no limit", 0, 1e6);
    addReal(command, "--label-smoothing", plan.labelSmoothing, "Share of a label that is spread over all classes", 0, 0.99);
    addReal(command, "--drop-path", plan.dropPath, "Stochastic depth of the last block; linear over depth", 0, 0.99);
    addReal(command, "--ema", plan.average, "Decay of a moving average of the weights, which becomes the result; 0: none", 0, 0.999999);
    command.add_flag("--mixed-precision", plan.mixedPrecision, "bfloat16 inside linear layers and convolutions");
}

void addAugmentation(CLI::App& command, TrainArguments& arguments)
{
    addChoice(command, "--augment", arguments.augment,
              "deit: the whole recipe; light: random crop and flip; none", {"deit", "light", "none"});
    const auto changed = [&](const std::string& name, double& value, const std::string& help, double high) {
        command.add_option(name, value, help + "; default: of --augment")->check(between(0, high))->type_name("X");
    };
    command.add_option("--crop-scale", arguments.cropScale, "Least and largest share of the picture that a random crop keeps")
        ->check(between(0, 1))
        ->expected(2)
        ->delimiter(',')
        ->type_name("A,B");
    changed("--flip", arguments.flip, "Probability of left and right changing places", 1);
    command.add_option("--rand-augment", arguments.randAugment, "Operations of RandAugment and their magnitude; 0,0: none")
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
    addText(command, "--distil-from", request.teacher, "A checkpoint to learn from: usually the softmax one that --init names too");
    addReal(command, "--attention-weight", plan.attentionWeight, "Weight of matching each layer's attention output", 0, 1e6);
    command.add_option("--layer-weights", plan.layerWeights, "Weights of the layers in that, one each; default: all 1")
        ->check(between(0, 1e6))
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("X,X,…");
    addReal(command, "--logit-weight", plan.logitWeight, "Weight of the Kullback-Leibler divergence of the answers", 0, 1e6);
    addReal(command, "--label-weight", plan.labelWeight, "Weight of the labels", 0, 1e6);
    addReal(command, "--temperature", plan.temperature, "Temperature of that divergence", 0.01, 100);
    addInteger(command, "--parameter-epochs", plan.parameterEpochs,
               "First epochs that train the attention's own parameters alone", 0, 100000);
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
    addText(command, "--store", arguments.store, "A results store that keeps every epoch as well, for `report`");
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

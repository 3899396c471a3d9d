// SPDX-License-Identifier: Apache-2.0
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/table_output.h"
#include "app/cli/training_store.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/distributed/launch.h"
#include "core/train/training_json.h"
#include "models/training/train_model.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

namespace attnscope::cli {

namespace {

struct TrainArguments {
    TrainRequest request;
    DeviceArguments device;
    OutputArguments output;
    std::string store;  ///< a results store that keeps the epochs, too; empty: none
    std::string init = "untrained";
    std::string augment = "deit";
    // Given separately from the preset, so that each may change one thing of it.
    std::vector<double> cropScale, randAugment;
    double flip = -1, erasing = -1, mixup = -1, cutmix = -1;
};

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
    addCheckpointChoice(command, request.model);
    addImageSize(command, request.model);
    command.add_option("--init", arguments.init, "A checkpoint to start from, or untrained[:SEED]")->type_name("FILE")->capture_default_str();
    addPlugins(command);
    command.add_option("--attention", request.attention, "The attention to train with, as `attnscope-cli backends` spells it; native: the model's own")
        ->type_name("SPEC")
        ->capture_default_str();
    addChoice(command, "--landmark-map", request.landmarkMap,
              "Learned map after LARA's pooling; auto: the checkpoint's if it has one", {"auto", "light", "dense", "none"});
    command.add_flag("--exits", request.plan.exits, "Train only exit heads, a norm and a head behind each block but the last; the network of --init stays as it is");
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
        addOptionalReal(command, name, value, help + "; default: set by --augment", 0, high);
    };
    const auto pair = [&](const std::string& name, std::vector<double>& values, const std::string& help, double high) {
        return command.add_option(name, values, help)->check(between(0, high))->expected(2)->delimiter(',');
    };
    pair("--crop-scale", arguments.cropScale, "Minimum and maximum fraction of the image area kept by a random crop", 1)
        ->type_name("A,B");
    changed("--flip", arguments.flip, "Probability of a horizontal flip", 1);
    pair("--rand-augment", arguments.randAugment, "Number and magnitude of RandAugment operations; 0,0: none", 16)
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
    addList(command, "--layer-weights", plan.layerWeights,
            "Relative weights of the layers in that loss, one per layer; default: all 1", "X,X,…")
        ->check(between(0, 1e6));
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

/// The request that the arguments spell. Throws UsageError.
TrainRequest trainRequest(const TrainArguments& arguments)
{
    TrainRequest request = arguments.request;
    request.model.weights = arguments.init;
    request.model.device = chooseDevice(arguments.device);
    request.plan.seed = arguments.device.seed;
    request.plan.augment = augmentPlan(arguments);
    return request;
}

std::string percentOf(double fraction)
{
    return fmt::format("{:.2f}", 100 * fraction);
}

std::string describe(const TrainingStart& start)
{
    std::string text = fmt::format("{}  {}  from {}\n", emphasised(printable(start.model)), start.attention, printable(start.weights));
    if (!start.teacher.empty())
        text += fmt::format("  teacher {}\n", printable(start.teacher));
    text += fmt::format("  {} of {} trained; {}, {} training and {}, {} of {} on {}\n",
                        formatCount(start.trained), formatCounted(start.parameters, "parameter"), counted(start.classes, "class", "classes"), formatCount(start.trainingSamples),
                        formatCounted(start.validationSamples, "validation sample"), counted(start.epochs, "epoch"), counted(start.stepsPerEpoch, "step"), start.device);
    if (start.resumedAt > 0)
        text += fmt::format("  resumes after epoch {}\n", start.resumedAt);
    for (const std::string& note : start.notes)
        text += "  " + printable(note) + "\n";
    return text;
}

/// Empty where there is nothing to say.
std::string notFiniteNote(const ValidationResult& result)
{
    return result.notFinite == 0 ? ""
                                 : fmt::format(" ({} of {} {} non-finite logits and count as wrong)", result.notFinite,
                                               counted(result.samples, "sample"), nounFor(result.notFinite, "has", "have"));
}

/// "12.50 34.17 … %", behind the first block, the second and so on.
std::string exitAccuracies(const ValidationResult& result)
{
    std::string text;
    for (const std::int64_t correct : result.exitsCorrect1)
        text += percentOf(static_cast<double>(correct) / static_cast<double>(std::max<std::int64_t>(result.samples, 1))) + " ";
    return text + "%";
}

std::string describe(const DistillationState& state)
{
    return fmt::format("top-1 {} %{}, relative attention error {}, KL to the teacher {}, same top-1 {} %", percentOf(state.student.top1()),
                       notFiniteNote(state.student), formatError(state.relativeError), formatError(state.divergence), percentOf(state.agreement));
}

/// A line on standard output for each epoch, progress between them on standard error.
class TrainConsole : public TrainingObserver {
public:
    TrainConsole(const OutputArguments& output, bool tables, TrainingStore& store)
        : m_line(output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic)
        , m_tables(tables)
        , m_store(store)
    {}

    void onStart(const TrainingStart& start) override
    {
        print(describe(start));
        m_store.begin(start);
        m_line.start((start.epochs - start.resumedAt) * start.stepsPerEpoch, "steps");
    }

    void onStep(const TrainingStep& step) override
    {
        m_line.show(fmt::format("epoch {} · {}/{} · loss {:.3f} · {:.0f} samples/s", step.epoch, step.step, step.steps, step.meanLoss,
                                step.samplesPerSecond));
        m_line.advance();
    }

    void onValidation(const ValidationStep& step) override
    {
        m_line.show(fmt::format("validation · {}/{}", step.done, step.total));
    }

    void onEpoch(const EpochRecord& epoch) override
    {
        std::string text = fmt::format("epoch {:>3}  loss {:.4f}", epoch.epoch, epoch.trainingLoss);
        const auto& result = epoch.averageValidation ? epoch.averageValidation : epoch.validation;
        if (result)
            text += fmt::format("  validation loss {:.4f}  top-1 {} %  top-5 {} %", result->loss, percentOf(result->top1()), percentOf(result->top5()));
        if (result && !result->exitsCorrect1.empty())
            text += "  exits " + exitAccuracies(*result);
        if (epoch.averageValidation)
            text += fmt::format("  (EMA; raw weights {} %)", percentOf(epoch.validation->top1()));
        text += fmt::format("  lr {:.2e}  {:.0f} samples/s{}\n", epoch.learningRate,
                            epoch.seconds > 0 ? static_cast<double>(epoch.samples) / epoch.seconds : 0, epoch.best ? "  best" : "");
        print(text);
        if (const std::string problem = m_store.add(epoch); !problem.empty())
            m_line.message(problem);
    }

    void onDistillation(const DistillationState& before) override { print("before: " + describe(before) + "\n"); }
    void onMessage(const std::string& sentence) override
    {
        ++m_unreadable;
        m_line.message(sentence);
    }

    [[nodiscard]] std::int64_t unreadable() const { return m_unreadable; }
    void finish() { m_line.finish(); }

private:
    void print(const std::string& text)
    {
        if (m_tables)
            writeData(text);
    }

    ProgressLine m_line;
    bool m_tables;
    TrainingStore& m_store;
    std::int64_t m_unreadable = 0;
};

std::string summary(const TrainingReport& report)
{
    std::string text;
    if (report.teacher)
        text += fmt::format("teacher: top-1 {} % of {} validation samples{}\n", percentOf(report.teacher->top1()), report.teacher->samples,
                            notFiniteNote(*report.teacher));
    if (report.before)
        text += "before:  " + describe(*report.before) + "\n";
    if (report.after)
        text += "after:   " + describe(*report.after) + "\n";
    text += "written: " + printable(report.output) + (report.best.empty() ? "" : ", best epoch " + printable(report.best)) + "\n";
    return text;
}

/// What this program was started by, for a shell: what repeats the training.
std::string commandLine()
{
    std::ifstream stream("/proc/self/cmdline", std::ios::binary);
    std::string text = "attnscope-cli", word;
    std::getline(stream, word, '\0');
    while (std::getline(stream, word, '\0'))
        if (word != "--resume" && word != "--overwrite")
            text += " " + shellWord(word);
    return text;
}

ExitCode run(TrainArguments& arguments, std::stop_token stop)
{
    const JsonTarget target(arguments.output.json);
    const TrainRequest request = trainRequest(arguments);
    // Of several processes the first one writes.
    TrainingStore store(launch().isFirst() ? arguments.store : "", request.output, commandLine());
    TrainConsole console(arguments.output, !target.replacesTables(), store);
    TrainingReport report;
    try {
        report = train(request, console, stop);
    } catch (const Cancelled&) {
        console.finish();
        if (launch().isFirst())
            writeMessage("stopped; the same command with --resume continues after the last finished epoch.");
        throw;
    }
    console.finish();
    if (launch().isFirst())
        target.print(summary(report), toJson(report));
    return console.unreadable() > 0 ? ExitCode::SomeUnreadable : ExitCode::Done;
}

}  // namespace

void addTrainCommand(CommandList& commands)
{
    const auto [command, arguments] = commands.add<TrainArguments>(
        "train", "Trains from scratch, fine-tunes, or distils a softmax model into the same one with another attention",
        {"train imagenet --model deit_tiny_patch16_224 --out deit_tiny.safetensors",
         "train scenes --init softmax.safetensors --distil-from softmax.safetensors --attention lara:samples=49,proposal=mixed --out lara.safetensors",
         "train scenes --init softmax.safetensors --attention performer --out performer.safetensors --resume",
         "train scenes --init at_112.safetensors --image-size 224 --out at_224.safetensors --epochs 2 --lr 3e-4",
         "train scenes --init softmax.safetensors --exits --out exits.safetensors --epochs 5 --warmup 1 --augment light"},
        run);
    addData(command, arguments.request);
    addNetwork(command, arguments);
    addSchedule(command, arguments.request.plan);
    addAugmentation(command, arguments);
    addDistillation(command, arguments.request);
    addDeviceAndOutput(command, arguments.device, arguments.output, {"float32"});
    addText(command, "--store", arguments.store, "A results store that also records every epoch, for `report`");
}

}  // namespace attnscope::cli

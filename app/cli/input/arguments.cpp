// SPDX-License-Identifier: Apache-2.0
#include "app/cli/input/arguments.h"

#include "core/base/error.h"
#include "core/base/process_limit.h"
#include "core/base/text.h"
#include "core/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

namespace attnscope::cli {

namespace {

/// 2^53: what readers of JSON keep exactly.
constexpr std::int64_t largestSeed = 9'007'199'254'740'992;

}  // namespace

CLI::Validator between(double low, double high)
{
    const auto check = [low, high](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
            return std::string();
        return fmt::format("`{}` is no number from {} to {}", printable(text), low, high);
    };
    return {check, fmt::format("FLOAT in [{} - {}]", low, high)};
}

void addJson(CLI::App& command, OutputArguments& arguments)
{
    command
        .add_option("--json", arguments.json,
                    "Write the result as JSON to FILE, or to standard output instead of the tables (-)")
        ->type_name("FILE|-");
}

void addQuiet(CLI::App& command, OutputArguments& arguments)
{
    command.add_flag("--quiet", arguments.quiet, "No progress on standard error");
}

void addDevice(CLI::App& command, DeviceArguments& arguments, const std::vector<std::string>& dtypes)
{
    command.add_option("--device", arguments.device, "auto (the first GPU, else the CPU), cpu, cuda or cuda:N")
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--dtype", arguments.dtype, "Number type of the computation")
        ->check(CLI::IsMember(dtypes))
        ->type_name("TYPE")
        ->capture_default_str();
    command.add_option("--threads", arguments.threads, "Threads of the CPU; 0: one a core")
        ->check(CLI::Range(0, 4096))
        ->type_name("N")
        ->capture_default_str();
}

void addSeed(CLI::App& command, DeviceArguments& arguments)
{
    command.add_option("--seed", arguments.seed, "Seed of all random numbers")
        ->check(CLI::Range(std::int64_t{0}, largestSeed))
        ->type_name("N")
        ->capture_default_str();
}

void addCheckpointChoice(CLI::App& command, std::string& model, std::string& key, std::int64_t& heads)
{
    command
        .add_option("--model", model,
                    "A name of `attnscope-cli models`, or a JSON file that describes the model; may be left out where the "
                    "checkpoint decides it")
        ->type_name("NAME");
    command
        .add_option("--checkpoint-key", key,
                    "The key that the weights are under (model_ema for the averaged ones); default: model, state_dict, …")
        ->type_name("KEY");
    command.add_option("--heads", heads, "Attention heads, where the checkpoint does not say and --model is left out")
        ->check(CLI::Range(1, 4096))
        ->type_name("N");
}

void addModel(CLI::App& command, ModelArguments& arguments)
{
    command
        .add_option("--weights", arguments.weights,
                    "A checkpoint (safetensors or .pth), or untrained[:SEED] for seeded random weights")
        ->required()
        ->type_name("FILE");
    addCheckpointChoice(command, arguments.model, arguments.checkpointKey, arguments.heads);
    command.add_option("--image-size", arguments.imageSize, "Side of the input in pixels; 0: the model's own")
        ->check(CLI::Range(0, 16384))
        ->type_name("N")
        ->capture_default_str();
    command
        .add_option("--position", arguments.positionRule,
                    "How position embeddings are resized to another image size: deit or timm")
        ->check(CLI::IsMember(std::vector<std::string>{"deit", "timm"}))
        ->type_name("RULE")
        ->capture_default_str();
    command
        .add_option("--preset", arguments.preset,
                    "Short side before the crop: deit (256 for 224) or timm (248 for 224)")
        ->check(CLI::IsMember(std::vector<std::string>{"deit", "timm"}))
        ->type_name("NAME")
        ->capture_default_str();
    command.add_option("--resize", arguments.resize, "That short side in pixels; 0: the preset's")
        ->check(CLI::Range(0, 65536))
        ->type_name("N")
        ->capture_default_str();
    command.add_flag("--plain", arguments.plain,
                     "Compute layers one after the other as they are written, the reference, instead of planned for speed");
}

CLI::Option* addAttention(CLI::App& command, std::vector<std::string>& specs)
{
    return command
        .add_option("--attention", specs,
                    "An attention, name[:key=value,…]; may be repeated (`attnscope-cli backends` lists them)")
        ->type_name("SPEC")
        ->allow_extra_args(false);
}

void addSeeds(CLI::App& command, std::int64_t& seeds)
{
    command.add_option("--seeds", seeds, "Draws over which the error of a random attention is averaged")
        ->check(CLI::Range(1, 10000))
        ->type_name("N")
        ->capture_default_str();
}

std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs)
{
    std::vector<AttentionSpec> parsed;
    for (const std::string& text : specs) {
        AttentionSpec spec = AttentionSpec::parse(text);
        if (std::find(parsed.begin(), parsed.end(), spec) != parsed.end())
            throw UsageError(spec.canonical(), "this attention is given twice", "give each once");
        parsed.push_back(std::move(spec));
    }
    return parsed;
}

void useThreads(const DeviceArguments& arguments)
{
    constexpr std::int64_t besides = 2;  // the picture decoder, and who reads while others compute
    const std::int64_t needed = setThreads(arguments.threads) + besides;
    if (const std::int64_t started = threadsThatStart(needed); started < needed)
        throw Unsupported("", "only " + std::to_string(started) + " of the " + std::to_string(needed)
                                  + " threads and processes that are needed can be started here",
                          "give fewer with --threads, or " + reachedLimit(EAGAIN)->remedy);
}

std::string chooseDevice(const DeviceArguments& arguments)
{
    useThreads(arguments);
    return resolveDevice(arguments.device);
}

ModelRequest modelRequest(const ModelArguments& model, const DeviceArguments& device,
                          const std::string& resolvedDevice, const Limits& limits)
{
    ModelRequest request;
    request.model = model.model;
    request.weights = model.weights;
    request.checkpointKey = model.checkpointKey;
    request.heads = model.heads;
    request.device = resolvedDevice;
    request.dtype = device.dtype;
    request.imageSize = model.imageSize;
    request.positionRule = model.positionRule;
    request.preset = model.preset;
    request.resize = model.resize;
    request.plain = model.plain;
    request.limits = limits;
    return request;
}

}  // namespace attnscope::cli

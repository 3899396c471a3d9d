#include "app/cli/input/arguments.h"

#include "app/cli/input/declare_options.h"
#include "core/attention/plugin/plugin.h"
#include "core/base/error.h"
#include "core/base/process/process_limit.h"
#include "core/base/text.h"
#include "core/device/device.h"
#include "core/run/features/feature_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <string_view>

namespace attnscope::cli {

CLI::Validator between(double low, double high)
{
    const auto check = [low, high](std::string& text) {
        double value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high)
            return std::string();
        return fmt::format("`{}` is not a number from {} to {}", printable(text), low, high);
    };
    return {check, fmt::format("FLOAT in [{} - {}]", low, high)};
}

CLI::Option* addReal(CLI::App& command, const std::string& name, double& value, const std::string& help,
                     double min, double max, const std::string& type)
{
    return addOptionalReal(command, name, value, help, min, max, type)->capture_default_str();
}

CLI::Option* addOptionalInteger(CLI::App& command, const std::string& name, int64_t& value,
                                const std::string& help, int64_t min, int64_t max, const std::string& type)
{
    return command.add_option(name, value, help)->check(CLI::Range(min, max))->type_name(type);
}

CLI::Option* addOptionalReal(CLI::App& command, const std::string& name, double& value, const std::string& help,
                             double min, double max, const std::string& type)
{
    return command.add_option(name, value, help)->check(between(min, max))->type_name(type);
}

CLI::Option* addChoice(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                       const std::vector<std::string>& words, const std::string& type)
{
    CLI::Option* option =
        command.add_option(name, value, help)->check(CLI::IsMember(words))->capture_default_str();
    return type.empty() ? option : option->type_name(type);
}

CLI::Option* addText(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                     const std::string& type)
{
    return command.add_option(name, value, help)->type_name(type);
}

void addJson(CLI::App& command, OutputArguments& arguments)
{
    addText(command, "--json", arguments.json,
            "Write the result as JSON to FILE, or to standard output (-) instead of the tables", "FILE|-");
}

void addQuiet(CLI::App& command, OutputArguments& arguments)
{
    command.add_flag("--quiet", arguments.quiet, "Show no progress on standard error");
}

void addDeviceAndOutput(CLI::App& command, DeviceArguments& device, OutputArguments& output,
                        const std::vector<std::string>& dtypes)
{
    DeclareOptions declare(command);
    visitDevice(device, declare, dtypes);
    addJson(command, output);
    addQuiet(command, output);
}

void addAttention(CLI::App& command, std::vector<std::string>& specs)
{
    addRepeated(command, "--attention", specs,
                "An attention, name[:key=value,…]; may be repeated (`attnscope-cli backends` lists them)");
    addPlugins(command);
}

void addPlugins(CLI::App& command)
{
    command
        .add_option_function<std::vector<std::string>>(
            "--plugin",
            [](const std::vector<std::string>& files) {
                for (const std::string& file : files)
                    loadPlugin(file);
            },
            "A file with your own attention (TorchScript or a library; docs/plugins.md), which is tried in a "
            "process of its own and runs with all "
            "your rights; may be repeated")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->trigger_on_parse(false);
}

void addTokens(CLI::App& command, std::vector<std::string>& specs)
{
    const TokenMethodInfo& merging = tokenMethods().front();
    std::vector<std::string> options;
    for (const OptionInfo& option : merging.options)
        options.push_back(option.name);
    addRepeated(command, "--tokens", specs,
                "What every attention runs with: none, or " + merging.name
                    + ":r=13, by which similar tokens merge (options: " + joinWords(options, "and")
                    + "; docs/training-free.md); may be repeated");
}

void addAroundAttention(CLI::App& command, AroundAttention& around)
{
    addTokens(command, around.tokens);
    addRepeated(command, "--weights-dtype", around.weights,
                "How the linear layers of the network's blocks are stored: own (as they are computed) or int8 (in "
                "8 bits, and their inputs rounded "
                "to 8 bits; docs/performance.md); may be repeated",
                "NAME")
        ->check(CLI::IsMember(weightStorageNames()));
}

void addSeeds(CLI::App& command, int64_t& seeds)
{
    addInteger(command, "--seeds", seeds, "Number of seeds over which the error of a random attention is averaged",
               1, 10000);
}

void addFeatures(CLI::App& command, std::string& kind, const std::string& help)
{
    addText(command, "--features", kind, help, "KIND")->check(CLI::IsMember(featureKindNames()));
}

std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs)
{
    std::vector<AttentionSpec> parsed;
    for (const std::string& text : specs) {
        AttentionSpec spec = AttentionSpec::parse(text);
        if (std::ranges::find(parsed, spec) != parsed.end())
            throw UsageError(spec.canonical(), "this attention is given twice", "give each only once");
        parsed.push_back(std::move(spec));
    }
    return parsed;
}

namespace {

/// Each text parsed, none twice.
template <typename Parse>
auto parsedOnce(const std::string& option, const std::vector<std::string>& texts, const Parse& parse)
{
    std::vector<decltype(parse(std::string()))> parsed;
    for (const std::string& text : texts) {
        const auto one = parse(text);
        if (std::ranges::find(parsed, one) != parsed.end())
            throw UsageError(option, text + " is given twice", "give each only once");
        parsed.push_back(one);
    }
    return parsed;
}

}

std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs, const AroundAttention& around)
{
    const auto tokens = parsedOnce("--tokens", around.tokens,
                                   [](const std::string& text) { return TokenSpec::parse(text); });
    const auto weights = parsedOnce("--weights-dtype", around.weights,
                                    [](const std::string& text) { return weightStorageOf(text); });
    std::vector<AttentionSpec> all;
    for (const AttentionSpec& spec : parseSpecs(specs)) {
        if (!tokens.empty() && !spec.tokens().isNone())
            throw UsageError(spec.canonical(), "it names its tokens itself", "leave out --tokens, or `;tokens=`");
        if (!weights.empty() && spec.weights() != WeightStorage::Own)
            throw UsageError(spec.canonical(), "it names its weights itself",
                             "leave out --weights-dtype, or `;weights=`");
        for (const TokenSpec& token : tokens.empty() ? std::vector{spec.tokens()} : tokens)
            for (const WeightStorage weight : weights.empty() ? std::vector{spec.weights()} : weights)
                all.push_back(spec.withTokens(token).withWeights(weight));
    }
    return all;
}

std::filesystem::path appFolder(const char* variable, const char* below)
{
    const auto absolute = [](const char* name) {
        const char* value = std::getenv(name);
        return value != nullptr && *value == '/' ? value
                                                 : "";  // relative ones are to be ignored, says the specification
    };
    std::filesystem::path folder = absolute(variable);
    if (folder.empty() && *absolute("HOME") != '\0')
        folder = std::filesystem::path(absolute("HOME")) / below;
    return folder.empty() ? folder : folder / "attnscope";
}

std::vector<GivenOption> givenOptions(const CLI::App& command)
{
    std::vector<GivenOption> given;
    for (const CLI::Option* option : command.get_options())
        if (std::vector<std::string> values = option->results();
            option->count() > 0 && values != std::vector{option->get_default_str()}) {
            if (option->get_delimiter() != '\0')
                values = {joined(values, ",")};
            if (option->get_items_expected_max() == 0)
                values.clear();
            given.push_back({option->get_name(), std::move(values)});
        }
    return given;
}

bool isReceiptOption(const std::string& name)
{
    constexpr std::array allowed{
        "--layout",        "--model",      "--checkpoint-key", "--heads",      "--image-size",  "--position",
        "--preset",        "--resize",     "--decode",         "--attention",  "--tokens",      "--limit",
        "--weights-dtype", "--views",      "--batch-size",     "--dtype",      "--seed",        "--plain",
        "--device",        "--sampling",   "--rotation",       "--start-time", "--orientation", "--limit-pixels",
        "--limit-side",    "--limit-bytes"};
    return std::ranges::find(allowed, name) != allowed.end();
}

std::string commandLine(const char* command, std::vector<std::string> words)
{
    words.insert(words.begin(), command);
    for (const PluginInfo& plugin : loadedPlugins())
        words.insert(words.end(), {"--plugin", plugin.file.string()});
    return shellLine(words);
}

std::string chooseDevice(const DeviceArguments& arguments)
{
    constexpr int64_t besides = 2;  // the image decoder, and who reads while others compute
    const int64_t needed = setThreads(arguments.threads) + besides;
    if (const int64_t started = threadsThatStart(needed); started < needed)
        throw Unsupported("",
                          "only " + std::to_string(started) + " of the " + std::to_string(needed)
                              + " required threads and processes can be started here",
                          "use fewer --threads, or " + reachedLimit(EAGAIN)->remedy);
    return resolveDevice(arguments.device);
}

ModelRequest modelRequest(ModelRequest model, const DeviceArguments& device, const std::string& resolvedDevice,
                          const Limits& limits)
{
    model.device = resolvedDevice;
    model.dtype = device.dtype;
    model.limits = limits;
    return model;
}

}

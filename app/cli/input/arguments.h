#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/limits.h"
#include "models/model_options.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Options that several commands share, spelled and explained once.
namespace attnscope::cli {

struct OutputArguments {
    std::string json;    ///< empty, "-" or a file
    bool quiet = false;  ///< no progress
};

/// Accepts numbers from `low` to `high`. CLI::Range compares so that NaN, which is below and above nothing, passes.
CLI::Validator between(double low, double high);

/// An option with a whole number from `min` to `max`. Help shows its default, as for `addReal` and `addChoice`.
template <typename Integer>
CLI::Option* addInteger(CLI::App& command, const std::string& name, Integer& value, const std::string& help,
                        int64_t min, int64_t max, const std::string& type = "N")
{
    return command.add_option(name, value, help)
        ->check(CLI::Range(min, max))
        ->type_name(type)
        ->capture_default_str();
}
/// An option with a number from `min` to `max`.
CLI::Option* addReal(CLI::App& command, const std::string& name, double& value, const std::string& help,
                     double min, double max, const std::string& type = "X");
/// The same, but what holds without the option is no number that help could show.
CLI::Option* addOptionalInteger(CLI::App& command, const std::string& name, int64_t& value,
                                const std::string& help, int64_t min, int64_t max, const std::string& type = "N");
CLI::Option* addOptionalReal(CLI::App& command, const std::string& name, double& value, const std::string& help,
                             double min, double max, const std::string& type = "X");
/// An option with values behind one another, separated by commas.
template <typename Value>
CLI::Option* addList(CLI::App& command, const std::string& name, std::vector<Value>& values,
                     const std::string& help, const std::string& type = "N,N,…")
{
    return command.add_option(name, values, help)->delimiter(',')->allow_extra_args(false)->type_name(type);
}
/// An option that may be given several times, each time with one value.
template <typename Value>
CLI::Option* addRepeated(CLI::App& command, const std::string& name, std::vector<Value>& values,
                         const std::string& help, const std::string& type = "SPEC")
{
    return command.add_option(name, values, help)->type_name(type)->allow_extra_args(false);
}
/// An option with one of `words`; help lists them where `type` is empty.
CLI::Option* addChoice(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                       const std::vector<std::string>& words, const std::string& type = {});
/// An option with a text, by default the name of a file; help shows no default.
CLI::Option* addText(CLI::App& command, const std::string& name, std::string& value, const std::string& help,
                     const std::string& type = "FILE");

void addJson(CLI::App& command, OutputArguments& arguments);
void addQuiet(CLI::App& command, OutputArguments& arguments);
/// What all commands that compute end with: --device, --dtype with one of `dtypes`, --threads, --seed, --json, --quiet.
void addDeviceAndOutput(CLI::App& command, DeviceArguments& device, OutputArguments& output,
                        const std::vector<std::string>& dtypes = {"float32", "bfloat16", "float16"});
/// `--attention SPEC`, one specification each time it is given, and --plugin.
void addAttention(CLI::App& command, std::vector<std::string>& specs);
/// `--plugin FILE`, which loads it (core/attention/plugin) while arguments are parsed, before any specification is.
void addPlugins(CLI::App& command);
void addSeeds(CLI::App& command, int64_t& seeds);
/// `--features KIND` (core/run/features/feature_kind.h).
void addFeatures(CLI::App& command, std::string& kind, const std::string& help);

/// `--tokens SPEC`, one specification each time it is given: what every attention runs with.
void addTokens(CLI::App& command, std::vector<std::string>& specs);

/// What every attention runs with: each of `tokens` with each of `weights`.
struct AroundAttention {
    std::vector<std::string> tokens, weights;
};
/// `--tokens SPEC` and `--weights-dtype NAME`.
void addAroundAttention(CLI::App& command, AroundAttention& around);

/// Throws UsageError for the first that is none, or that is given twice.
std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs);
/// Every attention with all of these, attentions first; without any as they are. Throws UsageError.
std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs, const AroundAttention& around);

/// The app's folder by the XDG base directory specification: in that of the environment `variable`, else in `below`
/// the home folder; empty where there is neither.
std::filesystem::path appFolder(const char* variable, const char* below);

/// The options that were given otherwise than help says that they are by default.
std::vector<GivenOption> givenOptions(const CLI::App& command);
/// Whether an option determines results and names no file to read or write: a receipt may ask for it.
bool isReceiptOption(const std::string& name);

/// "attnscope-cli scale --dim 64": what asks for the same options again, with the plug-ins that are loaded.
std::string commandLine(const char* command, std::vector<std::string> words);
template <typename Request>
std::string commandLine(const char* command, const Request& request)
{
    return commandLine(command, optionWords(request));
}

/// The device that "auto" and the others stand for. Why "auto" is the CPU is said once, by `doctor`; results name their
/// device. Sets the threads that models use, too: throws Unsupported where the system lets fewer run, which libraries
/// would end the program for.
std::string chooseDevice(const DeviceArguments& arguments);

/// The model that was named, on that device.
ModelRequest modelRequest(ModelRequest model, const DeviceArguments& device, const std::string& resolvedDevice,
                          const Limits& limits);

}

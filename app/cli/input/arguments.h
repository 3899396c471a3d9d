#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/limits.h"
#include "models/model_options.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <string>
#include <vector>

/// Options that several commands share, spelled and explained once.
namespace attnscope::cli {

/// Accepts numbers from `low` to `high`. CLI::Range compares so that NaN, which is below and above nothing, passes.
CLI::Validator between(double low, double high);

/// `--plugin FILE`, which loads it (core/attention/plugin) while arguments are parsed, before any specification is.
void addPlugins(CLI::App& command);
/// Throws UsageError for the first that is none, or that is given twice.
std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs);
/// Every attention with all of these, attentions first; without any as they are. Throws UsageError.
std::vector<AttentionSpec> parseSpecs(const std::vector<std::string>& specs, const AroundAttention& around);

/// The app's folder by the XDG base directory specification: in that of the environment `variable`, else in `below`
/// the home folder; empty where there is neither.
std::filesystem::path appFolder(const char* variable, const char* below);

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
std::string chooseDevice(const DeviceOptions& arguments);

/// The model that was named, on that device.
ModelRequest modelRequest(ModelRequest model, const DeviceOptions& device, const std::string& resolvedDevice,
                          const Limits& limits);

}

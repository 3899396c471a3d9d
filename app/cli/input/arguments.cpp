#include "app/cli/input/arguments.h"

#include "core/attention/plugin/plugin.h"
#include "core/base/error.h"
#include "core/base/process/process_limit.h"
#include "core/base/text.h"
#include "core/device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

bool isReceiptOption(const std::string& name)
{
    constexpr std::array allowed{
        "--layout",        "--model",       "--checkpoint-key", "--heads",      "--image-size",  "--position",
        "--preset",        "--resize",      "--decode",         "--attention",  "--tokens",      "--limit",
        "--weights-dtype", "--views",       "--batch-size",     "--dtype",      "--seed",        "--plain",
        "--device",        "--sampling",    "--rotation",       "--start-time", "--orientation", "--limit-pixels",
        "--limit-side",    "--limit-bytes", "--protocol"};
    return std::ranges::find(allowed, name) != allowed.end();
}

std::string commandLine(const char* command, std::vector<std::string> words)
{
    words.insert(words.begin(), command);
    for (const PluginInfo& plugin : loadedPlugins())
        words.insert(words.end(), {"--plugin", plugin.file.string()});
    return shellLine(words);
}

std::string chooseDevice(const DeviceOptions& arguments)
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

ModelRequest modelRequest(ModelRequest model, const DeviceOptions& device, const std::string& resolvedDevice,
                          const Limits& limits)
{
    model.device = resolvedDevice;
    model.dtype = device.dtype;
    model.limits = limits;
    return model;
}

}

#pragma once

#include "core/attention/network/token_spec.h"
#include "core/attention/network/weight_storage.h"
#include "core/base/options/options.h"
#include "core/base/text.h"
#include "core/run/features/feature_kind.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The options that commands which run an attention have in common.
namespace attnscope {

/// On what is computed, and how.
struct DeviceOptions {
    std::string device = "auto";
    std::string dtype = "float32";
    int64_t threads = 0;  ///< 0: one per core
    uint64_t seed = 0;
};

constexpr double largestSeed = 9'007'199'254'740'992;  // 2^53: what readers of JSON keep exactly

void visitThreads(MaybeConst<int64_t> auto& threads, auto& visit)
{
    visit("--threads", threads, within(0, 4096), "CPU threads; 0: one per core");
}

void visitDevice(MaybeConst<DeviceOptions> auto& options, auto& visit,
                 std::vector<std::string> dtypes = computationTypes())
{
    visit("--device", options.device, OptionRule{.type = "NAME"},
          "auto (the first GPU, else the CPU), cpu, cuda or cuda:N");
    visit("--dtype", options.dtype, oneOf(std::move(dtypes), "TYPE"), "Data type of the computation");
    visitThreads(options.threads, visit);
    visit("--seed", options.seed, within(0, largestSeed), "Seed of all random numbers");
}

struct OutputOptions {
    std::string json;    ///< empty, "-" or a file
    bool quiet = false;  ///< no progress
};

void visitJson(auto& options, auto& visit)
{
    visit("--json", options.json, anyText("FILE|-"),
          "Write the result as JSON to FILE, or to standard output (-) instead of the tables");
}

void visitOptions(MaybeConst<OutputOptions> auto& options, auto& visit)
{
    visitJson(options, visit);
    visit("--quiet", options.quiet, "Show no progress on standard error");
}

/// What every attention runs with: each of `tokens` with each of `weights`.
struct AroundAttention {
    std::vector<std::string> tokens, weights;
};

/// What runs attentions, as it is asked for.
struct RunOptions {
    std::vector<std::string> attention;  ///< specifications
    AroundAttention around;
    DeviceOptions device;
    OutputOptions output;
    std::string out;  ///< a figure or tensors; empty: none
};

/// The specifications of attentions, and where they come from.
void visitAttention(MaybeConst<std::vector<std::string>> auto& specs, auto& visit)
{
    visit("--attention", specs, repeatedText(),
          "An attention, name[:key=value,…]; may be repeated (`attnscope-cli backends` lists them)");
    visit.plugins();
}

void visitTokens(MaybeConst<std::vector<std::string>> auto& specs, auto& visit)
{
    const TokenMethodInfo& merging = tokenMethods().front();
    std::vector<std::string> options;
    for (const OptionInfo& option : merging.options)
        options.push_back(option.name);
    visit("--tokens", specs, repeatedText(),
          "What every attention runs with: none, or " + merging.name
              + ":r=13, by which similar tokens merge (options: " + joinWords(options, "and")
              + "; docs/training-free.md); may be repeated");
}

void visitOptions(MaybeConst<AroundAttention> auto& around, auto& visit)
{
    visitTokens(around.tokens, visit);
    visit(
        "--weights-dtype", around.weights,
        OptionRule{.words = weightStorageNames(), .type = "NAME", .showsDefault = false, .repeats = true},
        "How the linear layers of the network's blocks are stored: own (as they are computed) or int8 (in 8 bits, "
        "and their inputs rounded to 8 bits; docs/performance.md); may be repeated");
}

/// What all commands that compute end with.
void visitDeviceAndOutput(auto& options, auto& visit, std::vector<std::string> dtypes = computationTypes())
{
    visitDevice(options.device, visit, std::move(dtypes));
    visitOptions(options.output, visit);
}

void visitFeatures(MaybeConst<std::optional<FeatureKind>> auto& kind, auto& visit, const char* help)
{
    visit("--features", kind, OptionRule{.words = featureKindNames(), .type = "KIND", .showsDefault = false},
          help);
}

void visitSeeds(MaybeConst<int64_t> auto& seeds, auto& visit)
{
    visit("--seeds", seeds, within(1, 10000),
          "Number of seeds over which the error of a random attention is averaged");
}

}

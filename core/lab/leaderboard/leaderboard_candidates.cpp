#include "core/lab/leaderboard/leaderboard_candidates.h"

#include "core/base/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

constexpr const char* prefixOptionName = "prefix_attention";

/// Rounds of hashing and other counts of a few are no budget of tokens.
constexpr double minMaximumOfABudget = 256;

bool hasBudget(const BackendInfo& info)
{
    const OptionInfo* samples = findOption(info, "samples");
    return samples != nullptr && !info.samplesPerQuery && samples->maximum >= minMaximumOfABudget;
}

void addOnce(const AttentionSpec& spec, std::vector<AttentionSpec>& specs)
{
    if (std::ranges::find(specs, spec) == specs.end())
        specs.push_back(spec);
}

AttentionSpec resized(const BackendInfo& info, const AttentionSpec& spec, int64_t samples)
{
    return info.withSamples == nullptr ? spec.with("samples", samples) : info.withSamples(spec, samples);
}

/// Also with exact rows of class token and registers, unless it says what they are.
std::vector<AttentionSpec> formsOf(const BackendInfo& info, const AttentionSpec& spec, bool hasPrefix)
{
    std::vector<AttentionSpec> forms{spec};
    const OptionInfo* prefix = findOption(info, prefixOptionName);
    if (hasPrefix && prefix != nullptr && spec.choice(prefixOptionName) == "ordinary")
        addOnce(spec.with(prefixOptionName, std::string("rows")), forms);
    return forms;
}

}

std::string whyOmittedFromLeaderboard(const BackendInfo& info)
{
    if (info.needsReduction)
        return "it is a network's own attention over reduced keys";
    switch (info.kind) {
    case AttentionKind::Approximation:
        return {};
    case AttentionKind::Exact:
        return "it is exact";
    case AttentionKind::OtherKernel:
        return "it is another function of queries and keys, not an approximation of softmax";
    case AttentionKind::NeedsTraining:
        break;
    }
    return info.planCandidates.empty() ? "it has learned weights" : "";
}

std::vector<int64_t> leaderboardSamples(int64_t patches)
{
    std::vector<int64_t> sizes;
    for (const double fraction : std::array{1.0 / 32, 1.0 / 16, 1.0 / 8, 1.0 / 4}) {
        const auto side = std::max<int64_t>(2, std::llround(std::sqrt(fraction * double(patches))));
        if (std::ranges::find(sizes, side * side) == sizes.end())
            sizes.push_back(side * side);
    }
    return sizes;
}

std::vector<AttentionSpec> methodCandidates(const BackendInfo& info, const std::vector<int64_t>& sizes,
                                            bool hasPrefix)
{
    std::vector<AttentionSpec> bases{AttentionSpec::parse(info.name)};
    if (!info.dropIn.empty())
        addOnce(AttentionSpec::parse(info.dropIn), bases);
    for (const std::string& text : info.planCandidates)
        addOnce(AttentionSpec::parse(text), bases);
    std::vector<AttentionSpec> sized;
    for (const AttentionSpec& base : bases) {
        addOnce(base, sized);
        if (!hasBudget(info))
            continue;
        for (const int64_t samples : sizes) {
            try {
                addOnce(resized(info, base, samples), sized);
            } catch (const UsageError&) {
                continue;  // beyond the option's range
            }
        }
    }
    std::ranges::stable_sort(sized, {}, [](const AttentionSpec& spec) { return spec.samples().value_or(0); });
    std::vector<AttentionSpec> candidates;
    for (const AttentionSpec& spec : sized)
        for (const AttentionSpec& form : formsOf(info, spec, hasPrefix))
            addOnce(form, candidates);
    return candidates;
}

std::vector<AttentionSpec> leaderboardCandidates(const std::vector<int64_t>& sizes, bool hasPrefix,
                                                 std::vector<LeaderboardOmission>& omitted)
{
    std::vector<std::vector<AttentionSpec>> methods;
    size_t longest = 0;
    for (const BackendInfo& info : backends()) {
        if (info.kind == AttentionKind::Exact)
            continue;  // what the others are compared with
        if (const std::string why = whyOmittedFromLeaderboard(info); !why.empty()) {
            omitted.push_back({info.name, why});
            continue;
        }
        methods.push_back(methodCandidates(info, sizes, hasPrefix));
        longest = std::max(longest, methods.back().size());
    }
    std::vector<AttentionSpec> candidates;
    for (size_t turn = 0; turn < longest; ++turn)
        for (const std::vector<AttentionSpec>& method : methods)
            if (turn < method.size())
                candidates.push_back(method[turn]);
    return candidates;
}

}

#include "core/attention/backend_info.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace attnscope {

namespace {

struct KindText {
    const char *name, *words;
};

constexpr std::array<KindText, 4> kindTexts{
    {{"exact", "exact softmax"},
     {"approximation", "an approximation of softmax"},
     {"other-kernel", "a different kernel, not an approximation of softmax"},
     {"needs-training", "needs weights trained with it"}}};  // as in AttentionKind

}

std::vector<std::string> backendNames()
{
    return namesOf(backends());
}

const std::vector<OmittedMethod>& omittedMethods()
{
    static const std::vector<OmittedMethod> methods{
        {"routing", "its clusters are learned with the model, and clusters of trained queries and keys part the "
                    "two, so that many queries "
                    "find no key at all; `clustered` and `lsh` are nearest to it"},
        {"sinkhorn",
         "its sorting network is the method and is learned with the model; `blockwise` is nearest to it"}};
    return methods;
}

std::string whyOmitted(std::string_view name)
{
    for (const OmittedMethod& method : omittedMethods())
        if (method.name == name)
            return "`" + method.name + "` is not offered: " + method.reason;
    return {};
}

const BackendInfo* findBackend(std::string_view name)
{
    for (const BackendInfo& info : backends())
        if (info.name == name)
            return &info;
    return nullptr;
}

const OptionInfo* findOption(const BackendInfo& info, std::string_view name)
{
    for (const OptionInfo& option : info.options)
        if (option.name == name)
            return &option;
    return nullptr;
}

std::vector<TokenMapInfo> tokenMapInfos()
{
    std::vector<TokenMapInfo> all;
    for (const BackendInfo& info : backends())
        for (const TokenMapInfo& map : info.tokenMaps)
            if (std::ranges::find(all, map.name, &TokenMapInfo::name) == all.end())
                all.push_back(map);
    return all;
}

bool isLearnedParameter(std::string_view name)
{
    const auto isNamed = [&](const std::string& parameter) {
        return parameter.ends_with('.') ? name.starts_with(parameter) : name == parameter;
    };
    return std::any_of(backends().begin(), backends().end(),
                       [&](const BackendInfo& info) { return std::ranges::any_of(info.parameters, isNamed); });
}

SeriesStyle seriesStyle(std::string_view key)
{
    const std::string_view name = key.substr(0, key.find('#'));
    if (const BackendInfo* info = findBackend(name))
        return variantStyle(info->look, key);
    if (name == "mixed")
        return variantStyle({Hue::Ra, Mark::Chevron, {14, 4}}, key);
    if (name == std::string(referenceBackend) + "-explicit")  // next to the fused kernel
        return variantStyle({Hue::Softmax, Mark::Bar, {16, 3}}, key);
    return plainStyle(key);
}

const char* toText(AttentionKind kind)
{
    return kindTexts[size_t(kind)].name;
}

const char* describe(AttentionKind kind)
{
    return kindTexts[size_t(kind)].words;
}

}

// SPDX-License-Identifier: Apache-2.0
#include "core/attention/backend_info.h"

#include <algorithm>

namespace attnscope {

std::vector<std::string> backendNames()
{
    std::vector<std::string> names;
    for (const BackendInfo& info : backends())
        names.push_back(info.name);
    return names;
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

bool isLearnedParameter(std::string_view name)
{
    const auto isNamed = [&](const std::string& parameter) {
        return parameter.ends_with('.') ? name.starts_with(parameter) : name == parameter;
    };
    return std::any_of(backends().begin(), backends().end(), [&](const BackendInfo& info) {
        return std::any_of(info.parameters.begin(), info.parameters.end(), isNamed);
    });
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
    switch (kind) {
    case AttentionKind::Exact:
        return "exact";
    case AttentionKind::Approximation:
        return "approximation";
    case AttentionKind::OtherKernel:
        return "other-kernel";
    case AttentionKind::NeedsTraining:
        break;
    }
    return "needs-training";
}

const char* describe(AttentionKind kind)
{
    switch (kind) {
    case AttentionKind::Exact:
        return "exact softmax";
    case AttentionKind::Approximation:
        return "an approximation of softmax";
    case AttentionKind::OtherKernel:
        return "a different kernel, not an approximation of softmax";
    case AttentionKind::NeedsTraining:
        break;
    }
    return "needs weights trained with it";
}

}  // namespace attnscope

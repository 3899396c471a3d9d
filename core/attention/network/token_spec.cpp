// SPDX-License-Identifier: Apache-2.0
#include "core/attention/network/token_spec.h"

#include "core/attention/common_options.h"
#include "core/base/error.h"
#include "core/base/text.h"

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace attnscope {

namespace {

const TokenMethodInfo& tokenMethodOf(std::string_view text, std::string_view name)
{
    for (const TokenMethodInfo& info : tokenMethods())
        if (info.name == name)
            return info;
    throw UsageError(text, "`" + printable(name) + "` is not a way to have fewer tokens", "write " + joinWords(tokenMethodNames()));
}

/// The values given in `text`, parallel to the options.
std::vector<std::optional<OptionValue>> valuesOf(const TokenMethodInfo& info, std::string_view text)
{
    std::vector<std::optional<OptionValue>> values(info.options.size());
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos)
        return values;
    for (const std::string_view part : split(text.substr(colon + 1), ',')) {
        const std::size_t equals = part.find('=');
        if (equals == std::string_view::npos)
            throw UsageError(text, "`" + printable(part) + "` is not of the form key=value", "write name:key=value,key=value");
        const auto option = std::ranges::find(info.options, part.substr(0, equals), &OptionInfo::name);
        if (option == info.options.end())
            throw UsageError(text, "`" + info.name + "` has no option `" + printable(part.substr(0, equals)) + "`",
                             "its options are " + joinWords(namesOf(info.options), "and"));
        auto& value = values[static_cast<std::size_t>(option - info.options.begin())];
        if (value)
            throw UsageError(text, "`" + option->name + "` is given twice", "give it only once");
        value = parseOptionValue(*option, text, part.substr(equals + 1));
    }
    return values;
}

}  // namespace

const std::vector<TokenMethodInfo>& tokenMethods()
{
    static const std::vector<TokenMethodInfo> methods{
        {.name = "tome",
         .title = "Token merging",
         .help = "the tokens most similar by their keys become one behind every attention, and count as many as they stand for from then on: the whole "
                 "network becomes faster, not only its attention",
         .citation = "Bolya et al., Token Merging: Your ViT But Faster, ICLR 2023",
         .options = {integerOption("r", "tokens that every block merges, at most half of the patches; 0: none", 13, 0, 65536),
                     choiceOption("schedule", "how r changes from block to block",
                                  {{"constant", "r in every block", {}},
                                   {"decreasing", "from 2r in the first block down to 0 in the last: faster, less accurate", {}}}),
                     advanced(choiceOption("order", "order of the tokens that are left",
                                           {{"position", "their old order, as methods with segments of tokens need it", {}},
                                            {"concatenate", "as published: those that found no partner first", {}}}))}}};
    return methods;
}

std::vector<std::string> tokenMethodNames()
{
    std::vector<std::string> names = namesOf(tokenMethods());
    names.insert(names.begin(), "none");
    return names;
}

TokenSpec TokenSpec::parse(std::string_view given)
{
    const std::string_view text = trim(given);
    TokenSpec spec;
    if (text == "none")
        return spec;
    const TokenMethodInfo& info = tokenMethodOf(text, text.substr(0, text.find(':')));
    const auto values = valuesOf(info, text);
    const auto valueOf = [&](std::size_t option) { return values[option].value_or(*info.options[option].defaultValue); };
    spec.m_merged = std::get<std::int64_t>(valueOf(0));
    spec.m_decreasing = std::get<std::string>(valueOf(1)) == "decreasing";
    spec.m_order = std::get<std::string>(valueOf(2)) == "concatenate" ? MergeOrder::Concatenate : MergeOrder::Position;
    spec.m_canonical = info.name + ":r=" + std::to_string(spec.m_merged);
    for (std::size_t option = 1; option < values.size(); ++option)
        if (valueOf(option) != *info.options[option].defaultValue)
            spec.m_canonical += "," + info.options[option].name + "=" + toText(valueOf(option));
    return spec;
}

OptionValue TokenSpec::valueOf(std::string_view option) const
{
    const TokenMethodInfo& info = tokenMethods().front();
    const auto found = std::ranges::find(info.options, option, &OptionInfo::name);
    if (found == info.options.end())
        throw std::logic_error("tokens have no option `" + std::string(option) + "`");
    const auto given = isNone() ? std::nullopt : valuesOf(info, m_canonical)[static_cast<std::size_t>(found - info.options.begin())];
    return given.value_or(*found->defaultValue);
}

TokenSpec TokenSpec::with(std::string_view option, const OptionValue& value) const
{
    const TokenMethodInfo& info = tokenMethods().front();
    std::string text = info.name;
    char separator = ':';
    for (const OptionInfo& each : info.options) {
        text += separator + each.name + "=" + toText(each.name == option ? value : valueOf(each.name));
        separator = ',';
    }
    return parse(text);
}

std::vector<std::int64_t> TokenSpec::schedule(std::int64_t layers) const
{
    std::vector<std::int64_t> counts(static_cast<std::size_t>(layers), m_merged);
    if (m_decreasing && layers > 1)
        for (std::int64_t i = 0; i < layers; ++i)
            counts[static_cast<std::size_t>(i)] = 2 * m_merged * (layers - 1 - i) / (layers - 1);
    return counts;
}

}  // namespace attnscope

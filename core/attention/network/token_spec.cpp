#include "core/attention/network/token_spec.h"

#include "core/attention/common_options.h"
#include "core/base/error.h"
#include "core/base/text.h"

namespace attnscope {

namespace {

OptionInfo alwaysSpelled(OptionInfo option)
{
    option.alwaysSpelled = true;
    return option;
}

const TokenMethodInfo& tokenMethodOf(std::string_view text, std::string_view name)
{
    for (const TokenMethodInfo& info : tokenMethods())
        if (info.name == name)
            return info;
    throw UsageError(text, "`" + printable(name) + "` is not a way to have fewer tokens",
                     "write " + joinWords(tokenMethodNames()));
}

}

const std::vector<TokenMethodInfo>& tokenMethods()
{
    static const std::vector<TokenMethodInfo> methods{
        {.name = "tome",
         .title = "Token merging",
         .help = "the tokens most similar by their keys become one behind every attention, and count as many as "
                 "they stand for from then on: the whole "
                 "network becomes faster, not only its attention",
         .citation = "Bolya et al., Token Merging: Your ViT But Faster, ICLR 2023",
         .options = {
             alwaysSpelled(integerOption(
                 "r", "tokens that every block merges, at most half of the patches; 0: none", 13, 0, 65536)),
             choiceOption(
                 "schedule", "how r changes from block to block",
                 {{"constant", "r in every block", {}},
                  {"decreasing", "from 2r in the first block down to 0 in the last: faster, less accurate", {}}}),
             advanced(
                 choiceOption("order", "order of the tokens that are left",
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

TokenSpec::TokenSpec()
    : TokenSpec(tokenMethods().front(), {})
{
    m_name = m_canonical = "none";
}

TokenSpec TokenSpec::parse(std::string_view given)
{
    const std::string_view text = trim(given);
    return text == "none" ? TokenSpec() : TokenSpec(tokenMethodOf(text, text.substr(0, text.find(':'))), text);
}

TokenSpec TokenSpec::with(std::string_view option, const std::optional<OptionValue>& value) const
{
    TokenSpec changed = isNone() ? TokenSpec(tokenMethods().front(), {}) : *this;
    changed.set(option, value);
    return changed;
}

std::vector<int64_t> TokenSpec::schedule(int64_t layers) const
{
    std::vector<int64_t> counts(static_cast<size_t>(layers), merged());
    if (isDecreasing() && layers > 1)
        for (int64_t i = 0; i < layers; ++i)
            counts[size_t(i)] = 2 * merged() * (layers - 1 - i) / (layers - 1);
    return counts;
}

}

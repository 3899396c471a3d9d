// SPDX-License-Identifier: Apache-2.0
#include "core/attention/option.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/options/options.h"
#include "core/base/text.h"

#include <cmath>

namespace attnscope {

namespace {

[[noreturn]] void refuseValue(std::string_view spec, const OptionInfo& option, std::string_view text, const std::string& allowed)
{
    throw UsageError(spec, "`" + printable(text) + "` is not a valid value of `" + option.name + "`", option.name + " is " + allowed);
}

std::string range(const OptionInfo& option)
{
    const bool integer = option.type == OptionType::Integer;
    const auto bound = [&](double value) {
        return integer ? toText(static_cast<std::int64_t>(value)) : toText(value);
    };
    return (integer ? "an integer from " : "a number from ") + bound(option.minimum) + " to " + bound(option.maximum);
}

OptionValue parseChoice(const OptionInfo& option, std::string_view spec, std::string_view text)
{
    for (const OptionChoice& choice : option.choices) {
        if (choice.name == text)
            return choice.name;
        for (const std::string& alias : choice.aliases)
            if (alias == text)
                return choice.name;
    }
    refuseValue(spec, option, text, joinWords(namesOf(option.choices)));
}

}  // namespace

std::string toText(const OptionValue& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value))
        return std::to_string(*integer);
    if (const auto* real = std::get_if<double>(&value))
        return shortestNumber(*real);
    if (const auto* flag = std::get_if<bool>(&value))
        return *flag ? "true" : "false";
    return std::get<std::string>(value);
}

OptionValue parseOptionValue(const OptionInfo& option, std::string_view spec, std::string_view text)
{
    switch (option.type) {
    case OptionType::Integer:
        if (const auto value = parseNumber<std::int64_t>(text);
            value && *value >= static_cast<std::int64_t>(option.minimum) && *value <= static_cast<std::int64_t>(option.maximum))
            return *value;
        refuseValue(spec, option, text, range(option));
    case OptionType::Real:
        if (const auto value = parseNumber<double>(text);
            value && std::isfinite(*value) && *value >= option.minimum && *value <= option.maximum)
            return *value + 0.0;  // −0 and 0 have the same spelling
        refuseValue(spec, option, text, range(option));
    case OptionType::Flag:
        if (text == "true" || text == "false")
            return text == "true";
        refuseValue(spec, option, text, "true or false");
    case OptionType::Choice:
        break;
    }
    return parseChoice(option, spec, text);
}

}  // namespace attnscope

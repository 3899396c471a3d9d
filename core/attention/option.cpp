#include "core/attention/option.h"

#include "core/base/error.h"
#include "core/base/number.h"
#include "core/base/options/options.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace attnscope {

namespace {

[[noreturn]] void refuseValue(std::string_view spec, const OptionInfo& option, std::string_view text,
                              const std::string& allowed)
{
    throw UsageError(spec, "`" + printable(text) + "` is not a valid value of `" + option.name + "`",
                     option.name + " is " + allowed);
}

std::string range(const OptionInfo& option)
{
    const bool integer = option.type == OptionType::Integer;
    const auto bound = [&](double value) { return integer ? toText(int64_t(value)) : toText(value); };
    return (integer ? "an integer from " : "a number from ") + bound(option.minimum) + " to "
           + bound(option.maximum);
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

const std::vector<OptionInfo> noOptions;

}

std::string toText(const OptionValue& value)
{
    if (const auto* integer = std::get_if<int64_t>(&value))
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
        if (const auto value = parseNumber<int64_t>(text);
            value && *value >= int64_t(option.minimum) && *value <= int64_t(option.maximum))
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

OptionValues::OptionValues(std::string name)
    : OptionValues(std::move(name), noOptions, {})
{}

OptionValues::OptionValues(std::string name, const std::vector<OptionInfo>& options, std::string_view text)
    : m_name(std::move(name))
    , m_options(&options)
    , m_values(options.size())
{
    const size_t colon = text.find(':');
    std::vector<std::string_view> parts;
    if (colon != std::string_view::npos)
        parts = split(text.substr(colon + 1), ',');
    for (const std::string_view part : parts) {
        const size_t equals = part.find('=');
        const bool named = equals == std::string_view::npos;
        if (const size_t flag = indexOf(part);
            named && (flag == options.size() || options[flag].type != OptionType::Flag))
            throw UsageError(text, "`" + printable(part) + "` is not of the form key=value",
                             "write name:key=value,key=value");
        const size_t index = indexOf(part.substr(0, equals), text);
        if (m_values[index])
            throw UsageError(text, "`" + options[index].name + "` is given twice", "give it only once");
        m_values[index] = named ? OptionValue(true)
                                : parseOptionValue(options[index], text, part.substr(equals + 1));
    }
    spell();
}

size_t OptionValues::indexOf(std::string_view option) const
{
    return size_t(std::ranges::find(*m_options, option, &OptionInfo::name) - m_options->begin());
}

size_t OptionValues::indexOf(std::string_view option, std::string_view spelled) const
{
    const size_t index = indexOf(option);
    if (index == m_values.size())
        throw UsageError(spelled, "`" + m_name + "` has no option `" + printable(option) + "`",
                         m_values.empty() ? "it has no options"
                                          : "its options are " + joinWords(namesOf(*m_options), "and"));
    return index;
}

void OptionValues::spell()
{
    m_canonical = m_name;
    char separator = ':';
    for (size_t i = 0; i < m_values.size(); ++i) {
        const OptionInfo& option = (*m_options)[i];
        if (!option.alwaysSpelled && (!m_values[i] || m_values[i] == option.defaultValue))
            continue;
        m_canonical += separator + option.name + "=" + toText(m_values[i] ? *m_values[i] : *option.defaultValue);
        separator = ',';
    }
}

void OptionValues::set(std::string_view option, const std::optional<OptionValue>& value)
{
    const size_t index = indexOf(option, m_canonical);
    m_values[index].reset();
    if (value)
        m_values[index] = parseOptionValue((*m_options)[index], m_canonical, toText(*value));
    spell();
}

const OptionValue& OptionValues::at(std::string_view option) const
{
    const size_t index = indexOf(option);
    if (index == m_values.size())
        throw std::logic_error("`" + m_name + "` has no option `" + std::string(option) + "`");
    return m_values[index] ? *m_values[index] : (*m_options)[index].defaultValue.value();
}

std::optional<OptionValue> OptionValues::value(std::string_view option) const
{
    const size_t index = indexOf(option);
    if (index == m_values.size())
        return std::nullopt;
    return m_values[index] ? m_values[index] : (*m_options)[index].defaultValue;
}

uint64_t OptionValues::seedOr(uint64_t fallback) const
{
    const std::optional<OptionValue> seed = value("seed");
    return seed ? uint64_t(std::get<int64_t>(*seed)) : fallback;
}

}

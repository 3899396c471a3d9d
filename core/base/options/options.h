#pragma once

#include "core/base/options/given_option.h"
#include "core/base/options/maybe_const.h"

#include <algorithm>
#include <concepts>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// The options of a command, listed once next to the request that they fill:
///
///     void visitOptions(MaybeConst<OptimizerPlan> auto& plan, auto& visit)
///     {
///         visit("--lr", plan.learningRate, within(0, 10), "Peak learning rate of the schedule");
///     }
///
/// The command line declares them from that list (app/cli/input/declare_options.h), and `optionWords` writes the line that asks for the same
/// again. Independent of CLI11 and Qt.
namespace attnscope {

/// Marks a help text that the window shows as well, so that it is translated (packaging/translate.sh).
#define ATTN_HELP(literal) literal

/// What an option accepts, and what help calls its value.
struct OptionRule {
    double low = 0, high = 0;             ///< of a number, both included
    std::vector<std::string> words = {};  ///< one of these, of an enumeration in its order; empty: any text
    std::string type = {};                ///< "FILE"; empty: by the kind of value
    bool showsDefault = true;             ///< false: what holds without it is no value that help could show
    bool required = false;
    int count = 0;  ///< of a list: exactly so many; 0: any number
    /// Of a list: each value behind the option once more; else they stand behind one another with commas.
    bool repeats = false;
};

OptionRule within(double low, double high, std::string type = {});
/// A number that without the option is not the member's own value.
OptionRule optionalWithin(double low, double high, std::string type = {});
OptionRule oneOf(std::vector<std::string> words, std::string type = {});
/// A text, by default the name of a file.
OptionRule anyText(std::string type = "FILE");
OptionRule requiredText(std::string type = "FILE");
OptionRule repeatedText(std::string type = "SPEC");
/// Numbers with commas between them.
OptionRule listWithin(double low, double high, std::string type = "N,N,…");
OptionRule listOf(std::string type = "N,N,…");

/// An option whose values are told by words: an enumeration, or what is off with the first word and on with the second.
template <typename Value>
concept ToldByWords = std::is_enum_v<Value> || std::same_as<Value, bool>;

/// Lists the options of a request with their values; flags that are not set, and empty lists, optionals and texts, are not given.
class OptionReader {
public:
    void operator()(const char* name, bool value, const std::string&) { add(name, {}, value); }
    template <typename Value>
    void operator()(const char* name, const Value& value, const OptionRule& rule, const std::string&)
    {
        std::vector<std::string> values = texts(value, rule);
        if (!rule.repeats && values.size() > 1)
            values = {commaSeparated(values)};
        const bool isGiven = !values.empty();
        add(name, std::move(values), isGiven);
    }
    /// Plug-ins are no member of a request.
    void plugins() {}
    const std::vector<GivenOption>& given() const { return m_given; }
    /// As they are typed: of a list each; none where there is no value.
    template <typename Value>
    static std::vector<std::string> texts(const Value& value, const OptionRule& rule)
    {
        std::vector<std::string> all;
        if constexpr (ToldByWords<Value>)
            all.push_back(rule.words.at(size_t(value)));
        else if constexpr (std::is_integral_v<Value>)
            all.push_back(std::to_string(value));
        else if constexpr (std::is_floating_point_v<Value>)
            all.push_back(shortestNumber(value));
        else if constexpr (requires { value.text(); })
            all.push_back(value.text());
        else if constexpr (requires { value.has_value(); })
            return value ? texts(*value, rule) : all;
        else if constexpr (!std::is_convertible_v<Value, std::string>)
            for (const auto& one : value)
                std::ranges::move(texts(one, rule), std::back_inserter(all));
        else if (!value.empty())
            all.push_back(value);
        return all;
    }

private:
    void add(const char* name, std::vector<std::string> values, bool isGiven);
    static std::string commaSeparated(const std::vector<std::string>& values);

    std::vector<GivenOption> m_given;
};

/// What `request` asks for otherwise than one without options; `always`: also where it does not.
template <typename Request>
std::vector<GivenOption> givenOptions(const Request& request, const std::vector<std::string>& always = {})
{
    OptionReader with, without;
    visitOptions(request, with);
    const Request defaults;
    visitOptions(defaults, without);
    std::vector<GivenOption> given = with.given();
    std::erase_if(given, [&](const GivenOption& one) {
        return std::ranges::count(always, one.name) == 0 && std::ranges::count(without.given(), one) > 0;
    });
    return given;
}

template <typename Request>
std::vector<std::string> optionWords(const Request& request)
{
    return optionWords(givenOptions(request));
}

}

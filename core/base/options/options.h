#pragma once

#include "core/base/options/given_option.h"
#include "core/base/options/maybe_const.h"

#include <cstdint>
#include <optional>
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

/// What an option accepts, and what help calls its value.
struct OptionRule {
    double low = 0, high = 0;             ///< of a number, both included
    std::vector<std::string> words = {};  ///< one of these; empty: any text
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

/// Lists the options of a request with their values; flags that are not set, and empty lists, optionals and texts, are not given.
class OptionReader {
public:
    void operator()(const char* name, bool value, const char*) { add(name, {}, value); }
    template <typename Value>
    void operator()(const char* name, const Value& value, const OptionRule& rule, const char*)
    {
        std::vector<std::string> values = texts(value);
        if (!rule.repeats && values.size() > 1)
            values = {commaSeparated(values)};
        const bool isGiven = !values.empty();
        add(name, std::move(values), isGiven);
    }
    /// Plug-ins are no member of a request.
    void plugins() {}
    const std::vector<GivenOption>& given() const { return m_given; }

private:
    void add(const char* name, std::vector<std::string> values, bool isGiven);
    static std::string commaSeparated(const std::vector<std::string>& values);
    static std::vector<std::string> texts(const std::string& value)
    {
        return value.empty() ? std::vector<std::string>() : std::vector{value};
    }
    template <typename Number>
    requires(std::is_integral_v<Number>) static std::vector<std::string> texts(Number value)
    {
        return {std::to_string(value)};
    }
    static std::vector<std::string> texts(double value) { return {shortestNumber(value)}; }
    template <typename Value>
    static std::vector<std::string> texts(const std::optional<Value>& value)
    {
        return value ? texts(*value) : std::vector<std::string>();
    }
    template <typename Value>
    static std::vector<std::string> texts(const std::vector<Value>& values)
    {
        std::vector<std::string> all;
        for (const Value& value : values)
            all.push_back(texts(value).front());
        return all;
    }
    template <typename Value>
    requires(requires(const Value& value) {
        value.text();
    }) static std::vector<std::string> texts(const Value& value)
    {
        return {value.text()};
    }

    std::vector<GivenOption> m_given;
};

/// What `request` asks for otherwise than `defaults`, a request without options.
template <typename Request>
std::vector<GivenOption> givenOptions(const Request& request, const Request& defaults = {})
{
    OptionReader with, without;
    visitOptions(request, with);
    visitOptions(defaults, without);
    std::vector<GivenOption> given = with.given();
    std::erase_if(given, [&](const GivenOption& one) {
        for (const GivenOption& other : without.given())
            if (one == other)
                return true;
        return false;
    });
    return given;
}

template <typename Request>
std::vector<std::string> optionWords(const Request& request)
{
    return optionWords(givenOptions(request));
}

}

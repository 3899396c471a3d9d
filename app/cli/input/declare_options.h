#pragma once

#include "app/cli/input/arguments.h"
#include "core/base/options/options.h"

#include <algorithm>
#include <optional>
#include <type_traits>

namespace attnscope::cli {

/// Declares the options of a request to CLI11 (core/base/options/options.h).
class DeclareOptions {
public:
    explicit DeclareOptions(CLI::App& command)
        : m_command(command)
    {}
    void operator()(const char* name, bool& value, const std::string& help)
    {
        m_command.add_flag(name, value, help);
    }
    template <typename Value>
    void operator()(const char* name, Value& value, const OptionRule& rule, const std::string& help)
    {
        constexpr bool isText = std::is_convertible_v<Value, std::string>;
        if constexpr (requires { read(value, std::string(), rule); }) {
            CLI::Option* option = m_command.add_option_function<std::string>(
                name, [&value, rule](const std::string& text) { read(value, text, rule); }, help);
            finish(option, rule, rule.type);
            if (const std::vector<std::string> given = OptionReader::texts(value, rule); !given.empty())
                option->default_str(given.front());
        } else {
            CLI::Option* option = m_command.add_option(name, value, help);
            if constexpr (!isText && requires { value.push_back(value.front()); })
                asList(*option, rule);
            constexpr bool isInteger = std::is_integral_v<typename decltype(std::optional(value))::value_type>;
            if (rule.low < rule.high)
                option->check(isInteger ? CLI::Range(int64_t(rule.low), int64_t(rule.high))
                                        : between(rule.low, rule.high));
            finish(option, rule, rule.type.empty() && !isText ? isInteger ? "N" : "X" : rule.type);
            if (rule.showsDefault)
                option->capture_default_str();
        }
    }
    void plugins() { addPlugins(m_command); }

private:
    template <typename Value>
    requires(ToldByWords<Value>) static void read(Value& value, const std::string& text, const OptionRule& rule)
    {
        value = Value(std::ranges::find(rule.words, text) - rule.words.begin());
    }
    template <typename Value>
    requires(requires { Value::parse(std::string()); }) static void read(Value& value, const std::string& text,
                                                                         const OptionRule&)
    {
        value = Value::parse(text);
    }
    template <typename Value>
    requires(ToldByWords<Value>) static void read(std::optional<Value>& value, const std::string& text,
                                                  const OptionRule& rule)
    {
        read(value.emplace(), text, rule);
    }
    static void asList(CLI::Option& option, const OptionRule& rule);
    static void finish(CLI::Option* option, const OptionRule& rule, const std::string& type);

    CLI::App& m_command;
};

template <typename Request>
void declareOptions(CLI::App& command, Request& request)
{
    DeclareOptions declare(command);
    visitOptions(request, declare);
}

}

#pragma once

#include "app/cli/input/arguments.h"
#include "core/base/options/options.h"

#include <type_traits>

namespace attnscope::cli {

/// Declares the options of a request to CLI11 (core/base/options/options.h).
class DeclareOptions {
public:
    explicit DeclareOptions(CLI::App& command)
        : m_command(command)
    {}
    void operator()(const char* name, bool& value, const char* help) { m_command.add_flag(name, value, help); }
    template <typename Value>
    void operator()(const char* name, Value& value, const OptionRule& rule, const char* help)
    {
        if constexpr (requires { Value::parse(std::string()); }) {
            finish(m_command
                       .add_option_function<std::string>(
                           name, [&value](const std::string& text) { value = Value::parse(text); }, help)
                       ->default_str(value.text()),
                   rule, rule.type);
        } else {
            CLI::Option* option = m_command.add_option(name, value, help);
            constexpr bool isNumber = std::is_arithmetic_v<Value>, isText = std::is_same_v<Value, std::string>;
            if constexpr (!isNumber && !isText && requires { value.push_back(value.front()); })
                asList(*option, rule);
            if (rule.low < rule.high)
                checkRange<Value>(*option, rule);
            finish(option, rule, rule.type.empty() && !isText ? std::is_integral_v<Value> ? "N" : "X" : rule.type);
            if (rule.showsDefault)
                option->capture_default_str();
        }
    }
    void plugins() { addPlugins(m_command); }

private:
    template <typename Value>
    static void checkRange(CLI::Option& option, const OptionRule& rule)
    {
        if constexpr (std::is_integral_v<Value>)
            option.check(CLI::Range(int64_t(rule.low), int64_t(rule.high)));
        else
            option.check(between(rule.low, rule.high));
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

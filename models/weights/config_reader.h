// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/option.h"
#include "core/base/error.h"
#include "core/base/json.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// Reads keys of a JSON object in a model description and reports invalid ones. `subject` is used in messages.
class ConfigReader {
public:
    /// Both must outlive the reader.
    ConfigReader(const Json& config, const std::string& subject)
        : m_config(config)
        , m_subject(subject)
    {}

    bool has(const char* key) const { return m_config.contains(key) && !m_config[key].is_null(); }

    std::int64_t integer(const char* key, std::int64_t minimum, std::int64_t maximum) const
    {
        const Json& value = need(key);
        if (!isInteger(value, minimum, maximum))
            refuse(key, "an integer from " + std::to_string(minimum) + " to " + std::to_string(maximum));
        return value.get<std::int64_t>();
    }

    double number(const char* key, double fallback, double minimum, double maximum) const
    {
        if (!has(key))
            return fallback;
        const Json& value = m_config[key];
        if (!isNumber(value, minimum, maximum))
            refuse(key,
                   "a number between " + toText(OptionValue(minimum)) + " and " + toText(OptionValue(maximum)));
        return value.get<double>();
    }

    bool flag(const char* key, bool fallback) const
    {
        if (!has(key))
            return fallback;
        if (!m_config[key].is_boolean())
            refuse(key, "true or false");
        return m_config[key].get<bool>();
    }

    std::string text(const char* key) const
    {
        const Json& value = need(key);
        if (!value.is_string())
            refuse(key, "a string");
        return value.get<std::string>();
    }

    /// An array of `count` integers.
    std::vector<std::int64_t> integers(const char* key, std::size_t count, std::int64_t minimum,
                                       std::int64_t maximum) const
    {
        const Json& list = listOf(key, count);
        std::vector<std::int64_t> values;
        for (const Json& value : list) {
            if (!isInteger(value, minimum, maximum))
                refuse(key, "integers from " + std::to_string(minimum) + " to " + std::to_string(maximum));
            values.push_back(value.get<std::int64_t>());
        }
        return values;
    }

    std::vector<double> numbers(const char* key, std::size_t count, double minimum, double maximum) const
    {
        const Json& list = listOf(key, count);
        std::vector<double> values;
        for (const Json& value : list) {
            if (!isNumber(value, minimum, maximum))
                refuse(key,
                       "numbers between " + toText(OptionValue(minimum)) + " and " + toText(OptionValue(maximum)));
            values.push_back(value.get<double>());
        }
        return values;
    }

    [[noreturn]] void refuse(const char* key, const std::string& allowed) const
    {
        throw UsageError(m_subject, "`" + std::string(key) + "` of the model description is not usable",
                         "it should be " + allowed);
    }

    const Json& need(const char* key) const
    {
        if (!has(key))
            throw UsageError(m_subject, "the model description has no `" + std::string(key) + "`", "add it");
        return m_config[key];
    }

private:
    static bool isInteger(const Json& value, std::int64_t minimum, std::int64_t maximum)
    {
        return value.is_number_integer() && value.get<double>() >= static_cast<double>(minimum)
               && value.get<double>() <= static_cast<double>(maximum);
    }

    static bool isNumber(const Json& value, double minimum, double maximum)
    {
        return value.is_number() && value.get<double>() >= minimum && value.get<double>() <= maximum;
    }

    const Json& listOf(const char* key, std::size_t count) const
    {
        const Json& list = need(key);
        if (!list.is_array() || list.size() != count)
            refuse(key, "a list of " + std::to_string(count) + " numbers");
        return list;
    }

    const Json& m_config;
    const std::string& m_subject;
};

}  // namespace attnscope

#pragma once

#include "core/attention/option.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attnscope {

/// Reads keys of a JSON object in a model description and reports invalid ones. `subject` is used in messages.
class ConfigReader {
public:
    /// Both must outlive the reader. Throws UsageError if it is not an object.
    ConfigReader(const Json& config, const std::string& subject)
        : m_config(config)
        , m_subject(subject)
    {
        if (!config.is_object())
            throw UsageError(subject, "it does not contain a model description",
                             "give an object with family, embed_dim, depth and so on");
    }

    bool has(const char* key) const { return m_config.contains(key) && !m_config[key].is_null(); }

    int64_t integer(const char* key, int64_t minimum, int64_t maximum) const
    {
        return checked(key, need(key), "an integer", minimum, maximum);
    }

    double number(const char* key, double fallback, double minimum, double maximum) const
    {
        return has(key) ? checked(key, m_config[key], "a number", minimum, maximum) : fallback;
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

    std::string text(const char* key, const std::string& fallback) const
    {
        return has(key) ? text(key) : fallback;
    }

    /// One of these words.
    std::string choice(const char* key, const std::vector<std::string>& words) const
    {
        const std::string word = text(key);
        if (std::ranges::find(words, word) == words.end())
            refuse(key, joinWords(words));
        return word;
    }

    /// The activation of MLPs may be named, but there is only one.
    void requireExactGelu() const
    {
        if (text("act", "gelu_erf") != "gelu_erf")
            refuse("act", "gelu_erf, the exact GELU");
    }

    /// An array of `count` integers.
    std::vector<int64_t> integers(const char* key, size_t count, int64_t minimum, int64_t maximum) const
    {
        return list(key, count, "integers", minimum, maximum);
    }

    std::vector<double> numbers(const char* key, size_t count, double minimum, double maximum) const
    {
        return list(key, count, "numbers", minimum, maximum);
    }

    /// Height and width of an image: an array of both, or one side.
    std::pair<int64_t, int64_t> sides(const char* key) const
    {
        constexpr int64_t largest = 16384;
        const bool both = has(key) && m_config[key].is_array();
        const auto sides = both ? integers(key, 2, 1, largest) : std::vector(2, integer(key, 1, largest));
        return {sides[0], sides[1]};
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
    template <typename Number>
    Number checked(const char* key, const Json& value, const char* what, Number minimum, Number maximum) const
    {
        constexpr bool whole = std::is_integral_v<Number>;
        const bool right = whole ? value.is_number_integer() : value.is_number();
        if (!right || value.get<double>() < double(minimum) || value.get<double>() > double(maximum))
            refuse(key, std::string(what) + (whole ? " from " : " between ") + toText(OptionValue(minimum))
                            + (whole ? " to " : " and ") + toText(OptionValue(maximum)));
        return value.get<Number>();
    }

    template <typename Number>
    std::vector<Number> list(const char* key, size_t count, const char* what, Number minimum, Number maximum) const
    {
        const Json& given = need(key);
        if (!given.is_array() || given.size() != count)
            refuse(key, "a list of " + counted(int64_t(count), "number"));
        std::vector<Number> values;
        for (const Json& value : given)
            values.push_back(checked(key, value, what, minimum, maximum));
        return values;
    }

    const Json& m_config;
    const std::string& m_subject;
};

}

#pragma once

#include "core/base/json_path.h"
#include "core/base/options/maybe_const.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace attnscope {

/// Keys keep the order in which they were written, so that output matches the documentation.
using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity: null stands for them, and for a number that is not there.
inline Json finiteOrNull(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

inline Json finiteOrNull(const std::optional<double>& value)
{
    return value ? finiteOrNull(*value) : Json(nullptr);
}

/// An empty text means that there is none: null.
inline Json textOrNull(const std::string& text)
{
    return text.empty() ? Json(nullptr) : Json(text);
}

/// An array of what `make` makes of each value.
template <typename Values, typename Make>
Json jsonList(const Values& values, const Make& make)
{
    Json list = Json::array();
    for (const auto& value : values)
        list.push_back(make(value));
    return list;
}

template <typename Number>
Json finiteOrNull(const std::vector<Number>& values)
{
    return jsonList(values, [](Number value) { return finiteOrNull(double(value)); });
}

/// The members of a plain struct under their JSON keys, listed once for writing and for reading:
///
///     void visitFields(MaybeConst<Shard> auto& shard, auto& visit)
///     {
///         visit("index", shard.index);
///         visit("count", shard.count);
///     }
///
/// `writeFields(shard)` makes {"index": 1, "count": 3} of it and `readFields(json, shard)` fills it again. A member whose own type has such a
/// list becomes an object, an empty optional null, and a number that is not finite null.

/// Writes the keys in the order of the calls.
class JsonFieldWriter {
public:
    template <typename Value>
    void operator()(const char* key, const Value& value)
    {
        m_json[key] = written(value);
    }
    /// Two members that are an array under one key.
    template <typename First, typename Second>
    void pair(const char* key, const First& first, const Second& second)
    {
        m_json[key] = Json::array({written(first), written(second)});
    }
    /// A path: see `jsonPath`.
    void path(const char* key, const std::string& path) { m_json[key] = jsonPath(path); }
    /// A member that is left out where it is empty or false.
    template <typename Value>
    void optional(const char* key, const Value& value)
    {
        if (value != Value{})
            (*this)(key, value);
    }
    template <typename Value>
    void optional(const char* key, const std::optional<Value>& value)
    {
        if (value)
            (*this)(key, *value);
    }
    /// A count of which 0 stands for none: null.
    void countOrNull(const char* key, int64_t count) { m_json[key] = count > 0 ? Json(count) : Json(nullptr); }
    /// Several members as an object of their own.
    template <typename Members>
    void object(const char* key, const Members& members)
    {
        JsonFieldWriter inner;
        members(inner);
        m_json[key] = inner.take();
    }
    /// A member that older files do not have.
    template <typename Value>
    void later(const char* key, const Value& value)
    {
        (*this)(key, value);
    }
    /// What follows from the others, and is not read again: a value, or what makes it, which readers do not call.
    template <typename Value>
    void derived(const char* key, const Value& value)
    {
        if constexpr (std::invocable<const Value&>)
            (*this)(key, value());
        else
            (*this)(key, value);
    }
    Json take() { return std::move(m_json); }

private:
    template <typename Value>
    static Json written(const std::optional<Value>& value)
    {
        return value ? written(*value) : Json(nullptr);
    }
    template <typename Value>
    requires(requires(const Value& value, JsonFieldWriter& writer) { visitFields(value, writer); }) static Json
        written(const std::vector<Value>& values)
    {
        return jsonList(values, [](const Value& value) { return writeFields(value); });
    }
    template <typename Value>
    static Json written(const Value& value)
    {
        if constexpr (requires(JsonFieldWriter & writer) { visitFields(value, writer); })
            return writeFields(value);
        else if constexpr (std::same_as<Value, double> || std::same_as<Value, std::vector<double>>)
            return finiteOrNull(value);
        else
            return value;
    }

    Json m_json = Json::object();
};

/// A whole number. Throws Json::exception for any other value: the library converts fractions too, and those beyond `Number` to anything.
template <std::integral Number>
Number integerFrom(const Json& json)
{
    if (!json.is_number_integer())
        throw Json::type_error::create(302, "type must be a whole number", &json);
    return json.get<Number>();
}

/// Reads every key; throws Json::exception where one is missing or of another type.
class JsonFieldReader {
public:
    explicit JsonFieldReader(const Json& json)
        : m_json(json)
    {}
    template <typename Value>
    void operator()(const char* key, Value& value)
    {
        read(m_json.at(key), value);
    }
    template <typename First, typename Second>
    void pair(const char* key, First& first, Second& second)
    {
        read(m_json.at(key).at(0), first);
        read(m_json.at(key).at(1), second);
    }
    void path(const char* key, std::string& path) { path = pathFromJson(m_json.at(key).get<std::string>()); }
    template <typename Value>
    void later(const char* key, Value& value)
    {
        if (m_json.contains(key))
            read(m_json.at(key), value);
    }
    template <typename Value>
    void optional(const char* key, Value& value)
    {
        value = Value{};
        later(key, value);
    }
    void countOrNull(const char* key, int64_t& count)
    {
        count = m_json.at(key).is_null() ? 0 : integerFrom<int64_t>(m_json.at(key));
    }
    template <typename Members>
    void object(const char* key, const Members& members)
    {
        JsonFieldReader inner(m_json.at(key));
        members(inner);
    }
    template <typename Value>
    void derived(const char*, const Value&)
    {}

private:
    template <typename Value>
    static void read(const Json& json, std::optional<Value>& value)
    {
        value.reset();
        if (!json.is_null())
            read(json, value.emplace());
    }
    template <typename Number>
    requires(std::is_arithmetic_v<Number>) static void read(const Json& json, std::vector<Number>& values)
    {
        values.clear();
        for (const Json& value : json)
            read(value, values.emplace_back());
    }
    template <typename Value>
    static void read(const Json& json, Value& value)
    {
        if constexpr (requires(JsonFieldReader & reader) { visitFields(value, reader); })
            readFields(json, value);
        else if constexpr (std::same_as<Value, double>)
            value = json.is_null() ? std::nan("") : json.get<double>();
        else if constexpr (std::integral<Value> && !std::same_as<Value, bool>)
            value = integerFrom<Value>(json);
        else
            json.get_to(value);
    }

    const Json& m_json;
};

/// Reads what nobody vouches for: a member whose key is missing or of another type keeps its value.
class JsonKnownFieldReader {
public:
    explicit JsonKnownFieldReader(const Json& json)
        : m_json(json)
    {}
    template <typename Value>
    void operator()(const char* key, Value& value)
    {
        if (const auto found = m_json.find(key); found != m_json.end())
            read(*found, value);
    }
    void path(const char* key, std::string& path)
    {
        std::string text = jsonPath(path);
        (*this)(key, text);
        path = pathFromJson(text);
    }
    template <typename Value>
    void optional(const char* key, Value& value)
    {
        (*this)(key, value);
    }
    template <typename Value>
    void derived(const char*, const Value&)
    {}

private:
    static void read(const Json& json, std::vector<double>& numbers)
    {
        if (json.is_array())
            for (const Json& number : json)
                read(number, numbers.emplace_back());
    }
    template <typename Value>
    static void read(const Json& json, std::optional<Value>& value)
    {
        if (json.is_object())
            read(json, value.emplace());
    }
    static void read(const Json& json, std::vector<std::string>& texts)
    {
        if (json.is_array())
            for (const Json& text : json)
                if (text.is_string())
                    texts.push_back(text.get<std::string>());
    }
    template <typename Value>
    requires(requires(Value& value, JsonKnownFieldReader& reader) {
        visitFields(value, reader);
    }) static void read(const Json& json, std::vector<Value>& values)
    {
        if (json.is_array())
            for (const Json& value : json)
                read(value, values.emplace_back());
    }
    template <typename Value>
    static void read(const Json& json, Value& value)
    {
        if constexpr (requires(JsonKnownFieldReader & reader) { visitFields(value, reader); }) {
            if (json.is_object())
                readKnownFields(json, value);
        } else if constexpr (std::same_as<Value, double>) {
            if (json.is_number() || json.is_null())
                value = json.is_null() ? std::nan("") : json.get<double>();
        } else if (std::same_as<Value, bool>          ? json.is_boolean()
                   : std::same_as<Value, std::string> ? json.is_string()
                                                      : json.is_number_integer()) {
            json.get_to(value);
        }
    }

    const Json& m_json;
};

template <typename Value>
Json writeFields(const Value& value)
{
    JsonFieldWriter writer;
    visitFields(value, writer);
    return writer.take();
}

/// Throws Json::exception where a key is missing or its value is of another type.
template <typename Value>
void readFields(const Json& json, Value& value)
{
    JsonFieldReader reader(json);
    visitFields(value, reader);
}

/// Members whose keys are missing, or hold values of another type, keep their values.
template <typename Value>
void readKnownFields(const Json& json, Value& value)
{
    JsonKnownFieldReader reader(json);
    visitFields(value, reader);
}

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
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
    return jsonList(values, [](Number value) { return finiteOrNull(static_cast<double>(value)); });
}

}  // namespace attnscope

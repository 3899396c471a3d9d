#pragma once

#include "core/base/json_text.h"
#include "mutate.h"

#include <cstddef>
#include <iterator>
#include <string>

namespace attnscope::fuzz {

inline void mutateJson(std::string& text, Mutator& mutator);

inline Json oddValue(Mutator& mutator)
{
    switch (mutator.below(8)) {
    case 0:
        return nullptr;
    case 1:
        return mutator.oneIn(2);
    case 2:
        return -1;
    case 3:
        return mutator.number();
    case 4:
        return mutator.oneIn(2) ? 1e300 : 0.5;
    case 5:
        return mutator.oneOf({"", "\xe2\x80\xae", "\n", "0", "-1", "[[1]]", "é"});
    case 6:
        return Json::array({Json::array(), 1});
    default:
        return Json::object();
    }
}

/// One value inside, or the container itself: a member less, a member more.
inline void mutateValue(Json& value, Mutator& mutator)
{
    if (value.is_structured() && !value.empty() && !mutator.oneIn(4)) {
        const auto inner = std::next(value.begin(), ptrdiff_t(mutator.below(value.size())));
        return mutateValue(*inner, mutator);
    }
    if (value.is_structured() && !value.empty() && mutator.oneIn(2))
        value.erase(std::next(value.begin(), ptrdiff_t(mutator.below(value.size()))));
    else if (value.is_array() && mutator.oneIn(2))
        value.push_back(value.empty() ? oddValue(mutator) : value[mutator.below(value.size())]);
    else if (value.is_string() && mutator.oneIn(2))
        mutateJson(value.get_ref<std::string&>(),
                   mutator);  // JSON in a text, as in safetensors headers, or its bytes
    else if (value.is_number_integer() && mutator.oneIn(2))
        value = value.get<uint64_t>() + (mutator.oneIn(2) ? 1 : -1);
    else
        value = oddValue(mutator);
}

/// Changes one value of a JSON text, wherever it is; any other text byte by byte.
inline void mutateJson(std::string& text, Mutator& mutator)
{
    Json json = mutator.oneIn(4) ? Json() : jsonFromText(text);
    if (!json.is_structured())
        return mutator.bytes(text);
    mutateValue(json, mutator);
    text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// A custom mutator of inputs that are JSON behind a byte that chooses the reader.
inline size_t mutateJsonOfReader(uint8_t* data, size_t size, size_t maxSize, unsigned seed)
{
    Mutator mutator(seed);
    std::string text(reinterpret_cast<const char*>(data), size);
    const std::string reader = mutator.takeReader(text);
    mutateJson(text, mutator);
    return store(reader + text, data, size, maxSize);
}

}

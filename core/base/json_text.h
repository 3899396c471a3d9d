#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <string_view>

namespace attnscope {

/// How deep arrays and objects may contain each other: copies, comparisons and texts of a Json call themselves once for each.
inline constexpr size_t deepestJson = 64;

/// The JSON that a text of any origin holds, in time proportional to its length; discarded (`is_discarded`) where it is not valid JSON or
/// nested more than `deepestJson` deep. Of equal keys the last counts.
Json jsonFromText(std::string_view text);

}

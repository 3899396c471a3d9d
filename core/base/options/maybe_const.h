#pragma once

#include <concepts>
#include <type_traits>

namespace attnscope {

/// `Value`, constant or not: what a list of members takes that serves reading and writing.
template <typename Value, typename Plain>
concept MaybeConst = std::same_as<std::remove_const_t<Value>, Plain>;

}

#pragma once

#include <string_view>

namespace attnscope {

/// Whether `a` sorts before `b` with digits compared as numbers: frame_2 before frame_10. Names with equal numbers ("7", "007") sort by
/// their bytes, so that the order is total.
bool naturallyBefore(std::string_view a, std::string_view b);

/// The name without its suffix and the digits before it: "frame_" of "frame_0012.png". The whole name if there are none.
std::string_view withoutNumber(std::string_view name);

/// The number that `withoutNumber` removes; 0 if there is none.
double numberOf(std::string_view name);

}

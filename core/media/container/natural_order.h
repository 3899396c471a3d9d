// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace attnscope {

/// Whether `a` comes before `b` where digits count as numbers: frame_2 before frame_10. Names of equal numbers
/// ("7", "007") come in the order of their bytes, so that the order is total.
bool naturallyBefore(std::string_view a, std::string_view b);

/// The name without its suffix and without the digits before it: "frame_" of "frame_0012.png". The whole name
/// where there are none.
std::string_view withoutNumber(std::string_view name);

/// The digits that `withoutNumber` leaves out; 0 where there are none.
double numberOf(std::string_view name);

}  // namespace attnscope

#pragma once

namespace attnscope {

/// Factor for time limits in tests: the address sanitizer makes our kernels up to 30 times as slow.
#ifdef __SANITIZE_ADDRESS__
inline constexpr int slowdown = 5;
#else
inline constexpr int slowdown = 1;
#endif

}

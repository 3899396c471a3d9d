// SPDX-License-Identifier: Apache-2.0
#include "core/base/memory_policy.h"

#include <cstdlib>  // says which C library this is

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace attnscope {

void keepFreedMemory()
{
#ifdef __GLIBC__
    constexpr int gigabyte = 1 << 30, headroom = 64 << 20;
    mallopt(M_MMAP_THRESHOLD, gigabyte);
    mallopt(M_TRIM_THRESHOLD, gigabyte);
    mallopt(M_TOP_PAD, headroom);
#endif
}

}  // namespace attnscope

// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attnscope {

/// Lets the process keep memory that it freed, up to a gigabyte, instead of giving each large tensor's pages back to the system and
/// taking them again: networks free and allocate the same sizes at every pass, and each new page costs a fault. For programs that run
/// networks, at their beginning. Does nothing where the C library has no such setting.
void keepFreedMemory();

}  // namespace attnscope

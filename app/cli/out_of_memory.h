// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attnscope::cli {

/// One line on standard error, made of nothing that needs memory.
void reportOutOfMemory() noexcept;

}  // namespace attnscope::cli

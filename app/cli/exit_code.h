// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attnscope::cli {

/// The contract of docs/cli.md.
enum class ExitCode {
    Done = 0,
    Failed = 1,
    WrongUsage = 2,
    SomeUnreadable = 3,
    Interrupted = 130,
};

}  // namespace attnscope::cli

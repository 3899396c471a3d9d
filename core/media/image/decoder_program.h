// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/limits.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>

namespace attnscope {

/// The path of the decoder program: the environment variable ATTNSCOPE_DECODER, else `attnscope-decoder` next to the running program, else
/// ../libexec/attnscope/attnscope-decoder from there. Throws Unsupported if there is none; there is no fallback to decoding without it.
std::filesystem::path findDecoderProgram();

/// A started decoder. Its owner must wait for the process.
struct StartedDecoder {
    pid_t pid = -1;
    FileDescriptor socket;
};

/// Starts the program with `memory` and one end of a socket pair, null devices at 0, 1 and 2, and nothing else open: the decoder's own
/// messages don't reach the terminal. Terminal signals are blocked for it: Ctrl-C is handled by the client. Throws Unsupported if it can't
/// be started. The program's own limits are derived from `limits` and `deadline`.
StartedDecoder startDecoderProgram(const std::filesystem::path& program, int memory, const Limits& limits,
                                   std::chrono::milliseconds deadline);

}  // namespace attnscope

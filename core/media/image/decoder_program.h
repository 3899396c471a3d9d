// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/file_descriptor.h"
#include "core/base/limits.h"

#include <sys/types.h>

#include <chrono>
#include <filesystem>

namespace attnscope {

/// Where the program that decodes pictures lies: what the environment variable ATTNSCOPE_DECODER names, else
/// `attnscope-decoder` beside the running program, else ../libexec/attnscope/attnscope-decoder from there.
/// Throws Unsupported when it is in none of them; there is no falling back to decoding without it.
std::filesystem::path findDecoderProgram();

/// A decoder that was started. Whoever holds it has to wait for the process.
struct StartedDecoder {
    pid_t pid = -1;
    FileDescriptor socket;
};

/// What the program is told when it starts: its limits follow from these.
struct DecoderBounds {
    Limits limits;
    std::chrono::milliseconds deadline{0};
};

/// Starts the program with `memory` and one end of a pair of sockets, null devices at 0, 1 and 2, and nothing else
/// open: a decoder's own messages reach no terminal. The signals of a terminal are held back from it: Ctrl-C is
/// the client's to handle. Throws Unsupported when it cannot be started.
StartedDecoder startDecoderProgram(const std::filesystem::path& program, int memory, const DecoderBounds& bounds);

}  // namespace attnscope

#pragma once

#include "core/base/file_descriptor.h"

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace attnscope {

/// One of the decoder programs, and what messages call it.
struct DecoderKind {
    const char* program;   ///< "attnscope-decoder"
    const char* variable;  ///< the environment variable that names another: "ATTNSCOPE_DECODER"
    const char* title;     ///< "image decoder"
    const char* remedy;    ///< for a file at which it fails

    /// The remedy where the program itself is broken.
    std::string reinstall() const;
};

/// The path of the program: from the environment variable, else next to the running program, else in ../libexec/attnscope from there. Throws
/// Unsupported if there is none; there is no fallback to decoding without it.
std::filesystem::path findDecoderProgram(const DecoderKind& kind);

/// A started decoder. Its owner must wait for the process.
struct StartedDecoder {
    pid_t pid = -1;
    FileDescriptor socket;
};

/// Starts the program with `limits` as its arguments, `memory` and one end of a socket pair, null devices at 0, 1 and 2, and nothing else
/// open: the decoder's own messages don't reach the terminal. Terminal signals are blocked for it: Ctrl-C is handled by the client. Throws
/// Unsupported if it can't be started.
StartedDecoder startDecoderProgram(const DecoderKind& kind, const std::filesystem::path& program, int memory,
                                   const std::vector<std::string>& limits);

}

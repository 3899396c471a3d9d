// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/limits.h"
#include "core/media/image/image_reader.h"
#include "core/media/image/shared_memory.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// The path of the decoder program: the environment variable ATTNSCOPE_DECODER, else `attnscope-decoder` next to the running program, else
/// ../libexec/attnscope/attnscope-decoder from there. Throws Unsupported if there is none; there is no fallback to decoding without it.
[[nodiscard]] std::filesystem::path findDecoderProgram();

/// A started decoder. Its owner must wait for the process.
struct StartedDecoder {
    pid_t pid = -1;
    FileDescriptor socket;
};

/// Starts the program with `memory` and one end of a socket pair, null devices at 0, 1 and 2, and nothing else open: the decoder's own
/// messages don't reach the terminal. Terminal signals are blocked for it: Ctrl-C is handled by the client. Throws Unsupported if it can't
/// be started. The program's own limits are derived from `limits` and `deadline`.
[[nodiscard]] StartedDecoder startDecoderProgram(const std::filesystem::path& program, int memory, const Limits& limits,
                                   std::chrono::milliseconds deadline);

struct DecoderOptions {
    std::filesystem::path program;               ///< empty: findDecoderProgram()
    std::chrono::milliseconds deadline{10'000};  ///< for one image, from request to pixels
    std::chrono::milliseconds startDeadline{30'000};
};

/// The decoder returned no pixels.
class DecoderFailure : public FileError {
public:
    enum class Cause {
        Killed,  ///< from outside: the image is not to blame
        Died,    ///< crashed, exited, or gave no valid reply
        Slow,    ///< exceeded the deadline
    };
    DecoderFailure(Cause cause, const std::string& name, const std::string& problem);
    [[nodiscard]] Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// The decoder could not be started.
class DecoderNotStarted : public Unsupported {
public:
    enum class Cause {
        Killed,  ///< from outside, during startup: it may start the next time
        Broken,
    };
    DecoderNotStarted(Cause cause, const std::string& program, const std::string& problem);
    [[nodiscard]] Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// What a running decoder reports about itself, for display.
struct DecoderInfo {
    std::string program;
    std::vector<std::string> protections;  ///< "memory limit", "system call filter" …
    std::vector<std::string> lacking;      ///< those that this system or build doesn't provide
};

/// Reads images like `readImage`, with the third-party decoders in a process of their own (`attnscope-decoder`) with resource limits and no
/// privileges: if a decoder crashes, hangs or lies, that image is a FileError and the next one gets a new process.
///
/// The process is started by the first image, which takes about 70 ms, and lives until this object or this process ends. Calls from several
/// threads are serialised; for parallel decoding give each thread its own object.
class DecoderProcess {
public:
    explicit DecoderProcess(DecoderOptions options = {});
    ~DecoderProcess();
    DecoderProcess(const DecoderProcess&) = delete;
    DecoderProcess& operator=(const DecoderProcess&) = delete;

    /// Throws FileError for an image that is itself at fault, DecoderFailure for a decoder that failed, DecoderNotStarted if it can't be
    /// started: images are never decoded in this process instead.
    Clip read(const std::filesystem::path& path, const ImageReadOptions& options = {});
    Clip read(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options = {});
    /// Like readCrop.
    Clip readCrop(const std::filesystem::path& path, const Transform& transform, const ImageReadOptions& options = {});

    /// One round trip to the process, without the validator before it. `name` is used in messages.
    DecodeOutcome decode(std::span<const std::uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                         const std::string& name, const Limits& limits, const PixelUse& use);

    /// Starts the process without waiting until it is ready, so that startup overlaps with other work. Throws Unsupported.
    void start(const Limits& limits = {});
    /// Waits until it is ready. Throws Unsupported.
    DecoderInfo info();
    /// Of the running process; -1 if there is none.
    [[nodiscard]] pid_t pid() const;

private:
    enum class Received { Message, Nonsense, End, Nothing };

    void ensureStarted(const Limits& limits);
    void ensureReady(const Limits& limits);
    Received receiveHello();
    [[noreturn]] void failToStart(Received received, std::optional<int> death);
    PixelDecoder decoderFor(const std::string& name, const Limits& limits);
    void sendRequest(std::span<const std::uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                     const std::string& name, const Limits& limits);
    bool trySend(std::size_t encodedBytes, const ImageSize& size, const PixelWindow& window);
    DecodeOutcome awaitReply(const std::string& name);
    /// Only messages of exactly this size are valid.
    Received receive(void* message, std::size_t bytes, std::chrono::milliseconds deadline);
    /// Ends the process if it still runs, and waits for it. Returns how it died, as reported by waitpid(); empty if it was ended here.
    std::optional<int> stop();

    DecoderOptions m_options;
    mutable std::mutex m_mutex;
    SharedMemory m_memory;
    StartedDecoder m_process;
    std::filesystem::path m_program;
    Limits m_limits;                             ///< limits with which the process was started
    std::optional<std::uint32_t> m_protections;  ///< known after its hello
    std::uint64_t m_requests = 0;
};

}  // namespace attnscope

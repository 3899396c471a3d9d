// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/error.h"
#include "core/media/image/decoder_program.h"
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

struct DecoderOptions {
    std::filesystem::path program;               ///< empty: findDecoderProgram()
    std::chrono::milliseconds deadline{10'000};  ///< for one picture, from request to pixels
    std::chrono::milliseconds startDeadline{30'000};
};

/// The decoder gave no pixels.
class DecoderFailure : public FileError {
public:
    enum class Cause {
        Killed,  ///< from outside: it says nothing of the picture
        Died,    ///< crashed, ended by itself, or gave no valid answer
        Slow,    ///< took longer than it may
    };
    DecoderFailure(Cause cause, const std::string& name, const std::string& problem);
    Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// The decoder cannot be started.
class DecoderNotStarted : public Unsupported {
public:
    enum class Cause {
        Killed,  ///< from outside, while it started: it may start the next time
        Broken,
    };
    DecoderNotStarted(Cause cause, const std::string& program, const std::string& problem);
    Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// What a running decoder says of itself, for people.
struct DecoderInfo {
    std::string program;
    std::vector<std::string> protections;  ///< "memory limit", "system call filter" …
    std::vector<std::string> lacking;      ///< those that this system or build does not give
};

/// Reads pictures like `readImage`, with the foreign decoders in a process of its own (`attnscope-decoder`) that
/// has limits and no rights: when a decoder crashes, hangs or lies, that picture is a FileError and the next one
/// gets a new process.
///
/// The process is started by the first picture, which costs some 70 ms, and lives until this object or this
/// process ends. Calls from several threads take turns; for parallel decoding give each thread an object of its
/// own.
class DecoderProcess {
public:
    explicit DecoderProcess(DecoderOptions options = {});
    ~DecoderProcess();
    DecoderProcess(const DecoderProcess&) = delete;
    DecoderProcess& operator=(const DecoderProcess&) = delete;

    /// Throws FileError for the picture's own faults, DecoderFailure for a decoder that died of it, DecoderNotStarted when
    /// it cannot be started: nothing is ever decoded in this process instead.
    Clip read(const std::filesystem::path& path, const ImageReadOptions& options = {});
    Clip read(std::span<const std::uint8_t> bytes, const std::string& name, const ImageReadOptions& options = {});
    /// Like readCrop.
    Clip readCrop(const std::filesystem::path& path, const Transform& transform, const ImageReadOptions& options = {});

    /// One trip to the process, without the gate before it. `name` stands in messages.
    DecodeOutcome decode(std::span<const std::uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                         const std::string& name, const Limits& limits, const PixelUse& use);

    /// Starts the process without waiting until it is ready, so that this overlaps with other work. Throws
    /// Unsupported.
    void start(const Limits& limits = {});
    /// Waits until it is ready. Throws Unsupported.
    DecoderInfo info();
    /// Of the running process; -1 when there is none.
    pid_t pid() const;

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
    /// Only a message of exactly this size is one.
    Received receive(void* message, std::size_t bytes, std::chrono::milliseconds deadline);
    /// Ends the process if it still lives, and waits for it. What it died of, as waitpid() says it; empty when it was ended here.
    std::optional<int> stop();

    DecoderOptions m_options;
    mutable std::mutex m_mutex;
    SharedMemory m_memory;
    StartedDecoder m_process;
    std::filesystem::path m_program;
    Limits m_limits;                             ///< with which the process was started
    std::optional<std::uint32_t> m_protections;  ///< known once it said hello
    std::uint64_t m_requests = 0;
};

}  // namespace attnscope

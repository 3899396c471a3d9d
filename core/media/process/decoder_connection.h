#pragma once

#include "core/base/error.h"
#include "core/media/process/decoder_program.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// The decoder returned no pixels.
class DecoderFailure : public FileError {
public:
    enum class Cause {
        Killed,  ///< from outside: the file is not to blame
        Died,    ///< crashed, exited, or gave no valid reply
        Slow,    ///< exceeded the deadline
    };
    DecoderFailure(Cause cause, const std::string& name, const std::string& problem, const std::string& remedy);
    Cause cause() const { return m_cause; }

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
    DecoderNotStarted(Cause cause, const std::string& program, const std::string& problem,
                      const std::string& remedy);
    Cause cause() const { return m_cause; }

private:
    Cause m_cause;
};

/// What a running decoder reports about itself, for display.
struct DecoderInfo {
    std::string program;
    std::vector<std::string> protections;  ///< "memory limit", "system call filter" …
    std::vector<std::string> lacking;      ///< those that this system or build doesn't provide
};

/// A decoder program that runs, and the messages to and from it. Not thread-safe.
class DecoderConnection {
public:
    using Milliseconds = std::chrono::milliseconds;
    enum class Received { Message, End, Nothing, Stopped };

    /// `program` empty: findDecoderProgram(kind).
    DecoderConnection(const DecoderKind& kind, std::filesystem::path program, Milliseconds startDeadline);
    ~DecoderConnection();
    DecoderConnection(const DecoderConnection&) = delete;
    DecoderConnection& operator=(const DecoderConnection&) = delete;

    /// Starts the program, ending one that runs, without waiting until it is ready. Throws Unsupported.
    void start(int memory, const std::vector<std::string>& limits);
    /// Waits until it is ready. Throws Unsupported, DecoderNotStarted.
    void awaitReady();
    bool isRunning() const { return m_process.pid >= 0; }
    /// Of the running program; -1 if there is none.
    pid_t pid() const { return m_process.pid; }
    /// Once it is ready.
    DecoderInfo info() const;

    /// False where the program does not accept it. `file`: an open file of which the program gets a copy.
    bool send(std::span<const std::byte> message, int file = -1);
    /// Waits for a message; `bytes` becomes its whole length, of which as much as fits is in `message`. The deadline is counted in slices, so
    /// that a process that was suspended (Ctrl-Z, a debugger) has not used up the decoder's time.
    Received receive(std::span<std::byte> message, size_t& bytes, Milliseconds deadline,
                     const std::stop_token& stop = {});

    /// Ends the program if it still runs, and waits for it. Returns how it died, as reported by waitpid(); empty if it was ended here.
    std::optional<int> stop();
    /// Ends the program, and throws the DecoderFailure for `name` that `received` instead of a valid reply means.
    [[noreturn]] void fail(Received received, const std::string& name, Milliseconds deadline);

private:
    Received receiveHello();
    [[noreturn]] void failToStart(Received received, std::optional<int> death);

    DecoderKind m_kind;
    std::filesystem::path m_program;
    Milliseconds m_startDeadline;
    int m_memory = -1;
    std::vector<std::string> m_limits;
    StartedDecoder m_process;
    std::optional<uint32_t> m_protections;  ///< known after its hello
};

}

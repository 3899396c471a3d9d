// SPDX-License-Identifier: Apache-2.0
#include "core/media/image/decoder_process.h"

#include "core/base/error.h"
#include "core/media/image/decoder_protocol.h"
#include "core/media/image/input_file.h"

#include <fmt/format.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

namespace attnscope {

namespace {

using namespace decoder_protocol;
using std::chrono::milliseconds;

constexpr const char* otherProgram = "export the image again with another program";

/// Pixels start on a page of their own after the encoded bytes.
std::size_t pixelsBehind(std::size_t encodedBytes)
{
    constexpr std::size_t page = 4096;
    return (encodedBytes + page - 1) / page * page;
}

/// Waits for a message in slices, each counted with at most its nominal length: a process that was suspended for an hour (Ctrl-Z, a
/// debugger) and resumes has not used up the decoder's time.
bool waitForMessage(int socket, milliseconds deadline)
{
    constexpr milliseconds slice(100);
    for (milliseconds left = deadline; left.count() > 0; left -= slice) {
        pollfd event{socket, POLLIN, 0};
        const int count = ::poll(&event, 1, static_cast<int>(std::min(left, slice).count()));
        if (count > 0)
            return true;
        if (count < 0 && errno != EINTR)
            return false;
    }
    return false;
}

/// The status of a child that is exiting; polled for a while, because its socket closes slightly earlier.
std::optional<int> statusSoon(pid_t pid)
{
    for (int i = 0; i < 200; ++i) {
        int status = 0;
        const pid_t got = ::waitpid(pid, &status, WNOHANG);
        if (got == pid)
            return status;
        if (got < 0 && errno != EINTR)
            return 0;  // somebody else reaped it
        std::this_thread::sleep_for(milliseconds(1));
    }
    return std::nullopt;
}

void killAndWait(pid_t pid)
{
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

bool diedOf(std::optional<int> status, int signal)
{
    return status && WIFSIGNALED(*status) && WTERMSIG(*status) == signal;
}

/// "signal 6", "exit code 127".
std::string describeDeath(int status)
{
    if (WIFSIGNALED(status))
        return fmt::format("signal {}", WTERMSIG(status));
    return fmt::format("exit code {}", WEXITSTATUS(status));
}

/// Names of Protection's bits in display order.
constexpr std::array<std::pair<Protection, const char*>, 5> protectionNames{
    {{memoryLimit, "memory limit"},
     {resourceLimits, "time and file limits"},
     {systemCallFilter, "system call filter"},
     {noNewPrivileges, "no new privileges"},
     {notDumpable, "closed to other processes"}}};

}  // namespace

DecoderFailure::DecoderFailure(Cause cause, const std::string& name, const std::string& problem)
    : FileError(name, problem, otherProgram)
    , m_cause(cause)
{}

DecoderNotStarted::DecoderNotStarted(Cause cause, const std::string& program, const std::string& problem)
    : Unsupported(program, problem, "reinstall Attnscope, or set ATTNSCOPE_DECODER to a working attnscope-decoder")
    , m_cause(cause)
{}

DecoderProcess::DecoderProcess(DecoderOptions options)
    : m_options(std::move(options))
{}

DecoderProcess::~DecoderProcess()
{
    stop();
}

Clip DecoderProcess::read(const std::filesystem::path& path, const ImageReadOptions& options)
{
    return read(readImageFile(path, options.limits), path.string(), options);
}

Clip DecoderProcess::read(std::span<const std::uint8_t> bytes, const std::string& name,
                          const ImageReadOptions& options)
{
    return readImage(bytes, name, options, decoderFor(name, options.limits));
}

Clip DecoderProcess::readCrop(const std::filesystem::path& path, const Transform& transform, const ImageReadOptions& options)
{
    const std::string name = path.string();
    return attnscope::readCrop(readImageFile(path, options.limits), name, transform, options,
                               decoderFor(name, options.limits));
}

PixelDecoder DecoderProcess::decoderFor(const std::string& name, const Limits& limits)
{
    return [this, name, limits](std::span<const std::uint8_t> encoded, const ImageSize& size, const PixelWindow& window,
                                const PixelUse& use) { return decode(encoded, size, window, name, limits, use); };
}

DecodeOutcome DecoderProcess::decode(std::span<const std::uint8_t> encoded, const ImageSize& size,
                                     const PixelWindow& window, const std::string& name, const Limits& limits,
                                     const PixelUse& use)
{
    const std::scoped_lock lock(m_mutex);
    if (!m_memory.reserve(pixelsBehind(encoded.size()) + size.bytes()))
        return DecodeOutcome::NoMemory;
    sendRequest(encoded, size, window, name, limits);
    const DecodeOutcome outcome = awaitReply(name);
    if (outcome == DecodeOutcome::Done)
        use({m_memory.data() + pixelsBehind(encoded.size()), size.bytes()});
    constexpr std::size_t kept = std::size_t{64} << 20;
    if (m_memory.size() > kept)
        m_memory.release();
    return outcome;
}

void DecoderProcess::sendRequest(std::span<const std::uint8_t> encoded, const ImageSize& size,
                                 const PixelWindow& window, const std::string& name, const Limits& limits)
{
    // If the idle process was killed, the image is not lost: it is retried once.
    for (int attempt = 0; attempt < 2; ++attempt) {
        ensureReady(limits);
        std::memcpy(m_memory.data(), encoded.data(), encoded.size());
        if (trySend(encoded.size(), size, window))
            return;
        stop();
    }
    throw DecoderFailure(DecoderFailure::Cause::Died, name, "the image decoder does not accept requests");
}

bool DecoderProcess::trySend(std::size_t encodedBytes, const ImageSize& size, const PixelWindow& window)
{
    Request request;
    request.number = ++m_requests;
    request.memoryBytes = m_memory.size();
    request.encodedBytes = encodedBytes;
    request.pixelsAt = pixelsBehind(encodedBytes);
    request.width = static_cast<std::uint32_t>(size.width);
    request.height = static_cast<std::uint32_t>(size.height);
    request.left = static_cast<std::uint32_t>(window.left);
    request.top = static_cast<std::uint32_t>(window.top);
    request.columns = static_cast<std::uint32_t>(window.width);
    request.rows = static_cast<std::uint32_t>(window.height);
    ssize_t sent = -1;
    do
        sent = ::send(m_process.socket.number(), &request, sizeof request, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(sizeof request);
}

DecodeOutcome DecoderProcess::awaitReply(const std::string& name)
{
    Reply reply;
    const Received received = receive(&reply, sizeof reply, m_options.deadline);
    const bool valid = reply.number == m_requests && reply.outcome <= DecodeOutcome::NoMemory;
    if (received == Received::Message && valid)
        return reply.outcome;
    const std::optional<int> death = stop();
    using Cause = DecoderFailure::Cause;
    if (received == Received::Nothing || diedOf(death, SIGXCPU))
        throw DecoderFailure(Cause::Slow, name,
                             fmt::format("decoding it took longer than {:g} s", static_cast<double>(m_options.deadline.count()) / 1e3));
    if (received == Received::End && death)
        throw DecoderFailure(diedOf(death, SIGKILL) ? Cause::Killed : Cause::Died, name,
                             fmt::format("the image decoder crashed on it ({})", describeDeath(*death)));
    throw DecoderFailure(Cause::Died, name, "the image decoder returned an invalid reply for it");
}

DecoderProcess::Received DecoderProcess::receive(void* message, std::size_t bytes, milliseconds deadline)
{
    const int socket = m_process.socket.number();
    if (!waitForMessage(socket, deadline))
        return Received::Nothing;
    const ssize_t got = ::recv(socket, message, bytes, MSG_TRUNC | MSG_DONTWAIT);
    if (got <= 0)
        return Received::End;
    return got == static_cast<ssize_t>(bytes) ? Received::Message : Received::Nonsense;
}

std::optional<int> DecoderProcess::stop()
{
    const pid_t pid = std::exchange(m_process.pid, -1);
    m_protections.reset();
    if (pid < 0)
        return {};
    // An open socket means that the process is alive: only one that closed its end gets time to report its exit status.
    pollfd event{m_process.socket.number(), 0, 0};
    const bool ending = ::poll(&event, 1, 0) > 0 && (event.revents & POLLHUP) != 0;
    m_process.socket.close();
    const std::optional<int> status = ending ? statusSoon(pid) : std::nullopt;
    if (!status)
        killAndWait(pid);
    return status;
}

void DecoderProcess::ensureStarted(const Limits& limits)
{
    const bool roomy = limits.imageBytes <= m_limits.imageBytes && limits.imagePixels <= m_limits.imagePixels;
    if (m_process.pid >= 0 && roomy)
        return;
    stop();
    if (m_program.empty())
        m_program = m_options.program.empty() ? findDecoderProgram() : m_options.program;
    m_limits = limits;
    m_process = startDecoderProgram(m_program, m_memory.fileNumber(), limits, m_options.deadline);
}

void DecoderProcess::ensureReady(const Limits& limits)
{
    ensureStarted(limits);
    if (m_protections)
        return;
    Received received = receiveHello();
    if (received == Received::Message)
        return;
    std::optional<int> death = stop();
    // If the process was killed from outside, the image is retried; a process that crashes would do so again.
    if (death && WIFSIGNALED(*death)) {
        ensureStarted(limits);
        received = receiveHello();
        if (received == Received::Message)
            return;
        death = stop();
    }
    failToStart(received, death);
}

DecoderProcess::Received DecoderProcess::receiveHello()
{
    Hello hello{};
    const Received received = receive(&hello, sizeof hello, m_options.startDeadline);
    if (received == Received::Message && (hello.magic != magic || hello.version != version))
        return Received::Nonsense;
    if (received == Received::Message)
        m_protections = hello.protections;
    return received;
}

void DecoderProcess::failToStart(Received received, std::optional<int> death)
{
    if (received == Received::End && death && WIFEXITED(*death) && WEXITSTATUS(*death) == 127)  // exit code of the dynamic loader
        throw Unsupported(m_program.string(), "the libraries of the image decoder could not be loaded",
                          "raise the limits of memory (ulimit -v) and open files (ulimit -n), or reinstall Attnscope");
    std::string problem = "this is not an image decoder of this version of Attnscope";
    if (received == Received::End && death)
        problem = fmt::format("the image decoder exited during startup ({})", describeDeath(*death));
    else if (received == Received::Nothing)
        problem = fmt::format("the image decoder was not ready after {:g} s",
                              static_cast<double>(m_options.startDeadline.count()) / 1e3);
    using Cause = DecoderNotStarted::Cause;
    throw DecoderNotStarted(diedOf(death, SIGKILL) ? Cause::Killed : Cause::Broken, m_program.string(), problem);
}

void DecoderProcess::start(const Limits& limits)
{
    const std::scoped_lock lock(m_mutex);
    ensureStarted(limits);
}

DecoderInfo DecoderProcess::info()
{
    const std::scoped_lock lock(m_mutex);
    ensureReady(m_limits);
    DecoderInfo info;
    info.program = m_program.string();
    for (const auto& [bit, name] : protectionNames)
        ((*m_protections & bit) != 0 ? info.protections : info.lacking).emplace_back(name);
    return info;
}

pid_t DecoderProcess::pid() const
{
    const std::scoped_lock lock(m_mutex);
    return m_process.pid;
}

}  // namespace attnscope

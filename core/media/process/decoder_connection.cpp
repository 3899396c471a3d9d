#include "core/media/process/decoder_connection.h"

#include "core/media/process/decoder_hello.h"

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

/// Waits for a message in slices, each counted with at most its nominal length.
DecoderConnection::Received waitForMessage(int socket, milliseconds deadline, const std::stop_token& stop)
{
    using Received = DecoderConnection::Received;
    // A request to stop is noticed within a slice.
    const milliseconds slice(stop.stop_possible() ? 20 : 100);
    for (milliseconds left = deadline; left.count() > 0; left -= slice) {
        if (stop.stop_requested())
            return Received::Stopped;
        pollfd event{socket, POLLIN, 0};
        const int count = ::poll(&event, 1, int(std::min(left, slice).count()));
        if (count > 0)
            return Received::Message;
        if (count < 0 && errno != EINTR)
            return Received::Nothing;
    }
    return Received::Nothing;
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

double seconds(milliseconds time)
{
    return double(time.count()) / 1e3;
}

/// Names of Protection's bits in display order.
constexpr std::array<std::pair<Protection, const char*>, 5> protectionNames{
    {{memoryLimit, "memory limit"},
     {resourceLimits, "time and file limits"},
     {systemCallFilter, "system call filter"},
     {noNewPrivileges, "no new privileges"},
     {notDumpable, "closed to other processes"}}};

}

DecoderFailure::DecoderFailure(Cause cause, const std::string& name, const std::string& problem,
                               const std::string& remedy)
    : FileError(name, problem, remedy)
    , m_cause(cause)
{}

DecoderNotStarted::DecoderNotStarted(Cause cause, const std::string& program, const std::string& problem,
                                     const std::string& remedy)
    : Unsupported(program, problem, remedy)
    , m_cause(cause)
{}

DecoderConnection::DecoderConnection(const DecoderKind& kind, std::filesystem::path program,
                                     Milliseconds startDeadline)
    : m_kind(kind)
    , m_program(std::move(program))
    , m_startDeadline(startDeadline)
{}

DecoderConnection::~DecoderConnection()
{
    stop();
}

void DecoderConnection::start(int memory, const std::vector<std::string>& limits)
{
    stop();
    if (m_program.empty())
        m_program = findDecoderProgram(m_kind);
    m_memory = memory;
    m_limits = limits;
    m_process = startDecoderProgram(m_kind, m_program, memory, limits);
}

void DecoderConnection::awaitReady()
{
    if (m_protections)
        return;
    Received received = receiveHello();
    if (m_protections)
        return;
    std::optional<int> death = stop();
    // If the program was killed from outside, it is started again; one that crashes would do so again.
    if (death && WIFSIGNALED(*death)) {
        start(m_memory, m_limits);
        received = receiveHello();
        if (m_protections)
            return;
        death = stop();
    }
    failToStart(received, death);
}

DecoderConnection::Received DecoderConnection::receiveHello()
{
    Hello hello{};
    size_t bytes = 0;
    const Received received = receive(std::as_writable_bytes(std::span(&hello, 1)), bytes, m_startDeadline);
    if (received == Received::Message && bytes == sizeof hello && hello.magic == magic && hello.version == version)
        m_protections = hello.protections;
    return received;
}

void DecoderConnection::failToStart(Received received, std::optional<int> death)
{
    if (received == Received::End && death && WIFEXITED(*death)
        && WEXITSTATUS(*death) == 127)  // exit code of the dynamic loader
        throw Unsupported(
            m_program.string(), fmt::format("the libraries of the {} could not be loaded", m_kind.title),
            "raise the limits of memory (ulimit -v) and open files (ulimit -n), or reinstall Attnscope");
    std::string problem = fmt::format("this is not the {} of this version of Attnscope", m_kind.title);
    if (received == Received::End && death)
        problem = fmt::format("the {} exited during startup ({})", m_kind.title, describeDeath(*death));
    else if (received == Received::Nothing)
        problem = fmt::format("the {} was not ready after {:g} s", m_kind.title, seconds(m_startDeadline));
    using Cause = DecoderNotStarted::Cause;
    throw DecoderNotStarted(diedOf(death, SIGKILL) ? Cause::Killed : Cause::Broken, m_program.string(), problem,
                            m_kind.reinstall());
}

DecoderInfo DecoderConnection::info() const
{
    DecoderInfo info;
    info.program = m_program.string();
    for (const auto& [bit, name] : protectionNames)
        ((m_protections.value_or(0) & bit) != 0 ? info.protections : info.lacking).emplace_back(name);
    return info;
}

bool DecoderConnection::send(std::span<const std::byte> message, int file)
{
    iovec part{const_cast<std::byte*>(message.data()), message.size()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (file >= 0) {
        header.msg_control = control.data();
        header.msg_controllen = control.size();
        cmsghdr* const rights = CMSG_FIRSTHDR(&header);
        rights->cmsg_level = SOL_SOCKET;
        rights->cmsg_type = SCM_RIGHTS;
        rights->cmsg_len = CMSG_LEN(sizeof file);
        std::memcpy(CMSG_DATA(rights), &file, sizeof file);
    }
    ssize_t sent = -1;
    do
        sent = ::sendmsg(m_process.socket.number(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    return sent == static_cast<ssize_t>(message.size());
}

DecoderConnection::Received DecoderConnection::receive(std::span<std::byte> message, size_t& bytes,
                                                       Milliseconds deadline, const std::stop_token& stop)
{
    const int socket = m_process.socket.number();
    if (const Received waited = waitForMessage(socket, deadline, stop); waited != Received::Message)
        return waited;
    const ssize_t got = ::recv(socket, message.data(), message.size(), MSG_TRUNC | MSG_DONTWAIT);
    bytes = got > 0 ? size_t(got) : 0;
    return got > 0 ? Received::Message : Received::End;
}

std::optional<int> DecoderConnection::stop()
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

void DecoderConnection::fail(Received received, const std::string& name, Milliseconds deadline)
{
    const std::optional<int> death = stop();
    using Cause = DecoderFailure::Cause;
    if (received == Received::Nothing || diedOf(death, SIGXCPU))
        throw DecoderFailure(Cause::Slow, name,
                             fmt::format("decoding it took longer than {:g} s", seconds(deadline)), m_kind.remedy);
    if (received == Received::End && death)
        throw DecoderFailure(diedOf(death, SIGKILL) ? Cause::Killed : Cause::Died, name,
                             fmt::format("the {} crashed on it ({})", m_kind.title, describeDeath(*death)),
                             m_kind.remedy);
    throw DecoderFailure(Cause::Died, name, fmt::format("the {} returned an invalid reply for it", m_kind.title),
                         m_kind.remedy);
}

}

#include "core/media/process/decoder_program.h"

#include "core/base/error.h"
#include "core/base/process/own_program.h"
#include "core/base/process/process_limit.h"
#include "core/media/process/decoder_hello.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>

namespace attnscope {

namespace {

namespace fs = std::filesystem;
using decoder_protocol::memoryFileDescriptor;
using decoder_protocol::socketFileDescriptor;

[[noreturn]] void failToStart(const DecoderKind& kind, const fs::path& program, int error)
{
    const std::string problem = fmt::format("the {} cannot be started", kind.title);
    if (const auto limit = reachedLimit(error))
        throw Unsupported(program.string(), problem + ": " + limit->problem, limit->remedy);
    throw Unsupported(program.string(), fmt::format("{} ({})", problem, std::generic_category().message(error)),
                      kind.reinstall());
}

/// What the child does between fork and exec, as data: none of our code runs in the copy of a multithreaded process.
class SpawnPlan {
public:
    SpawnPlan()
    {
        ::posix_spawn_file_actions_init(&m_actions);
        ::posix_spawnattr_init(&m_attributes);
        sigset_t heldBack, restored;
        sigemptyset(&heldBack);
        for (const int signal : {SIGINT, SIGQUIT, SIGHUP, SIGTERM, SIGTSTP})
            sigaddset(&heldBack, signal);
        sigfillset(&restored);
        ::posix_spawnattr_setsigmask(&m_attributes, &heldBack);
        ::posix_spawnattr_setsigdefault(&m_attributes, &restored);
        ::posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    }
    ~SpawnPlan()
    {
        ::posix_spawn_file_actions_destroy(&m_actions);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    /// `socket` and `memory` are above the numbers that they are moved to.
    void openOnly(int socket, int memory)
    {
        for (const int standard : {0, 1, 2})
            ::posix_spawn_file_actions_addopen(&m_actions, standard, "/dev/null", O_RDWR, 0);
        ::posix_spawn_file_actions_adddup2(&m_actions, socket, socketFileDescriptor);
        ::posix_spawn_file_actions_adddup2(&m_actions, memory, memoryFileDescriptor);
        ::posix_spawn_file_actions_addclosefrom_np(&m_actions, memoryFileDescriptor + 1);
    }

    /// Returns an error number.
    int start(const fs::path& program, const std::vector<std::string>& words, pid_t& pid)
    {
        std::vector<char*> arguments;
        for (const std::string& word : words)
            arguments.push_back(const_cast<char*>(word.c_str()));
        arguments.push_back(nullptr);
        return ::posix_spawn(&pid, program.c_str(), &m_actions, &m_attributes, arguments.data(), environ);
    }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

/// A copy of `fileNumber` with a number that no file action overwrites before it is used; closed where that fails.
FileDescriptor copiedAbove(int fileNumber)
{
    return FileDescriptor(::fcntl(fileNumber, F_DUPFD_CLOEXEC, memoryFileDescriptor + 1));
}

}

std::string DecoderKind::reinstall() const
{
    return fmt::format("reinstall Attnscope, or set {} to a working {}", variable, program);
}

fs::path findDecoderProgram(const DecoderKind& kind)
{
    fs::path program = findOwnProgram(kind.program, kind.variable);
    if (!program.empty() && ::access(program.c_str(), X_OK) != 0)
        throw Unsupported(program.string(),
                          fmt::format("{} specifies it as the {}, but it is not an executable program",
                                      kind.variable, kind.title),
                          fmt::format("unset the variable, or set it to an {}", kind.program));
    if (!program.empty())
        return program;
    std::error_code error;
    throw Unsupported(
        kind.program,
        fmt::format("the {} program is neither next to this one ({}) nor in ../libexec/attnscope", kind.title,
                    fs::read_symlink("/proc/self/exe", error).parent_path().string()),
        fmt::format("install it there, or specify it in the environment variable {}", kind.variable));
}

StartedDecoder startDecoderProgram(const DecoderKind& kind, const fs::path& program, int memory,
                                   const std::vector<std::string>& limits)
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        failToStart(kind, program, errno);
    StartedDecoder started{-1, FileDescriptor(ends[0])};
    const FileDescriptor theirs(ends[1]);
    const FileDescriptor socket = copiedAbove(theirs.number()), shared = copiedAbove(memory);
    if (!socket.isOpen() || !shared.isOpen())
        failToStart(kind, program, errno);
    SpawnPlan plan;
    plan.openOnly(socket.number(), shared.number());
    std::vector<std::string> words{kind.program};
    words.insert(words.end(), limits.begin(), limits.end());
    if (const int error = plan.start(program, words, started.pid); error != 0)
        failToStart(kind, program, error);
    return started;
}

}

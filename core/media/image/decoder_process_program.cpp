// SPDX-License-Identifier: Apache-2.0
#include "core/media/image/decoder_process.h"

#include "core/base/process/own_program.h"
#include "core/base/process_limit.h"
#include "core/media/image/decoder_protocol.h"

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

constexpr const char* programName = "attnscope-decoder";

[[noreturn]] void failToStart(const fs::path& program, int error)
{
    if (const auto limit = reachedLimit(error))
        throw Unsupported(program.string(), "the image decoder cannot be started: " + limit->problem, limit->remedy);
    throw Unsupported(program.string(),
                      "the image decoder cannot be started (" + std::generic_category().message(error) + ")",
                      "reinstall Attnscope, or set ATTNSCOPE_DECODER to a working attnscope-decoder");
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

    pid_t start(const fs::path& program, const std::array<std::string, 4>& words)
    {
        std::array<char*, 5> arguments{};
        for (std::size_t i = 0; i < words.size(); ++i)
            arguments[i] = const_cast<char*>(words[i].c_str());
        pid_t pid = -1;
        const int error = ::posix_spawn(&pid, program.c_str(), &m_actions, &m_attributes, arguments.data(),
                                        environ);
        if (error != 0)
            failToStart(program, error);
        return pid;
    }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

/// A copy of `fileNumber` with a number that no file action overwrites before it is used.
FileDescriptor copiedAbove(int fileNumber, const fs::path& program)
{
    FileDescriptor copy(::fcntl(fileNumber, F_DUPFD_CLOEXEC, memoryFileDescriptor + 1));
    if (!copy.isOpen())
        failToStart(program, errno);
    return copy;
}

}  // namespace

fs::path findDecoderProgram()
{
    fs::path program = findOwnProgram(programName, "ATTNSCOPE_DECODER");
    if (!program.empty() && ::access(program.c_str(), X_OK) != 0)
        throw Unsupported(program.string(), "ATTNSCOPE_DECODER specifies it as the image decoder, but it is not an executable program",
                          std::string("unset the variable, or set it to an ") + programName);
    if (!program.empty())
        return program;
    std::error_code error;
    throw Unsupported(programName,
                      "the image decoder program is neither next to this one ("
                          + fs::read_symlink("/proc/self/exe", error).parent_path().string() + ") nor in ../libexec/attnscope",
                      "install it there, or specify it in the environment variable ATTNSCOPE_DECODER");
}

StartedDecoder startDecoderProgram(const fs::path& program, int memory, const Limits& limits,
                                   std::chrono::milliseconds deadline)
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
        failToStart(program, errno);
    StartedDecoder started{-1, FileDescriptor(ends[0])};
    const FileDescriptor theirs(ends[1]);
    const FileDescriptor socket = copiedAbove(theirs.number(), program), shared = copiedAbove(memory, program);
    SpawnPlan plan;
    plan.openOnly(socket.number(), shared.number());
    started.pid = plan.start(program,
                             {programName, std::to_string(limits.imageBytes), std::to_string(limits.imagePixels),
                              std::to_string(deadline.count())});
    return started;
}

}  // namespace attnscope

#include "core/attention/plugin/plugin.h"
#include "core/attention/plugin/plugin_json.h"
#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/process/own_program.h"
#include "core/base/text.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <utility>

extern char** environ;

namespace attnscope {

namespace {

constexpr const char* programName = "attnscope-commands";

std::filesystem::path findChecker()
{
    std::filesystem::path program = findOwnProgram(programName, "ATTNSCOPE_COMMANDS");
    if (program.empty())
        throw Unsupported(programName,
                          "plug-ins are tried in a process of this program first, and it is neither next to this "
                          "one nor in ../libexec/attnscope",
                          "install it there, or name it in the environment variable ATTNSCOPE_COMMANDS");
    return program;
}

/// A started process whose standard output can be read; ended when it goes out of scope.
class Child {
public:
    Child(const std::filesystem::path& program, const std::filesystem::path& plugin)
    {
        std::array<int, 2> ends{-1, -1};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            throw Unsupported("", "no pipe could be opened for the check of a plug-in");
        m_output = FileDescriptor(ends[0]);
        const FileDescriptor theirs(ends[1]);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, theirs.number(), STDOUT_FILENO);
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
        std::array<std::string, 4> words{program.string(), "plugin-check", "--here", plugin.string()};
        std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(),
                                       nullptr};
        const int error = ::posix_spawn(&m_pid, program.c_str(), &actions, nullptr, arguments.data(), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        if (error != 0)
            throw Unsupported(program.string(),
                              std::string("the check of a plug-in could not be started: ") + std::strerror(error));
    }
    ~Child()
    {
        if (m_pid > 0) {
            ::kill(m_pid, SIGKILL);
            (void)wait();
        }
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    /// All that it writes until it closes its output; empty optional if the deadline comes first.
    std::optional<std::string> output(std::chrono::milliseconds deadline) const
    {
        constexpr size_t longest = 1 << 16;
        const auto end = std::chrono::steady_clock::now() + deadline;
        std::string text;
        std::array<char, 4096> part{};
        while (text.size() < longest) {
            const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
                                  end - std::chrono::steady_clock::now())
                                  .count();
            pollfd waited{m_output.number(), POLLIN, 0};
            const int ready = left <= 0 ? 0 : ::poll(&waited, 1, int(left));
            if (ready < 0 && errno == EINTR)
                continue;
            if (ready <= 0)
                return std::nullopt;
            const ssize_t count = ::read(m_output.number(), part.data(), part.size());
            if (count == 0)
                break;
            if (count > 0)
                text.append(part.data(), size_t(count));
            else if (errno != EINTR)
                break;
        }
        return text;
    }

    /// How it ended, as waitpid reports it.
    int wait()
    {
        int status = 0;
        while (::waitpid(std::exchange(m_pid, -1), &status, 0) < 0 && errno == EINTR) {
        }
        return status;
    }

private:
    pid_t m_pid = -1;
    FileDescriptor m_output;
};

}

PluginInfo checkPluginApart(const std::filesystem::path& file, std::chrono::milliseconds deadline)
{
    Child child(findChecker(), file);
    const auto text = child.output(deadline);
    if (!text)
        throw UsageError(file.string(),
                         "its check did not end within "
                             + std::to_string(std::chrono::ceil<std::chrono::seconds>(deadline).count())
                             + " seconds",
                         "look for endless loops and locks");
    const int status = child.wait();
    if (WIFSIGNALED(status))
        throw UsageError(file.string(), "its check crashed (" + std::string(::strsignal(WTERMSIG(status))) + ")",
                         "run `attnscope-cli plugin-check --here` on it in a debugger");
    return checkedPluginFrom(*text, file);
}

}

// `attnscope-cli` as users start it. Loading LibTorch takes a quarter of a second before `main`, so this small program prints what needs
// no LibTorch, and becomes the program with all commands for everything else: same process, same arguments; where there is a GPU, with CUDA's
// libraries first.
#include "app/cli/launcher/fixed_texts.h"
#include "core/device/cuda/cuda_libraries.h"

#include <unistd.h>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

/// False when it cannot be written: the program with all commands then tries again, and says why. A reader that has gone (`| head`) is
/// no error.
bool writeText(std::string_view text)
{
    const auto pipe = std::signal(SIGPIPE, SIG_IGN);
    const auto fileSize = std::signal(SIGXFSZ, SIG_IGN);
    while (!text.empty()) {
        const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0 && errno == EPIPE)
            return true;
        if (written < 0)
            break;
        text.remove_prefix(size_t(written));
    }
    std::signal(SIGPIPE, pipe);
    std::signal(SIGXFSZ, fileSize);
    return text.empty();
}

/// ../libexec/attnscope/attnscope-commands from the folder of this program, in the build folder as after installation. Empty: /proc is missing.
std::string programWithCommands()
{
    char path[PATH_MAX];
    const ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
    if (length <= 0)
        return {};
    const std::string launcher(path, static_cast<size_t>(length));
    return launcher.substr(0, launcher.rfind('/')) + "/../libexec/attnscope/attnscope-commands";
}

}

int main(int argc, char** argv)
{
    const auto* fixed = attnscope::cli::findFixedText({argv + (argc > 0 ? 1 : 0), argv + argc});
    if (fixed != nullptr && writeText(fixed->text))
        return 0;
    const std::string program = programWithCommands();
    if (program.empty()) {
        std::fputs("attnscope-cli: /proc/self/exe cannot be read, which tells where the rest of Attnscope is; "
                   "mount /proc.\n",
                   stderr);
        return 1;
    }
    attnscope::prepareForCuda();
    ::execv(program.c_str(), argv);
    std::fprintf(stderr, "attnscope-cli: %s cannot be started (%s); install Attnscope again.\n", program.c_str(),
                 std::strerror(errno));
    return 1;
}

// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output/console.h"

#include "core/base/error.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace attnscope::cli {

namespace {

/// The number of the error, 0 when everything was written.
int writeAll(int stream, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = ::write(stream, text.data(), text.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

std::optional<int> columnsOf(int stream)
{
    winsize size{};
    const bool known = ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::optional<int>(size.ws_col) : std::nullopt;
}

}  // namespace

void writeData(std::string_view text)
{
    const int problem = writeAll(STDOUT_FILENO, text);
    if (problem != 0 && problem != EPIPE)
        throw FileError("standard output", std::strerror(problem));
}

void writeError(std::string_view text)
{
    writeAll(STDERR_FILENO, text);
}

void writeMessage(std::string_view sentence)
{
    writeError("attnscope-cli: " + std::string(sentence) + "\n");
}

bool isTerminal(int stream)
{
    const char* kind = std::getenv("TERM");
    return ::isatty(stream) == 1 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

bool mayColour(int stream)
{
    const char* refused = std::getenv("NO_COLOR");
    return isTerminal(stream) && (refused == nullptr || *refused == '\0');
}

int terminalColumns()
{
    return columnsOf(STDERR_FILENO).value_or(80);
}

std::optional<int> outputColumns()
{
    return columnsOf(STDOUT_FILENO);
}

}  // namespace attnscope::cli

#include "app/cli/output/console.h"

#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/json_path.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

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
        text.remove_prefix(size_t(written));
    }
    return 0;
}

std::optional<int> columnsOf(int stream)
{
    winsize size{};
    const bool known = ::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::optional<int>(size.ws_col) : std::nullopt;
}

}

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

namespace {

namespace fs = std::filesystem;

/// Devices and pipes are written as they are: they cannot be renamed onto.
bool isSpecial(const fs::path& path)
{
    std::error_code error;
    const auto status = fs::status(path, error);
    return fs::exists(status) && !fs::is_regular_file(status);
}

void writeSpecial(const fs::path& path, const std::string& text)
{
    std::ofstream stream(path, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream)
        throw FileError(path.string(),
                        std::string("the JSON could not be written (") + std::strerror(errno) + ")");
}

}

JsonTarget::JsonTarget(std::string destination)
    : m_destination(std::move(destination))
{
    if (m_destination.empty() || m_destination == "-")
        return;
    const fs::path path(m_destination);
    std::error_code error;
    if (fs::is_directory(path, error))
        throw FileError(m_destination, "this is a folder", "specify a file for --json, or - for standard output");
    if (!isSpecial(path))
        requireWritable(path);
}

void JsonTarget::print(const std::string& tables, const Json& json) const
{
    if (!replacesTables())
        writeData(tables);
    write(json);
}

void JsonTarget::write(const Json& json) const
{
    if (m_destination.empty())
        return;
    // Invalid UTF-8 (from a foreign header) becomes U+FFFD instead of an exception.
    const std::string text = printableJson(json.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
    if (m_destination == "-") {
        writeData(text);
        return;
    }
    const fs::path path(m_destination);
    if (isSpecial(path)) {
        writeSpecial(path, text);
        return;
    }
    writeFileAtomically(path, text);
}

}

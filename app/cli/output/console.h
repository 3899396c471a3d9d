#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>
#include <string_view>

/// The two streams: data on standard output, everything else on standard error. And where the JSON goes.
namespace attnscope::cli {

/// Throws FileError when standard output cannot be written (a full disk). A reader that has gone (`| head`) is no error: the text is
/// dropped, and what else the command does is done to its end, so that files are written and the exit code says how it went.
void writeData(std::string_view text);

/// One line on standard error, after the program's name. What the line quotes from files is already printable.
void writeMessage(std::string_view sentence);

/// The line as it is; errors are ignored, there is nobody left to tell.
void writeError(std::string_view text);

/// Whether the stream is a terminal that takes control sequences (TERM=dumb does not).
bool isTerminal(int stream);

/// Whether text on the stream may be coloured or bold: a terminal, and NO_COLOR is not set.
bool mayColour(int stream);

/// Of standard error.
int terminalColumns();
/// Of standard output; empty where it is no terminal, and so has no width.
std::optional<int> outputColumns();

/// Where `--json` goes: nowhere, standard output ("-") or a file.
class JsonTarget {
public:
    /// Throws FileError at once when the file could not be written, before hours of work.
    explicit JsonTarget(std::string destination);

    /// Standard output carries either JSON or tables, never both.
    bool replacesTables() const { return m_destination == "-"; }

    /// The tables to standard output, unless the JSON goes there, and the JSON to its place. Throws FileError.
    void print(const std::string& tables, const Json& json) const;

    /// A file is written atomically (core/base/atomic_file.h). Throws FileError.
    void write(const Json& json) const;

private:
    std::string m_destination;
};

}

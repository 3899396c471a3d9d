// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>
#include <string_view>

/// The two streams: data on standard output, everything else on standard error.
namespace attnscope::cli {

/// The reader of standard output has gone (`| head`): the program ends quietly.
class ClosedPipe : public std::exception {
public:
    const char* what() const noexcept override { return "the reader of standard output has gone"; }
};

/// Throws ClosedPipe, or FileError when standard output cannot be written (a full disk).
void writeData(std::string_view text);

/// One line on standard error, after the program's name. What the line quotes from files is already printable.
void writeMessage(std::string_view sentence);

/// The line as it is; errors are ignored, there is nobody left to tell.
void writeError(std::string_view text);

/// Whether the stream is a terminal that takes control sequences (TERM=dumb does not).
bool isTerminal(int stream);

/// Whether text on the stream may be coloured or bold: a terminal, and NO_COLOR is not set.
bool mayColour(int stream);

int terminalColumns();

}  // namespace attnscope::cli

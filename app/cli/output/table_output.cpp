#include "app/cli/output/table_output.h"

#include "app/cli/output/console.h"

#include <unistd.h>

#include <algorithm>

namespace attnscope::cli {

std::string terminalTable(const Table& table, size_t indent)
{
    TextTableOptions options{.indent = indent, .bold = mayColour(STDOUT_FILENO)};
    if (const auto columns = outputColumns())
        options.columns = size_t(std::max(*columns - int(indent), 1));
    return textTable(table, options);
}

std::string emphasised(std::string_view text)
{
    return mayColour(STDOUT_FILENO) ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

}

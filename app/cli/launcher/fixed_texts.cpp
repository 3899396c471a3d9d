#include "app/cli/launcher/fixed_texts.h"

#include <algorithm>
#include <string>

namespace attnscope::cli {

const FixedText* findFixedText(std::span<const char* const> arguments)
{
    if (arguments.empty() || arguments.size() > 2)
        return nullptr;
    std::string line;
    for (const std::string_view argument : arguments)
        line.append(line.empty() ? "" : " ").append(argument == "-h" ? "--help" : argument);
    const auto table = fixedTextTable();
    const auto found = std::ranges::find(table, line, &FixedText::arguments);
    return found == table.end() ? nullptr : &*found;
}

}

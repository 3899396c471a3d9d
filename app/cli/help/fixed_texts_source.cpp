#include "app/cli/help/fixed_texts_source.h"

#include "app/cli/help/completion_scripts.h"
#include "core/base/version.h"

#include <fmt/format.h>

namespace attnscope::cli {

namespace {

/// A line of the table. No text of ours contains the mark that ends a raw string here.
std::string tableLine(const std::string& arguments, const std::string& text)
{
    return fmt::format("    {{R\"~~~({})~~~\", R\"~~~({})~~~\"}},\n", arguments, text);
}

}

std::string fixedTextsSource(const CLI::App& app, const CommandList& commands)
{
    std::string source = "// Written by attnscope-cli --write-help while it was built.\n"
                         "#include \"app/cli/launcher/fixed_texts.h\"\n\n"
                         "namespace attnscope::cli {\n\n"
                         "static constexpr FixedText table[]{\n";
    const std::string versionLine = app.get_name() + " " + version + "\n";
    source += tableLine("--help", app.help()) + tableLine("--version", versionLine);
    for (const CommandList::Command& command : commands.all()) {
        const std::string name = command.app->get_name();
        source += tableLine(name + " --help", command.app->help(app.get_name()))
                  + tableLine(name + " --version", versionLine);
    }
    for (const char* shell : completionShells)
        source += tableLine(std::string("completion ") + shell, completionScript(commands, shell));
    return source
           + "};\n\nstd::span<const FixedText> fixedTextTable()\n{\n    return table;\n}\n\n}  // namespace "
             "attnscope::cli\n";
}

}

// Tries a plug-in before it is used, for its author and for --plugin.
#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "core/attention/plugin/plugin_json.h"
#include "core/base/error.h"
#include "core/base/process/process_limit.h"

#include <sys/resource.h>

namespace attnscope::cli {

namespace {

struct PluginCheckArguments {
    std::string file;
    bool here = false;
    OutputOptions output;
};

void visitOptions(PluginCheckArguments& arguments, auto& visit)
{
    visit("FILE", arguments.file, requiredText(), "The module or library (docs/plugins.md)");
    visit("--here", arguments.here, "Try it in this process, for a debugger; prints JSON");
    visitJson(arguments.output, visit);
}

/// What a plug-in may need while it is tried: an endless allocation is not to take the machine with it.
void limitThisProcess()
{
    constexpr rlim_t memory = rlim_t{16} << 30, seconds = 60;
    for (const auto& [resource, most] : {std::pair{RLIMIT_AS, addressSpaceInUse() + memory},
                                         std::pair{RLIMIT_CPU, seconds}, std::pair{RLIMIT_CORE, rlim_t{0}}}) {
        const rlimit limit{most, most};
        ::setrlimit(resource, &limit);
    }
}

ExitCode check(PluginCheckArguments& arguments, std::stop_token)
{
    if (arguments.here) {
        limitThisProcess();
        try {
            writeData(Json{{"plugin", toJson(checkPlugin(arguments.file))}}.dump() + "\n");
            return ExitCode::Done;
        } catch (const Error& error) {
            writeData(Json{{"problem", error.reason()}}.dump() + "\n");
            return ExitCode::WrongUsage;
        }
    }
    const JsonTarget target(arguments.output.json);
    const PluginInfo plugin = checkPluginApart(arguments.file);
    target.print(plugin.backend + ": " + plugin.provenance()
                     + "\nIt returns tensors of the right shape, finite, with the same bits each time, for each "
                       "element of a batch by itself, and\n"
                       "linear in v. Use it with --plugin "
                     + arguments.file + " --attention " + plugin.backend + "\n",
                 {{"plugin", toJson(plugin)}});
    return ExitCode::Done;
}

}

void addPluginCheckCommand(CommandList& commands)
{
    commands.add<PluginCheckArguments>(
        "plugin-check", "Tries your own attention, a TorchScript module or a library, in a process of its own",
        {"plugin-check mine.ts", "plugin-check ./libmine.so --json -"}, check);
}

}

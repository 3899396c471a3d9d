#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/progress_line.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#ifdef ATTNSCOPE_MEDIA
#include "core/data/demo/demo_data.h"
#endif

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

/// What comes with Attnscope to try it on.
struct DemoFiles {
    std::string folder;                    ///< share/attnscope/demo, or resources/demo of the source tree
    std::vector<std::string> photographs;  ///< by name
    std::vector<std::string> checkpoints;  ///< by name; none before demo models are trained
};

/// Seen from libexec/attnscope, where the program is installed, else in the source tree that it was built from; empty: not found.
std::string demoFolder()
{
    std::error_code problem;
    const fs::path program = fs::read_symlink("/proc/self/exe", problem);
    for (const fs::path& folder :
         {program.parent_path() / "../../share/attnscope/demo", fs::path(ATTNSCOPE_DEMO_DIR)})
        if (fs::is_directory(folder / "photos", problem))
            return fs::canonical(folder, problem).string();
    return {};
}

std::vector<std::string> filesWith(const fs::path& folder, const std::string& suffix)
{
    std::vector<std::string> found;
    std::error_code problem;
    for (auto entry = fs::recursive_directory_iterator(folder, problem);
         !problem && entry != fs::recursive_directory_iterator(); entry.increment(problem))
        if (entry->path().extension() == suffix && entry->is_regular_file(problem))
            found.push_back(entry->path().string());
    std::ranges::sort(found);
    return found;
}

DemoFiles installedFiles()
{
    const std::string folder = demoFolder();
    if (folder.empty())
        throw FileError("demo", "the demo photographs are not installed",
                        "install Attnscope with its share/attnscope folder");
    return {folder, filesWith(fs::path(folder) / "photos", ".jpg"), filesWith(folder, ".safetensors")};
}

struct DemoArguments {
    std::string folder, only;
    std::optional<int64_t> training, validation;  ///< empty: the set's usual number
    uint64_t seed = 0;
    bool overwrite = false;
    OutputOptions output;
};

void visitOptions(DemoArguments& arguments, auto& visit)
{
    visit("DIR", arguments.folder, anyText(""),
          "The folder to write scenes/ and moves/ into; without it, the installed demo files are listed");
    visit("--only", arguments.only, OptionRule{.words = {"scenes", "moves"}, .type = "SET", .showsDefault = false},
          "Write only one of the two data sets");
    visit("--train", arguments.training, optionalWithin(1, 10'000),
          "Training samples per class (default: 400 for scenes, 150 for moves)");
    visit("--val", arguments.validation, optionalWithin(0, 10'000),
          "Validation samples per class (default: 50 for scenes, 25 for moves)");
    visit("--seed", arguments.seed, OptionRule(), "Random seed; another seed gives different samples");
    visit("--overwrite", arguments.overwrite, "Write into DIR even if it is not empty");
    visitOptions(arguments.output, visit);
}

Json jsonPaths(const std::vector<std::string>& paths)
{
    return jsonList(paths, [&](const std::string& path) { return jsonPath(path); });
}

ExitCode list(const DemoArguments& arguments)
{
    const JsonTarget target(arguments.output.json);
    const DemoFiles files = installedFiles();
    std::string text = emphasised("Photographs") + "\n";
    for (const std::string& path : files.photographs)
        text += "  " + printable(path) + "\n";
    text += emphasised("Checkpoints") + "\n" + (files.checkpoints.empty() ? "  none is installed\n" : "");
    for (const std::string& path : files.checkpoints)
        text += "  " + printable(path) + "\n";
    target.print(text, {{"folder", jsonPath(files.folder)},
                        {"photographs", jsonPaths(files.photographs)},
                        {"checkpoints", jsonPaths(files.checkpoints)}});
    return ExitCode::Done;
}

#ifdef ATTNSCOPE_MEDIA

std::string describe(const DemoReport& report)
{
    Table table = tableOf({"set", "folder", ">classes", ">training", ">validation", ">size"});
    for (const DemoSetReport& set : report.sets)
        table.addTexts({demoSetName(set.set), printable(set.folder), std::to_string(set.classes.size()),
                        formatCount(set.training), formatCount(set.validation), formatBytes(set.bytes).text()});
    return terminalTable(table) + fmt::format("seed {}; made in {:.0f} s\n", report.seed, report.seconds);
}

Json toJson(const DemoReport& report)
{
    Json sets = jsonList(report.sets, [&](const DemoSetReport& set) {
        return Json{{"set", demoSetName(set.set)},
                    {"folder", jsonPath(set.folder)},
                    {"layout", set.set == DemoSet::Scenes ? "imagenet" : "kinetics"},
                    {"classes", set.classes},
                    {"training", set.training},
                    {"validation", set.validation},
                    {"bytes", set.bytes}};
    });
    return {{"seed", report.seed}, {"sets", sets}, {"seconds", report.seconds}};
}

DemoRequest requestOf(const DemoArguments& arguments, const DemoFiles& files)
{
    DemoRequest request;
    request.folder = arguments.folder;
    request.photos = files.folder + "/photos";
    if (!arguments.only.empty())
        request.sets = {arguments.only == "scenes" ? DemoSet::Scenes : DemoSet::Moves};
    request.training = arguments.training;
    request.validation = arguments.validation;
    request.seed = arguments.seed;
    request.overwrite = arguments.overwrite;
    return request;
}

ExitCode make(const DemoArguments& arguments, const std::stop_token& stop)
{
    const JsonTarget target(arguments.output.json);
    ProgressLine line(arguments.output.quiet ? ProgressLine::Mode::Silent : ProgressLine::Mode::Automatic);
    const auto onProgress = [&](const Progress& progress) {
        if (progress.done == 1)
            line.start(progress.total, "files");
        line.show(progress.what);
        line.advance();
    };
    const DemoReport report = writeDemoData(requestOf(arguments, installedFiles()), onProgress, stop);
    line.finish();
    target.print(describe(report), toJson(report));
    return ExitCode::Done;
}

#else

ExitCode make(const DemoArguments&, const std::stop_token&)
{
    throw Unsupported("demo", "this build cannot write images and videos", "build with ATTNSCOPE_MEDIA=ON");
}

#endif

ExitCode run(DemoArguments& arguments, std::stop_token stop)
{
    return arguments.folder.empty() ? list(arguments) : make(arguments, stop);
}

}

void addDemoCommand(CommandList& commands)
{
    commands.add<DemoArguments>(
        "demo",
        "Lists the demo files to try Attnscope with; with DIR, writes images and videos for training and "
        "evaluation",
        {"demo", "demo /tmp/demo", "demo /tmp/demo --only scenes --train 100 --val 20 --seed 1"}, run);
}

}

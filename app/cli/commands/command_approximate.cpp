#include "app/cli/commands/command_leaderboard.h"
#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnscope::cli {

namespace {

/// The notes of every curve, and those that only some of its points have under their own names.
std::vector<CurvePoint> notedPoints(const ApproximateReport& report)
{
    std::vector<CurvePoint> noted;
    for (const Curve& curve : report.curves) {
        const auto ofAll = [&](const std::string& note) {
            return std::ranges::all_of(curve.points, [&](const CurvePoint& point) {
                return !point.unavailable.empty() || std::ranges::find(point.notes, note) != point.notes.end();
            });
        };
        const size_t own = noted.size();
        noted.push_back({.attention = curve.attention});
        for (const CurvePoint& point : curve.points)
            for (const std::string& note : point.notes) {
                if (ofAll(note))
                    noted[own].notes.push_back(note);
                else
                    noted.push_back({.attention = point.attention, .notes = {note}});
            }
    }
    return noted;
}

std::string describe(const ApproximateReport& report)
{
    std::string text = head(report);
    text += terminalTable(approximationErrors(report), 2);
    for (const Curve& curve : report.curves)
        if (curve.power)
            text += fmt::format("  {}: MSE scales as samples^{:.2f}\n", curve.attention, *curve.power);
    for (const std::string& note : notesOnce(notedPoints(report)))
        text += "  " + note + "\n";
    return text;
}

std::string describe(const KernelReport& report)
{
    std::string text = head(report);
    constexpr size_t step = 4;
    for (const KernelCurve& curve : report.curves) {
        std::vector<KernelPoint> some;
        for (size_t i = 0; i < curve.points.size(); i += step)
            some.push_back(curve.points[i]);
        Table table = kernelValues(some);
        table.caption = describe(curve.angle);
        text += terminalTable(table, 2);
    }
    text += terminalTable(kernelValues(report.pairs), 2);
    if (!report.heads.empty())
        text += "\n" + terminalTable(kernelHeads(report), 2);
    for (const ExpectedOutput& one : report.expected)
        text += fmt::format("  {}: largest difference to the file {}, tolerance {}{}\n", printable(one.tensor),
                            formatError(one.maximumDifference), formatError(one.tolerance),
                            one.within() ? "" : ": too large");
    return text;
}

constexpr const char* otherSources = "a single safetensors file, or --random TOKENS";

ExitCode runKernel(ApproximateOptions& options, std::stop_token stop)
{
    if (!options.attention.empty() || !options.flat.empty())
        throw UsageError("--kernel", "it compares feature maps, not attentions",
                         "leave out --attention and --flat, or --kernel");
    KernelRequest request{.seed = options.device.seed};
    if (options.samplesGiven) {
        request.samples = options.request.samples.front();
        if (options.request.samples.size() != 1 || request.samples < 1 || request.samples > 16384)
            throw UsageError("--samples", "a kernel plot has one number of features", "give one from 1 to 16384");
    }
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    const KernelReport report = plotKernel(openSubject(options, stop, otherSources), request, stop);
    console.print(describe(report), toJson(report));
    if (!options.out.empty())
        writeFigure(options.out, kernelChart(report));
    return std::ranges::all_of(report.expected, &ExpectedOutput::within) ? ExitCode::Done : ExitCode::Failed;
}

ExitCode runAll(ApproximateOptions& options, std::stop_token stop)
{
    if (options.kernel || !options.flat.empty())
        throw UsageError("--all", "it has neither a kernel plot nor flat lines",
                         "leave out --kernel and --flat, or --all");
    LeaderboardRequest request{.attention = parseSpecs(options.attention),
                               .seed = options.device.seed,
                               .seeds = options.request.seeds,
                               .seconds = options.seconds};
    if (options.samplesGiven)
        request.samples = options.request.samples;
    return runLeaderboard(
        options, request, [&] { return openSubject(options, stop, otherSources); }, stop);
}

ExitCode run(ApproximateOptions& options, std::stop_token stop)
{
    if (options.all)
        return runAll(options, stop);
    if (options.kernel)
        return runKernel(options, stop);
    options.request.attention = parseSpecs(options.attention);
    options.request.flat = parseSpecs(options.flat);
    options.request.seed = options.device.seed;
    if (options.request.attention.empty() && options.request.flat.empty())
        throw UsageError("approximate", "no attention was specified", "give --attention at least once");
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    const ApproximateReport report = approximate(openSubject(options, stop, otherSources), options.request,
                                                 console.progress(), stop);
    const ExitCode code = console.print(report.inputs > 0 ? describe(report) : "", toJson(report), report.complete,
                                        report.unreadable);
    if (report.inputs == 0)
        return ExitCode::Failed;
    if (!options.out.empty())
        writeFigure(options.out, errorChart(report));
    return code;
}

}

void addApproximateCommand(CommandList& commands)
{
    const auto [command, options] = commands.add<ApproximateOptions>(
        "approximate",
        "Measures approximation error vs. number of samples on the same q, k, v (as in figure 1 of the LARA "
        "paper)",
        {"approximate cat.jpg --weights deit.safetensors --attention performer --attention lara:noise=unit --flat "
         "ra:mode=biased --out error.svg",
         "approximate qkv.safetensors --attention ra --samples 1,4,16 --seeds 10",
         "approximate --random 784 --head-size 64 --attention performer --attention lara",
         "approximate cat.jpg --weights deit.safetensors --all --resume rows.json --out leaderboard.svg",
         "approximate cat.jpg --weights deit.safetensors --kernel --samples 64 --out kernel.svg"},
        run);
    allowTensorsAlone(command);
    command.get_option("INPUT")->required(false);
    command.get_option("--samples")->each([&given = options.samplesGiven](const std::string&) { given = true; });
}

}

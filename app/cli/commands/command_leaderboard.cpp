#include "app/cli/commands/command_leaderboard.h"

#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/leaderboard/leaderboard_chart.h"
#include "core/lab/leaderboard/leaderboard_json.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/lab/leaderboard/leaderboard_table.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>

namespace attnscope::cli {

namespace {

constexpr double secondsBetweenWrites = 1;

std::string textOf(const LeaderboardReport& report)
{
    std::string text = head(report);
    text += terminalTable(leaderboardTable(report), 2);
    text += fmt::format("  best at equal: no other has both a smaller error ({}) and less time, or less memory\n",
                        nameOf(report, report.error()));
    text += fmt::format("  time: attention alone, median of interleaved runs with exact attention on the first "
                        "input{}; seeds: {}; measured in "
                        "{:.0f} s\n",
                        report.timedLayers < report.layers ? fmt::format(
                            ", one layer of each shape standing for its {}", counted(report.layers, "layer"))
                                                           : std::string(),
                        report.seeds, report.seconds);
    for (const LeaderboardOmission& one : report.omitted)
        text += "  left out: " + one.attention + ": " + one.reason + "\n";
    return text;
}

/// Larger than other charts: it has a mark for every row.
void writeChart(const std::filesystem::path& file, const Chart& chart)
{
    constexpr double width = 860, height = 560;
    writeFileAtomically(file, file.extension() == ".csv"
                                  ? csv(chart)
                                  : svg(chart, {.width = width, .height = height, .styles = seriesStyle}));
}

/// One step for each attention that is still to be measured.
ProgressCallback countedBy(ProgressLine& line)
{
    return [&line, done = int64_t{-1}](const Progress& progress) mutable {
        if (done < 0)
            line.start(progress.total - progress.done, "attentions");
        else if (progress.done > done)
            line.advance();
        done = progress.done;
        line.show(progress.what);
    };
}

}

ExitCode runLeaderboard(const ApproximateOptions& options, const LeaderboardRequest& request,
                        const std::function<LabSubject()>& open, std::stop_token stop)
{
    using Clock = std::chrono::steady_clock;
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    std::optional<LeaderboardReport> earlier;
    if (!options.resume.empty()) {
        requireWritable(options.resume);
        if (std::filesystem::exists(options.resume))
            earlier = readLeaderboard(options.resume);
    }
    const auto keep = [&](const LeaderboardReport& report) {
        if (!options.resume.empty())
            writeFileAtomically(options.resume, toJson(report).dump(2) + "\n");
    };
    const auto keepOften = [&, written = Clock::time_point()](const LeaderboardReport& soFar) mutable {
        if (const auto now = Clock::now(); now - written > std::chrono::duration<double>(secondsBetweenWrites)) {
            keep(soFar);
            written = now;
        }
    };
    LeaderboardReport report = measureLeaderboard(open(), request,
                                                  {.progress = countedBy(console.line()),
                                                   .measured = keepOften,
                                                   .earlier = earlier ? &*earlier : nullptr,
                                                   .stop = std::move(stop)});
    console.line().finish();
    keep(report);
    rank(report, options.order);
    if (!report.complete())
        writeMessage(fmt::format("stopped after {} of {}{}", report.rows.size(), report.candidates,
                                 options.resume.empty() ? "; with --resume FILE a stopped run can be continued."
                                                        : "; the same command continues."));
    const ExitCode code = console.print(textOf(report), toJson(report), report.complete(), report.unreadable);
    if (!options.out.empty())
        writeChart(options.out,
                   leaderboardChart(report, options.order == LeaderboardOrder::Memory ? LeaderboardCost::Memory
                                                                                      : LeaderboardCost::Time));
    return code;
}

}

#include "core/lab/leaderboard/leaderboard_table.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"
#include "core/run/measures.h"

#include <algorithm>

namespace attnscope {

namespace {

Cell frontCell(const LeaderboardRow& row)
{
    if (!row.failure.empty())
        return {.text = ATTN_TEXT("failed"), .value = 4, .help = row.failure, .dim = true};
    return {.text = row.timeFront && row.memoryFront ? ATTN_TEXT("time, memory")
                    : row.timeFront                  ? ATTN_TEXT("time")
                    : row.memoryFront                ? ATTN_TEXT("memory")
                                                     : Text(),
            .value = (row.timeFront ? 0 : 2) + (row.memoryFront ? 0 : 1)};
}

}

Table leaderboardTable(const LeaderboardReport& report)
{
    Table table{
        .columns = {{ATTN_TEXT("Attention")},
                    {ATTN_TEXT("Best at equal"), ATTN_TEXT("No other has both a smaller error and less of it")}}};
    const auto column = [&](const Text& title, const Text& help) { table.columns.push_back({title, help, true}); };
    if (report.model && report.hasClasses) {
        column(ATTN_TEXT("KL"), ATTN_TEXT("Divergence of the classes from those of exact attention, nats, with "
                                          "this attention in all layers"));
        column(ATTN_TEXT("Same class"),
               ATTN_TEXT("Fraction of inputs and seeds with exact attention's first class"));
    } else if (report.model) {
        column(ATTN_TEXT("1 − cosine"),
               ATTN_TEXT("Of the features and those of exact attention, with this attention in all layers"));
    }
    column(ATTN_TEXT("Relative error"),
           ATTN_TEXT("For the same q, k, v as exact attention: mean over heads, layers, inputs and seeds"));
    column(ATTN_TEXT("Median"), ATTN_TEXT("The same over heads, layers, inputs and seeds"));
    column(ATTN_TEXT("Time"), ATTN_TEXT("Of attention in all layers, median of interleaved runs"));
    column(ATTN_TEXT("of exact"), ATTN_TEXT("Time relative to exact attention"));
    column(ATTN_TEXT("Memory"), ATTN_TEXT("Largest tensors of one layer's attention"));
    column(ATTN_TEXT("of exact"), ATTN_TEXT("Memory relative to exact attention"));
    table.columns.push_back({ATTN_TEXT("Note"), ATTN_TEXT("Why it failed, or what was left out of the means")});
    for (const LeaderboardRow& row : report.rows) {
        Row made{{{.text = row.attention, .look = row.backend, .help = row.attention}, frontCell(row)},
                 row.attention,
                 row.attention};
        std::vector<Cell>& cells = made.cells;
        const bool failed = !row.failure.empty();
        if (!failed) {
            if (report.model)
                cells.push_back(errorCell(errorOf(row, LeaderboardError::EndToEnd)));
            if (report.model && report.hasClasses)
                cells.push_back(probabilityCell(row.effect ? row.effect->agreement : std::nullopt));
            cells.insert(cells.end(), {errorCell(row.relative, row.relativeStddev), errorCell(row.medianRelative),
                                       millisecondsCell(modelTime(row.latency)), ratioCell(row.timeRatio()),
                                       bytesCell(row.peakBytes), ratioCell(row.memoryRatio())});
        }
        cells.resize(table.columns.size() - 1);
        cells.push_back({failed               ? Text(row.failure)
                         : row.notFinite == 0 ? Text()
                                              : ATTN_COUNT("%1 head(s) not finite").of(row.notFinite)});
        table.rows.push_back(std::move(made));
    }
    return table;
}

Text verdict(const LeaderboardReport& report)
{
    const LeaderboardRow* best = bestFaster(report);
    if (best == nullptr)
        return ATTN_TEXT("None is clearly faster than exact attention at %1 tokens")
            .arg(formatCount(report.tokens));
    return ATTN_TEXT("%1: error %2 at %3 the time, the most accurate of those faster than exact attention")
        .arg(best->attention, formatError(errorOf(*best, report.error())), formatGain(best->timeRatio()));
}

Text conditions(const LeaderboardReport& report)
{
    const auto measured = std::ranges::count_if(report.rows,
                                                [](const LeaderboardRow& row) { return row.failure.empty(); });
    const auto faster = std::ranges::count_if(report.rows, &LeaderboardRow::isFaster);
    const Text how = ATTN_TEXT("%1, %2 tokens. Times are of attention alone, on the first input, relative to %3; "
                               "errors are over %4 seeds.")
                         .arg(printable(report.source), formatCount(report.tokens), report.exactMeaning,
                              std::to_string(report.seeds));
    return joined(
        {how,
         ATTN_TEXT("%1 of %2 are faster than exact attention.").arg(formatCount(faster), formatCount(measured))},
        " ");
}

}

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/lab/decode/decode_output.h"
#include "core/measure/paired_ratio.h"
#include "core/run/measures.h"

#include <numeric>

namespace attnscope {

namespace {

/// What mechanisms are called, with their marks in the charts; what to know of them is in the help.
std::vector<Cell> mechanismCells(const DecodeReport& report)
{
    std::vector<std::string> mechanisms;
    for (const DecodeRow& row : report.rows)
        mechanisms.push_back(row.mechanism);
    const std::vector<std::string> looks = looksOfMechanisms(mechanisms);
    std::vector<Cell> cells;
    for (size_t i = 0; i < looks.size(); ++i) {
        std::vector<std::string> help = report.rows[i].notes;
        help.insert(help.begin(), report.rows[i].title);
        cells.push_back({.text = mechanisms[i],
                         .title = mechanismTitle(mechanisms[i]),
                         .look = looks[i],
                         .help = joined(help, "\n")});
    }
    return cells;
}

Column mechanismColumn()
{
    return {ATTN_TEXT("Mechanism")};
}

}

std::string mechanismTitle(const std::string& mechanism)
{
    const size_t options = mechanism.find(':');
    std::string title = mechanism.substr(0, options);
    for (const char c : options == std::string::npos ? "" : mechanism.substr(options))
        title += c == ':' ? " · " : c == ',' ? ", " : std::string(1, c);
    return title;
}

Table decodePoints(const DecodeReport& report)
{
    Table table{
        .columns = {
            mechanismColumn(),
            {ATTN_TEXT("Position"), ATTN_TEXT("Tokens so far"), true},
            {ATTN_TEXT("Time"), ATTN_TEXT("Median time of one token, all heads, one thread"), true},
            {ATTN_TEXT("5 % – 95 %"), ATTN_TEXT("Percentiles of the time of one token"), true},
            {ATTN_TEXT("mean"),
             ATTN_TEXT(
                 "Mean time of the same tokens: what happens at the end of a segment counts with its frequency"),
             true},
            {ATTN_TEXT("State"), ATTN_TEXT("What is kept between two tokens, all heads"), true},
            {ATTN_TEXT("Mult.-adds"), ATTN_TEXT("Multiply-adds of one token, all heads"), true},
            {ATTN_TEXT("Error"),
             ATTN_TEXT(
                 "Relative error of the timed tokens, with respect to softmax over all tokens so far, in float64"),
             true},
            {.title = ATTN_TEXT("MSE"), .number = true, .detail = true},
            {ATTN_TEXT("Measured"), ATTN_TEXT("Number of timed tokens"), true}}};
    const std::vector<Cell> names = mechanismCells(report);
    for (size_t i = 0; i < report.rows.front().points.size(); ++i)
        for (size_t r = 0; r < report.rows.size(); ++r) {
            const DecodePoint& point = report.rows[r].points[i];
            const auto work = double(point.multiplyAdds);
            table.add({names[r], countCell(point.position), millisecondsCell(modelTime(point.latency)),
                       millisecondsRange(modelTime(point.latency)), millisecondsCell(point.meanMs),
                       bytesCell(point.stateBytes), numberCell(work, formatQuantity(work).text()),
                       errorCell(point.relative), errorCell(point.mse), countCell(point.latency.repetitions)});
        }
    return table;
}

Table decodeSummary(const DecodeReport& report)
{
    Table table{
        .columns = {
            mechanismColumn(),
            {ATTN_TEXT("Time ∝ tᵖ"), ATTN_TEXT("p, the exponent of the time of a token over all positions t"),
             true},
            {ATTN_TEXT("State ∝ tᵖ"), ATTN_TEXT("p, the exponent of the state over all positions t"), true},
            {ATTN_TEXT("Faster"), ATTN_TEXT("Position from which a token takes less time than with the cache"),
             true},
            {ATTN_TEXT("Smaller"), ATTN_TEXT("Position from which its state is smaller than the cache"), true},
            {ATTN_TEXT("Less work"),
             ATTN_TEXT("Position from which a token needs fewer multiply-adds than with the cache"), true},
            {ATTN_TEXT("Half-life"),
             ATTN_TEXT("Tokens after which a constant gate has halved what the state has kept"), true},
            {ATTN_TEXT("Loss"),
             ATTN_TEXT("What a compression changes in the output, mean over compressions and heads"), true},
            {ATTN_TEXT("Parallel"),
             ATTN_TEXT("Largest difference between the outputs token by token and those of all tokens at once"),
             true}}};
    const std::vector<Cell> names = mechanismCells(report);
    for (size_t r = 0; r < names.size(); ++r) {
        const DecodeRow& row = report.rows[r];
        const auto from = [&](const std::optional<double>& token) { return r == 0 ? Cell() : fromCell(token); };
        const double losses = std::accumulate(row.losses.begin(), row.losses.end(), 0.0);
        table.add({names[r], decimalCell(row.timeExponent), decimalCell(row.stateExponent),
                   from(row.breakEvenTime), from(row.breakEvenState), from(row.breakEvenWork),
                   row.halfLife
                       ? numberCell(*row.halfLife, ATTN_TEXT("%1 tokens").arg(decimalCell(row.halfLife, 1).text))
                       : Cell(),
                   row.losses.empty() ? Cell() : errorCell(losses / double(row.losses.size())),
                   errorCell(row.parallel.maximumDifference)});
    }
    return table;
}

Table decodeImpulses(const DecodeReport& report)
{
    Table table{.caption = ATTN_TEXT("Weight of a token in the output that many tokens later"),
                .columns = {mechanismColumn()}};
    for (const ImpulsePoint& point : report.rows.front().impulse)
        table.columns.push_back({formatCount(point.lag), table.caption, true});
    const std::vector<Cell> names = mechanismCells(report);
    for (size_t r = 0; r < names.size(); ++r) {
        const DecodeRow& row = report.rows[r];
        Row weights{{names[r]}}, states{{{.text = ATTN_TEXT("%1, state").arg(row.mechanism),
                                          .title = ATTN_TEXT("%1, state").arg(names[r].title)}}};
        for (const ImpulsePoint& point : row.impulse) {
            weights.cells.push_back(errorCell(point.weight));
            states.cells.push_back(errorCell(point.state));
        }
        table.rows.push_back(std::move(weights));
        if (row.halfLife)
            table.rows.push_back(std::move(states));
    }
    return table;
}

Text verdict(const DecodeReport& report)
{
    const std::vector<DecodePoint>& cache = report.rows.front().points;
    if (cache.empty())
        return ATTN_TEXT("No measurements yet");
    const DecodePoint& last = cache.back();
    const std::string where = formatCount(last.position);
    const DecodeRow* closest = nullptr;
    int faster = 0;
    for (const DecodeRow& row : report.rows) {
        if (&row == &report.rows.front()
            || compareSpeed(row.points.back().latency, last.latency).speed != Speed::Faster)
            continue;
        ++faster;
        if (closest == nullptr || row.points.back().relative < closest->points.back().relative)
            closest = &row;
    }
    if (report.rows.size() == 1)
        return ATTN_TEXT("A token takes %1 with a cache of %2 tokens").arg(timeText(last.latency), where);
    if (closest == nullptr)
        return ATTN_TEXT("Nothing is clearly faster than the cache at %1 tokens").arg(where);
    const std::string name = mechanismTitle(closest->mechanism),
                      error = formatError(closest->points.back().relative);
    if (faster == 1)
        return ATTN_TEXT("%1 is faster than the cache at %2 tokens, with a relative error of %3")
            .arg(name, where, error);
    return ATTN_TEXT("%1 of %2 mechanisms are faster than the cache at %3 tokens; %4 is closest to it: relative "
                     "error %5")
        .arg(std::to_string(faster), std::to_string(report.rows.size() - 1), where, name, error);
}

Text conditions(const DecodeReport& report)
{
    const DecodeRequest& r = report.request;
    const Text source =
        !r.file.empty()
            ? ATTN_TEXT("%1, layer %2").arg(printable(r.file.filename().string()), std::to_string(r.layer))
        : r.tokens == TokenKind::Smooth ? ATTN_TEXT("correlated tokens")
        : r.tokens == TokenKind::Recall ? ATTN_TEXT("tokens to be recalled")
                                        : ATTN_TEXT("independent tokens");
    return joined(
        {source,
         joined({ATTN_COUNT("%1 head(s)").of(report.heads), ATTN_COUNT("%1 channel(s)").of(report.widths.width)},
                ", "),
         r.dtype, ATTN_TEXT("one thread"), report.device.description,
         ATTN_TEXT("load %1").arg(decimalCell(report.environment.loadAverage, 1).text)},
        " · ");
}

}

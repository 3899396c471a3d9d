#include "ui/scale/decode/decode_tables.h"

#include "ui/scale/decode/mechanism_list.h"
#include "ui/scale/scale_cells.h"
#include "ui/style/qt_text.h"

#include "core/base/format.h"
#include "core/lab/decode/decode_output.h"

#include <numeric>

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

/// What a mechanism is called, with its mark in the charts; notes and citation are in the tool tip.
QList<Cell> mechanismCells(const DecodeReport& report)
{
    std::vector<std::string> mechanisms;
    for (const DecodeRow& row : report.rows)
        mechanisms.push_back(row.mechanism);
    const std::vector<std::string> looks = looksOfMechanisms(mechanisms);
    QList<Cell> cells;
    for (std::size_t i = 0; i < looks.size(); ++i) {
        QStringList help{toQt(report.rows[i].title)};
        for (const std::string& note : report.rows[i].notes)
            help << toQt(note);
        cells << Cell{.text = mechanismTitle(mechanisms[i]),
                      .backend = toQt(looks[i]),
                      .mark = true,
                      .help = help.join(QLatin1Char('\n'))};
    }
    return cells;
}

CellTable::Column mechanismColumn()
{
    return {attnscope::ui::tr("Mechanism"), {}, false};
}

Cell fromToken(const DecodeReport& report, const DecodeRow& row, const std::optional<double>& token)
{
    if (&row == &report.rows.front())
        return noCell();
    if (!token)
        return {.text = tr("nowhere"), .dim = true};
    return numberCell(*token, tr("from %1").arg(countText(std::int64_t(*token))));
}

}

TableContents decodePoints(const DecodeReport& report)
{
    TableContents table;
    table.columns = {
        mechanismColumn(),
        {tr("Position"), tr("Tokens so far"), true},
        {tr("Time"), tr("Median time of one token, all heads, one thread"), true},
        {tr("mean"),
         tr("Mean time of the same tokens: what happens at the end of a segment counts with its frequency"), true},
        {tr("State"), tr("What is kept between two tokens, all heads"), true},
        {tr("Mult.-adds"), tr("Multiply-adds of one token, all heads"), true},
        {tr("Error"),
         tr("Relative error of the timed tokens, with respect to softmax over all tokens so far, in float64"),
         true},
        {tr("MSE"), {}, true},
        {tr("Measured"), tr("Number of tokens and the range of their times (5th to 95th percentile)"), false}};
    const QList<Cell> names = mechanismCells(report);
    const std::size_t positions = report.rows.front().points.size();
    for (std::size_t i = 0; i < positions; ++i)
        for (std::size_t r = 0; r < report.rows.size(); ++r) {
            const DecodePoint& point = report.rows[r].points[i];
            table.rows << CellTable::Row{
                {names[static_cast<qsizetype>(r)], countCell(point.position),
                 millisecondsCell(point.latency.medianMs), millisecondsCell(point.meanMs),
                 bytesCell(point.stateBytes),
                 numberCell(double(point.multiplyAdds), toQt(formatQuantity(double(point.multiplyAdds)).text())),
                 errorCell(point.relative), errorCell(point.mse),
                 textCell(tr("%1 tokens, %2 to %3")
                              .arg(point.latency.repetitions)
                              .arg(toQt(formatMilliseconds(point.latency.p05Ms).text()),
                                   toQt(formatMilliseconds(point.latency.p95Ms).text())))},
                toQt(report.rows[r].mechanism)};
        }
    return table;
}

TableContents decodeSummary(const DecodeReport& report)
{
    TableContents table;
    table.columns = {
        mechanismColumn(),
        {tr("Time ∝ tᵖ"), tr("p, the exponent of the time of a token over all positions t"), true},
        {tr("State ∝ tᵖ"), tr("p, the exponent of the state over all positions t"), true},
        {tr("Faster"), tr("Position from which a token takes less time than with the cache"), true},
        {tr("Smaller"), tr("Position from which its state is smaller than the cache"), true},
        {tr("Less work"), tr("Position from which a token needs fewer multiply-adds than with the cache"), true},
        {tr("Half-life"), tr("Tokens after which a constant gate has halved what the state has kept"), true},
        {tr("Loss"), tr("What a compression changes in the output, mean over compressions and heads"), true},
        {tr("Parallel"),
         tr("Largest difference between the outputs token by token and those of all tokens at once"), true}};
    const QList<Cell> names = mechanismCells(report);
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const DecodeRow& row = report.rows[r];
        const double losses = std::accumulate(row.losses.begin(), row.losses.end(), 0.0);
        table.rows << CellTable::Row{
            {names[static_cast<qsizetype>(r)], powerCell(row.timeExponent), powerCell(row.stateExponent),
             fromToken(report, row, row.breakEvenTime), fromToken(report, row, row.breakEvenState),
             fromToken(report, row, row.breakEvenWork),
             row.halfLife ? numberCell(*row.halfLife, tr("%1 tokens").arg(*row.halfLife, 0, 'f', 1)) : noCell(),
             row.losses.empty() ? noCell() : errorCell(losses / double(row.losses.size())),
             errorCell(row.parallel.maximumDifference)},
            toQt(row.mechanism)};
    }
    return table;
}

TableContents decodeImpulses(const DecodeReport& report)
{
    TableContents table;
    table.columns = {mechanismColumn()};
    for (const ImpulsePoint& point : report.rows.front().impulse)
        table.columns << CellTable::Column{countText(point.lag),
                                           tr("Weight of a token in the output that many tokens later"), true};
    const QList<Cell> names = mechanismCells(report);
    for (std::size_t r = 0; r < report.rows.size(); ++r) {
        const DecodeRow& row = report.rows[r];
        CellTable::Row weights{{names[static_cast<qsizetype>(r)]}, toQt(row.mechanism)};
        CellTable::Row state{{textCell(tr("%1, state").arg(mechanismTitle(row.mechanism)))}, toQt(row.mechanism)};
        for (const ImpulsePoint& point : row.impulse) {
            weights.cells << errorCell(point.weight);
            state.cells << (point.state ? errorCell(*point.state) : noCell());
        }
        table.rows << weights;
        if (row.halfLife)
            table.rows << state;
    }
    return table;
}

}

#include "ui/layers/leaderboard/leaderboard_table.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"
#include "core/lab/leaderboard/leaderboard_ranking.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

struct BoardText {
    Q_DECLARE_TR_FUNCTIONS(attnscope::ui::LeaderboardTable)
};

CellTable::Cell boardNumber(double value, const std::string& text)
{
    return {.text = toQt(text), .sort = std::isfinite(value) ? value : std::numeric_limits<double>::infinity()};
}

CellTable::Cell boardError(double value)
{
    return boardNumber(value, formatError(value));
}

CellTable::Cell frontCell(const LeaderboardRow& row)
{
    const QString text = row.timeFront && row.memoryFront ? BoardText::tr("time, memory")
                         : row.timeFront                  ? BoardText::tr("time")
                         : row.memoryFront                ? BoardText::tr("memory")
                                                          : QString();
    return {.text = text,
            .sort = (row.timeFront ? 0 : 2) + (row.memoryFront ? 0 : 1),
            .help = text.isEmpty() ? QString()
                                   : BoardText::tr("No other attention has both a smaller error and less of it")};
}

CellTable::Row boardRow(const LeaderboardReport& report, const LeaderboardRow& row)
{
    CellTable::Row made{.cells = {{.text = toQt(row.attention),
                                   .backend = toQt(row.backend),
                                   .mark = true,
                                   .help = toQt(row.attention)}},
                        .key = toQt(row.attention),
                        .name = toQt(row.attention)};
    if (!row.failure.empty()) {
        made.cells << CellTable::Cell{
            .text = BoardText::tr("failed"), .sort = 4, .dim = true, .help = toQt(row.failure)};
        return made;
    }
    made.cells << frontCell(row);
    if (report.model)
        made.cells << boardError(errorOf(row, LeaderboardError::EndToEnd));
    if (report.hasClasses && row.effect && row.effect->agreement)
        made.cells << boardNumber(*row.effect->agreement, formatProbability(*row.effect->agreement));
    const double time = row.timeRatio(), memory = row.memoryRatio();
    made.cells << boardError(row.relative) << boardError(row.medianRelative)
               << boardNumber(row.latency.medianMs, formatMilliseconds(row.latency.medianMs).text())
               << boardNumber(time, formatGain(time))
               << boardNumber(double(row.peakBytes), formatBytes(row.peakBytes).text())
               << boardNumber(memory, formatGain(memory));
    return made;
}

}

TableContents leaderboardTable(const LeaderboardReport& report)
{
    TableContents table;
    const auto column = [&](const QString& title, const QString& help, bool number = true) {
        table.columns << CellTable::Column{title, help, number};
    };
    column(BoardText::tr("Attention"), {}, false);
    column(BoardText::tr("Best at equal"), BoardText::tr("No other has both a smaller error and less of it"),
           false);
    if (report.model && report.hasClasses) {
        column(BoardText::tr("KL"), BoardText::tr("Divergence of the classes from those of exact attention, nats, "
                                                  "with this attention in all layers"));
        column(BoardText::tr("Same class"),
               BoardText::tr("Fraction of inputs and seeds with exact attention's first class"));
    } else if (report.model) {
        column(BoardText::tr("1 − cosine"),
               BoardText::tr("Of the features and those of exact attention, with this attention in all layers"));
    }
    column(BoardText::tr("Relative error"),
           BoardText::tr("For the same q, k, v as exact attention: mean over heads, layers, inputs and seeds"));
    column(BoardText::tr("Median"), BoardText::tr("The same over heads, layers, inputs and seeds"));
    column(BoardText::tr("Time"), BoardText::tr("Of attention in all layers, median of interleaved runs"));
    column(BoardText::tr("of exact"), BoardText::tr("Time relative to exact attention"));
    column(BoardText::tr("Memory"), BoardText::tr("Largest tensors of one layer's attention"));
    column(BoardText::tr("of exact"), BoardText::tr("Memory relative to exact attention"));
    for (const LeaderboardRow& row : report.rows)
        table.rows << boardRow(report, row);
    return table;
}

LeaderboardWords leaderboardWords(const LeaderboardReport& report)
{
    QString headline = toQt(verdict(report));
    headline.front() = headline.front().toUpper();
    if (const LeaderboardRow* best = bestFaster(report))  // the name first: the end may be cut
        headline = BoardText::tr(
                       "%1: error %2 at %3 the time, the most accurate of those faster than exact attention")
                       .arg(toQt(best->attention), toQt(formatError(errorOf(*best, report.error()))),
                            toQt(formatGain(best->timeRatio())));
    return {headline, BoardText::tr("%1, %2 tokens. Times are of attention alone, on the first input, relative to "
                                    "%3; errors are over %4 seeds.")
                          .arg(toQt(report.source), toQt(formatCount(report.tokens)), toQt(report.exactMeaning))
                          .arg(report.seeds)};
}

}

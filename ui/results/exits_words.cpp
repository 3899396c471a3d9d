#include "ui/results/exits_words.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

/// The lowest threshold whose interval reaches the accuracy of the whole network; the highest one if none does.
const ExitPoint& usefulPoint(const AttentionExits& exits)
{
    const double whole = exits.depth.back().outcome.top1();
    for (const ExitPoint& point : exits.confidence)
        if (point.outcome.top1Interval().high >= whole)
            return point;
    return exits.confidence.back();
}

QString numberText(double value, int digits)
{
    return QString::number(value, 'f', digits);
}

QString titleOf(const AttentionExits& exits)
{
    return titleOfSpec(toQt(exits.attention));
}

Cell top1Cell(const ExitOutcome& outcome)
{
    const Fraction fraction = fractionOf(outcome.correct, outcome.samples);
    return {.text = tr("%1 %2").arg(percentText(fraction.value), halfWidthText(fraction)),
            .sort = fraction.value,
            .help = tr("95 % interval: %1").arg(intervalText(fraction))};
}

}

QString exitsHeadline(const ExitReport& report)
{
    if (report.samples == 0)
        return tr("No sample could be read");
    const AttentionExits& first = report.attention.front();
    const ExitPoint& point = usefulPoint(first);
    return tr("%1: threshold %2 runs %3 of %4 blocks, %5 % top-1 instead of %6 %")
        .arg(titleOf(first), QString::number(point.setting), numberText(point.outcome.meanBlocks(), 1))
        .arg(report.blocks.size())
        .arg(percentText(point.outcome.top1()), percentText(first.depth.back().outcome.top1()));
}

QString exitsDetail(const ExitReport& report)
{
    QStringList parts{report.trained ? tr("Heads trained for each exit")
                                     : tr("Untrained exits: the network's own norm and head"),
                      toQt(report.model.model.name), dataTitle(toQt(report.folder)),
                      counted(report.samples, [](int n) {
                          return QCoreApplication::translate("attnscope::ui", "%1 sample(s)", nullptr, n);
                      })};
    if (!report.unreadable.empty())
        parts << tr("%1 unreadable").arg(report.unreadable.size());
    return parts.join(u" · "_s);
}

TableContents exitsTable(const ExitReport& report)
{
    TableContents table{
        {{tr("Threshold"), tr("A sample leaves behind the first block whose largest probability is above it"),
          true}},
        {}};
    const bool several = report.attention.size() > 1;
    for (const AttentionExits& exits : report.attention) {
        const auto title = [&](const QString& what) {
            return several ? tr("%1: %2").arg(titleOf(exits), what) : what;
        };
        table.columns << CellTable::Column{title(tr("top-1 %")),
                                           tr("Accuracy at the exits, with half of its 95 % interval"), true}
                      << CellTable::Column{title(tr("blocks")), tr("Blocks run, mean over samples"), true}
                      << CellTable::Column{title(tr("work %")),
                                           tr("Multiply-adds, with a prediction behind every block on the way, as "
                                              "a fraction of the whole network's; not a "
                                              "measured time"),
                                           true};
    }
    const std::vector<ExitPoint>& settings = report.attention.front().confidence;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        CellTable::Row row;
        row.cells << Cell{.text = QString::number(settings[i].setting), .sort = settings[i].setting};
        row.name = tr("threshold %1").arg(settings[i].setting);
        for (const AttentionExits& exits : report.attention) {
            const ExitPoint& point = exits.confidence[i];
            row.cells << top1Cell(point.outcome)
                      << Cell{.text = numberText(point.outcome.meanBlocks(), 2),
                              .sort = point.outcome.meanBlocks()}
                      << Cell{.text = numberText(100 * point.macs / exits.macs, 1), .sort = point.macs};
        }
        table.rows << row;
    }
    return table;
}

}

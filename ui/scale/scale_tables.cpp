#include "ui/scale/scale_tables.h"

#include "ui/scale/scale_cells.h"
#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

Cell name(const std::string& attention, const QString& title)
{
    return {
        .text = title, .backend = looksOfSpecs({toQt(attention)}).front(), .mark = true, .help = toQt(attention)};
}

/// Of attentions that a table names in its first column, each has the look that it has in the charts next to it.
void markApart(TableContents& table)
{
    QStringList specs;
    for (const CellTable::Row& row : table.rows)
        specs << row.cells.front().help;
    const QStringList looks = looksOfSpecs(specs);
    for (qsizetype i = 0; i < looks.size(); ++i)
        table.rows[i].cells.front().backend = looks[i];
}

Cell from(const std::optional<double>& tokens, bool clear = true)
{
    if (!tokens)
        return noCell();
    const QString words = tr("from %1").arg(countText(std::llround(*tokens)));
    return {.text = clear ? words : u"≈ "_s + words,
            .sort = *tokens,
            .dim = !clear,
            .help = clear ? QString() : tr("Based on medians; at the longest length the difference is not clear")};
}

Cell ratio(const std::optional<double>& value)
{
    return value ? numberCell(*value, QString::number(*value, 'f', *value < 10 ? 2 : 1) + u"×"_s) : noCell();
}

Cell published(const ScaleRow& row, std::int64_t tokens)
{
    for (const PublishedRatio& one : row.published)
        if (one.tokens == tokens)
            return numberCell(one.time, u"%1× · %2×"_s.arg(one.time, 0, 'f', 2).arg(one.memory, 0, 'f', 2));
    return noCell();
}

Cell top1(const Plan& plan, std::int64_t labelled)
{
    if (!plan.accuracy)
        return noCell();
    const Fraction fraction = fractionOf(std::llround(*plan.accuracy * double(labelled)), labelled);
    Cell cell = numberCell(*plan.accuracy,
                           QString::number(100 * fraction.value, 'f', 1)
                               + QString::fromUtf8(" ±%1").arg(50 * (fraction.high - fraction.low), 0, 'f', 1));
    cell.help = intervalText(fraction);
    return cell;
}

CellTable::Row pointRow(const ScaleRow& row, const ScalePoint& point)
{
    CellTable::Row made;
    made.cells << name(row.attention, scaleTitle(row.attention)) << countCell(point.tokens);
    if (!point.stopped.empty()) {
        made.cells << QList<Cell>(8, noCell()) << published(row, point.tokens)
                   << textCell(tr("stopped: %1").arg(toQt(point.stopped)), toQt(point.stopped));
        return made;
    }
    made.cells << millisecondsCell(point.latency.medianMs) << ratio(point.timeRatio)
               << millisecondsCell(point.latency.attentionMedianMs) << ratio(point.attentionTimeRatio)
               << bytesCell(point.peakBytes) << ratio(point.memoryRatio) << bytesCell(point.attentionPeakBytes)
               << ratio(point.attentionMemoryRatio) << published(row, point.tokens)
               << textCell(tr("%1 passes, %2 to %3")
                               .arg(point.latency.repetitions)
                               .arg(toQt(formatMilliseconds(point.latency.p05Ms).text()),
                                    toQt(formatMilliseconds(point.latency.p95Ms).text())));
    return made;
}

CellTable::Row errorRow(const Curve& curve, const CurvePoint& point)
{
    CellTable::Row made;
    made.cells << name(curve.attention, curveTitle(curve))
               << (point.samples > 0 ? numberCell(double(point.samples), QString::number(point.samples))
                                     : textCell(tr("any")));
    if (!point.unavailable.empty()) {
        made.cells << QList<Cell>(5, noCell()) << textCell(toQt(point.unavailable), toQt(point.unavailable));
        return made;
    }
    const bool random = point.seeds > 1;
    made.cells << errorCell(point.error.mse) << (random ? errorCell(point.error.mseStddev) : noCell())
               << (random ? errorCell(point.parts.biasSquared) : noCell())
               << (random ? errorCell(point.parts.variance) : noCell()) << errorCell(point.error.relative)
               << textCell(point.deterministic ? tr("deterministic") : counted(point.seeds, [](int n) {
                      return attnscope::ui::tr("%1 seed(s)", nullptr, n);
                  }));
    return made;
}

}

TableContents growthTable(const ScaleReport& report)
{
    TableContents table;
    table.columns = {
        {tr("Attention"), {}, false},
        {tr("Time ∝ Nᵖ, p ="), tr("Exponent of encoder time over the longest lengths"), true},
        {tr("attention only"), tr("Exponent of the time inside attention"), true},
        {tr("memory"), tr("Exponent of the peak memory of one attention"), true},
        {tr("theoretical"), tr("Exponents of time and memory stated in its paper"), true},
        {tr("Faster than explicit"), tr("Length from which its encoder is faster than with explicit softmax"),
         true},
        {tr("than fused"), tr("Length from which its encoder is faster than with fused softmax"), true},
        {tr("Smaller"), tr("Length from which its encoder needs less memory than with explicit softmax"), true}};
    for (const ScaleRow& row : report.rows)
        table.rows << CellTable::Row{
            {name(row.attention, scaleTitle(row.attention)), powerCell(row.exponents.time),
             powerCell(row.exponents.attentionTime), powerCell(row.exponents.attentionMemory),
             textCell(u"%1, %2"_s.arg(row.claimedTime).arg(row.claimedMemory)),
             from(row.breakEvenExplicit, clearlyFaster(row, report.rows[0])),
             from(row.breakEvenFused, clearlyFaster(row, report.rows[1])), from(row.breakEvenMemory)},
            toQt(row.attention)};
    markApart(table);
    return table;
}

TableContents pointsTable(const ScaleReport& report)
{
    TableContents table;
    table.columns = {
        {tr("Attention"), {}, false},
        {tr("Tokens"), {}, true},
        {tr("Encoder"), tr("Median time of a pass"), true},
        {tr("vs. softmax"), tr("Relative to explicit softmax at the same length"), true},
        {tr("Attention only"), tr("Median time inside attention"), true},
        {tr("vs. softmax"), {}, true},
        {tr("Peak memory"), tr("Peak tensor memory of a pass, above the level before it"), true},
        {tr("vs. softmax"), {}, true},
        {tr("attention peak"), tr("Peak memory of the attention in the largest layer"), true},
        {tr("vs. softmax"), {}, true},
        {tr("Published"), tr("Time and memory relative to softmax, LARA paper, table 6, 16 samples"), true},
        {tr("Measured"), tr("Number of passes and the range of their times (5th to 95th percentile)"), false}};
    for (std::size_t i = 0; i < report.request.lengths.size(); ++i)
        for (const ScaleRow& row : report.rows)
            if (i < row.points.size())
                table.rows << pointRow(row, row.points[i]);
    markApart(table);
    return table;
}

TableContents errorTable(const ApproximateReport& report)
{
    TableContents table;
    table.columns = {
        {tr("Attention"), {}, false},
        {QCoreApplication::translate("attnscope::ui", "Samples", "of random features or landmarks"), {}, true},
        {tr("MSE"), tr("Mean squared error with respect to exact attention; mean over seeds"), true},
        {tr("std. dev."), tr("Standard deviation over seeds"), true},
        {tr("bias²"), tr("The part that more seeds do not average out"), true},
        {tr("variance"), {}, true},
        {tr("relative"), tr("Norm of the difference over the norm of the exact output"), true},
        {tr("Seeds"), {}, false}};
    for (const Curve& curve : report.curves)
        for (const CurvePoint& point : curve.points)
            table.rows << errorRow(curve, point);
    const auto baseline = [&](const QString& title, double mse, double relative) {
        table.rows << CellTable::Row{{textCell(title), noCell(), errorCell(mse), noCell(), noCell(), noCell(),
                                      errorCell(relative), textCell(tr("baseline"))},
                                     {}};
    };
    baseline(tr("mean of the values"), report.meanOfValues.mse, report.meanOfValues.relative);
    baseline(tr("zero"), report.meanSquare, 1);
    markApart(table);
    return table;
}

QString planTitle(const PlanReport& report, const Plan& plan)
{
    if (plan.uniform)
        return scaleTitle(plan.attention);
    QStringList parts;
    std::set<std::size_t> seen;
    for (const std::size_t choice : plan.choice)
        if (seen.insert(choice).second)
            parts << tr("%1× %2")
                         .arg(std::count(plan.choice.begin(), plan.choice.end(), choice))
                         .arg(titleOfSpec(toQt(report.candidates[choice])));
    return parts.join(u", "_s);
}

TableContents plansTable(const PlanReport& report)
{
    TableContents table;
    table.columns = {{tr("Plan"), {}, false},
                     {tr("Latency"), tr("Median latency of the whole model"), true},
                     {tr("Error"), tr("Relative error, mean over layers with the same q, k, v"), true},
                     {tr("KL"), tr("KL divergence of the class distribution, in nats"), true},
                     {tr("top-1 agreement"), tr("Fraction of inputs with the same top-1 class as softmax"), true}};
    if (report.labelled > 0)
        table.columns.insert(
            2, {tr("Top-1 %"),
                tr("Of %1 labelled inputs, ± half the width of the 95 % interval").arg(report.labelled), true});
    std::vector<Plan> measured;
    for (const auto* list : {&report.uniform, &report.front})
        for (const Plan& plan : *list)
            if (plan.latency && (list == &report.uniform || !plan.uniform))
                measured.push_back(plan);
    std::ranges::sort(measured,
                      [](const Plan& a, const Plan& b) { return a.latency->medianMs < b.latency->medianMs; });
    QStringList uniform;
    for (const Plan& plan : report.uniform)
        uniform << toQt(plan.attention);
    const QStringList looks = looksOfSpecs(uniform);
    for (const Plan& plan : measured) {
        const bool chosen = report.chosen && report.chosen->attention == plan.attention;
        Cell title = name(plan.attention, (chosen ? u"★ "_s : QString()) + planTitle(report, plan));
        title.backend = plan.uniform ? looks[uniform.indexOf(toQt(plan.attention))] : u"mixed"_s;
        Cell latency = millisecondsCell(plan.latency->medianMs);
        latency.help = tr("predicted: %1").arg(toQt(formatMilliseconds(plan.predictedMs).text()));
        CellTable::Row made{
            {title, latency, plan.error ? errorCell(*plan.error) : noCell(),
             plan.divergence ? errorCell(*plan.divergence) : noCell(),
             plan.agreement ? numberCell(*plan.agreement, toQt(formatProbability(*plan.agreement))) : noCell()},
            toQt(plan.attention)};
        if (report.labelled > 0)
            made.cells.insert(2, top1(plan, report.labelled));
        table.rows << made;
    }
    return table;
}

TableContents layersTable(const PlanReport& report, const Plan& plan)
{
    TableContents table;
    table.columns = {{tr("Layer"), {}, true},
                     {tr("Attention"), {}, false},
                     {tr("Time"), tr("Median time inside this layer's attention"), true},
                     {tr("softmax"), tr("Median time inside exact softmax in this layer"), true},
                     {tr("Error"), tr("Relative error with the q, k, v of the exact pass"), true},
                     {tr("KL, this layer only"),
                      tr("KL divergence of the class distribution when only this layer is replaced"), true}};
    for (std::size_t layer = 0; layer < plan.choice.size() && layer < report.layers.size(); ++layer) {
        const std::size_t choice = plan.choice[layer];
        const LayerOption& option = report.layers[layer][choice];
        const std::string& attention = report.candidates[choice];
        table.rows << CellTable::Row{
            {numberCell(double(layer), QString::number(layer)), name(attention, titleOfSpec(toQt(attention))),
             millisecondsCell(option.milliseconds), millisecondsCell(report.layers[layer].front().milliseconds),
             errorCell(option.relativeError), errorCell(option.divergence)},
            {}};
    }
    return table;
}

}

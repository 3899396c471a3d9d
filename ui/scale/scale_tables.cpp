// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scale/scale_tables.h"

#include "ui/scale/scale_words.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

const QString dash = QStringLiteral("—");

Cell name(const std::string& attention, const QString& title)
{
    Cell cell;
    cell.text = title;
    cell.backend = looksOfSpecs({toQt(attention)}).front();
    cell.mark = true;
    cell.help = toQt(attention);
    return cell;
}

/// Of attentions that a table names in its first column, each has the look that it has in the charts beside it.
void markApart(TableContents& table)
{
    QStringList specs;
    for (const CellTable::Row& row : table.rows)
        specs << row.cells.front().help;
    const QStringList looks = looksOfSpecs(specs);
    for (qsizetype i = 0; i < looks.size(); ++i)
        table.rows[i].cells.front().backend = looks[i];
}

Cell text(const QString& words, const QString& help = {})
{
    Cell cell;
    cell.text = words;
    cell.help = help;
    return cell;
}

Cell number(double value, const QString& words)
{
    Cell cell;
    cell.text = words;
    cell.sort = value;
    return cell;
}

Cell nothing()
{
    Cell cell;
    cell.text = dash;
    cell.dim = true;
    return cell;
}

Cell power(const std::optional<double>& value)
{
    return value ? number(*value, QString::number(*value, 'f', 2)) : nothing();
}

Cell from(const std::optional<double>& tokens, bool clear = true)
{
    if (!tokens)
        return nothing();
    const QString words = tr("from %1").arg(toQt(formatCount(std::llround(*tokens))));
    Cell cell = number(*tokens, clear ? words : QStringLiteral("≈ ") + words);
    cell.dim = !clear;
    if (!clear)
        cell.help = tr("By medians; the times of the passes still overlap at the longest length");
    return cell;
}

Cell ratio(const std::optional<double>& value)
{
    return value ? number(*value, QString::number(*value, 'f', *value < 10 ? 2 : 1) + QStringLiteral("×"))
                 : nothing();
}

/// What is not finite says so, and is sorted as the largest.
Cell error(double value)
{
    return number(std::isfinite(value) ? value : std::numeric_limits<double>::infinity(), toQt(formatError(value)));
}

Cell millisecondsCell(double value)
{
    return number(value, toQt(formatMilliseconds(value).text()));
}

Cell bytesCell(std::int64_t value)
{
    return number(static_cast<double>(value), toQt(formatBytes(value).text()));
}

Cell published(const ScaleRow& row, std::int64_t tokens)
{
    for (const PublishedRatio& one : row.published)
        if (one.tokens == tokens)
            return number(one.time,
                          QStringLiteral("%1× · %2×").arg(one.time, 0, 'f', 2).arg(one.memory, 0, 'f', 2));
    return nothing();
}

Cell top1(const Plan& plan, std::int64_t labelled)
{
    if (!plan.accuracy)
        return nothing();
    const Fraction fraction = fractionOf(std::llround(*plan.accuracy * static_cast<double>(labelled)), labelled);
    Cell cell = number(*plan.accuracy, QString::number(100 * fraction.value, 'f', 1)
                                           + QString::fromUtf8(" ±%1").arg(50 * (fraction.high - fraction.low), 0, 'f', 1));
    cell.help = intervalText(fraction);
    return cell;
}

CellTable::Row pointRow(const ScaleRow& row, const ScalePoint& point)
{
    CellTable::Row made;
    made.cells << name(row.attention, scaleTitle(row.attention))
               << number(static_cast<double>(point.tokens), toQt(formatCount(point.tokens)));
    if (!point.stopped.empty()) {
        for (int i = 0; i < 8; ++i)
            made.cells << nothing();
        made.cells << published(row, point.tokens)
                   << text(tr("stopped: %1").arg(toQt(point.stopped)), toQt(point.stopped));
        return made;
    }
    made.cells << millisecondsCell(point.latency.medianMs) << ratio(point.timeRatio)
               << millisecondsCell(point.latency.attentionMedianMs) << ratio(point.attentionTimeRatio)
               << bytesCell(point.peakBytes) << ratio(point.memoryRatio) << bytesCell(point.attentionPeakBytes)
               << ratio(point.attentionMemoryRatio) << published(row, point.tokens)
               << text(tr("%1 passes, %2 to %3")
                           .arg(point.latency.repetitions)
                           .arg(toQt(formatMilliseconds(point.latency.p05Ms).text()),
                                toQt(formatMilliseconds(point.latency.p95Ms).text())));
    return made;
}

CellTable::Row errorRow(const Curve& curve, const CurvePoint& point)
{
    CellTable::Row made;
    made.cells << name(curve.attention, curveTitle(curve))
               << (point.samples > 0 ? number(static_cast<double>(point.samples), QString::number(point.samples))
                                     : text(tr("any")));
    if (!point.unavailable.empty()) {
        for (int i = 0; i < 5; ++i)
            made.cells << nothing();
        made.cells << text(toQt(point.unavailable), toQt(point.unavailable));
        return made;
    }
    const bool random = point.seeds > 1;
    made.cells << error(point.error.mse) << (random ? error(point.error.mseStddev) : nothing())
               << (random ? error(point.parts.biasSquared) : nothing())
               << (random ? error(point.parts.variance) : nothing()) << error(point.error.relative)
               << text(point.deterministic ? tr("deterministic") : tr("%1 seeds").arg(point.seeds));
    return made;
}

}  // namespace

TableContents growthTable(const ScaleReport& report)
{
    TableContents table;
    table.columns = {{tr("Attention"), {}, false},
                     {tr("Time ∝ Nᵖ, p ="), tr("Exponent of the encoder's time over the longest lengths"), true},
                     {tr("attention alone"), tr("Exponent of the time inside attention"), true},
                     {tr("its memory"), tr("Exponent of the peak memory of one attention"), true},
                     {tr("claims"), tr("Exponents of time and memory that its paper states"), true},
                     {tr("Faster than explicit"),
                      tr("The length from which its encoder takes less time than that of explicit softmax"), true},
                     {tr("than fused"), tr("The same against fused softmax"), true},
                     {tr("Smaller"),
                      tr("The length from which its encoder needs less memory than that of explicit softmax"),
                      true}};
    for (const ScaleRow& row : report.rows) {
        CellTable::Row made;
        made.cells << name(row.attention, scaleTitle(row.attention)) << power(row.exponents.time)
                   << power(row.exponents.attentionTime) << power(row.exponents.attentionMemory)
                   << text(QStringLiteral("%1, %2").arg(row.claimedTime).arg(row.claimedMemory))
                   << from(row.breakEvenExplicit, clearlyFaster(row, report.rows[0]))
                   << from(row.breakEvenFused, clearlyFaster(row, report.rows[1])) << from(row.breakEvenMemory);
        made.key = toQt(row.attention);
        table.rows << made;
    }
    markApart(table);
    return table;
}

TableContents pointsTable(const ScaleReport& report)
{
    TableContents table;
    table.columns = {{tr("Attention"), {}, false},
                     {tr("Tokens"), {}, true},
                     {tr("Encoder"), tr("Time of a pass, median"), true},
                     {tr("over softmax"), tr("Over explicit softmax at the same length"), true},
                     {tr("Attention alone"), tr("Time inside attention, median"), true},
                     {tr("over softmax"), {}, true},
                     {tr("Peak memory"), tr("Tensors during a pass above the level before it"), true},
                     {tr("over softmax"), {}, true},
                     {tr("of attention"), tr("Of the largest layer's attention"), true},
                     {tr("over softmax"), {}, true},
                     {tr("Published"), tr("Time and memory over softmax, LARA paper, table 6, 16 samples"), true},
                     {tr("Measured"), tr("Passes, and where their times lie (5th to 95th percentile)"), false}};
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
    table.columns = {{tr("Attention"), {}, false},
                     {tr("Samples"), {}, true},
                     {tr("mse"), tr("Mean squared difference to exact attention; mean over seeds"), true},
                     {tr("± over seeds"), tr("Standard deviation over seeds"), true},
                     {tr("bias²"), tr("What more seeds do not average out"), true},
                     {tr("variance"), {}, true},
                     {tr("relative"), tr("Norm of the difference over the norm of the exact output"), true},
                     {tr("Draws"), {}, false}};
    for (const Curve& curve : report.curves)
        for (const CurvePoint& point : curve.points)
            table.rows << errorRow(curve, point);
    const auto baseline = [&](const QString& title, double mse, double relative) {
        CellTable::Row made;
        made.cells << text(title) << nothing() << error(mse) << nothing() << nothing() << nothing()
                   << error(relative) << text(tr("yardstick"));
        table.rows << made;
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
    std::vector<std::size_t> seen;
    for (const std::size_t choice : plan.choice) {
        if (std::find(seen.begin(), seen.end(), choice) != seen.end())
            continue;
        seen.push_back(choice);
        parts << tr("%1× %2")
                     .arg(std::count(plan.choice.begin(), plan.choice.end(), choice))
                     .arg(titleOfSpec(toQt(report.candidates[choice])));
    }
    return parts.join(QStringLiteral(", "));
}

TableContents plansTable(const PlanReport& report)
{
    TableContents table;
    table.columns = {{tr("Plan"), {}, false},
                     {tr("Latency"), tr("Of the whole model, median"), true},
                     {tr("Error"), tr("Relative, mean over layers at the same q, k, v"), true},
                     {tr("KL"), tr("Divergence of the classes, nats"), true},
                     {tr("agrees"), tr("Share of the inputs with softmax's first class"), true}};
    if (report.labelled > 0)
        table.columns.insert(2, {tr("Top-1 %"), tr("Of %1 labelled inputs, with half of its 95 % interval").arg(report.labelled), true});
    std::vector<Plan> measured;
    for (const auto* list : {&report.uniform, &report.front})
        for (const Plan& plan : *list)
            if (plan.latency && (list == &report.uniform || !plan.uniform))
                measured.push_back(plan);
    std::sort(measured.begin(), measured.end(),
              [](const Plan& a, const Plan& b) { return a.latency->medianMs < b.latency->medianMs; });
    QStringList uniform;
    for (const Plan& plan : report.uniform)
        uniform << toQt(plan.attention);
    const QStringList looks = looksOfSpecs(uniform);
    for (const Plan& plan : measured) {
        const bool chosen = report.chosen && report.chosen->attention == plan.attention;
        Cell title = name(plan.attention, (chosen ? QStringLiteral("★ ") : QString()) + planTitle(report, plan));
        title.backend = plan.uniform ? looks[uniform.indexOf(toQt(plan.attention))] : QStringLiteral("mixed");
        CellTable::Row made;
        Cell latency = millisecondsCell(plan.latency->medianMs);
        latency.help = tr("predicted: %1").arg(toQt(formatMilliseconds(plan.predictedMs).text()));
        made.cells << title << latency << (plan.error ? error(*plan.error) : nothing())
                   << (plan.divergence ? error(*plan.divergence) : nothing())
                   << (plan.agreement ? number(*plan.agreement, toQt(formatProbability(*plan.agreement)))
                                      : nothing());
        if (report.labelled > 0)
            made.cells.insert(2, top1(plan, report.labelled));
        made.key = toQt(plan.attention);
        table.rows << made;
    }
    return table;
}

TableContents layersTable(const PlanReport& report, const Plan& plan)
{
    TableContents table;
    table.columns = {{tr("Layer"), {}, true},
                     {tr("Attention"), {}, false},
                     {tr("Time"), tr("Inside its attention, median"), true},
                     {tr("of exact"), tr("Inside exact softmax there"), true},
                     {tr("Error"), tr("Relative, at the q, k, v of the exact pass"), true},
                     {tr("KL alone"), tr("Divergence of the classes when this layer alone is replaced"), true}};
    for (std::size_t layer = 0; layer < plan.choice.size() && layer < report.layers.size(); ++layer) {
        const std::size_t choice = plan.choice[layer];
        const LayerOption& option = report.layers[layer][choice];
        const std::string& attention = report.candidates[choice];
        CellTable::Row made;
        made.cells << number(static_cast<double>(layer), QString::number(layer))
                   << name(attention, titleOfSpec(toQt(attention))) << millisecondsCell(option.milliseconds)
                   << millisecondsCell(report.layers[layer].front().milliseconds) << error(option.relativeError)
                   << error(option.divergence);
        table.rows << made;
    }
    return table;
}

}  // namespace attnscope::ui

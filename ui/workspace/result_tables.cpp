#include "ui/workspace/result_tables.h"

#include "ui/style/qt_text.h"

#include "core/base/format.h"

#include <QPoint>

#include <algorithm>
#include <functional>
#include <map>

namespace attnscope::ui {

namespace {

using Cell = CellTable::Cell;

Cell countCell(std::int64_t count)
{
    return {countText(count), static_cast<qlonglong>(count)};
}

QString nameOf(std::int64_t label, const std::vector<std::string>& classes)
{
    return label >= 0 && label < std::int64_t(classes.size()) ? toQt(classes[std::size_t(label)])
                                                              : tr("class %1").arg(label);
}

Cell fractionCell(const Accuracy& accuracy, const QString& backend)
{
    if (accuracy.samples == 0)
        return {u"—"_s, -1.0};
    Cell cell{percentText(accuracy.top1()), accuracy.top1(), accuracy.top1(), backend};
    cell.help = intervalText(top1Of(accuracy));
    return cell;
}

}

TableContents classTable(const QString& attention, const std::vector<ClassAccuracy>& run, const QString& reference,
                         const std::vector<ClassAccuracy>& ofReference)
{
    std::map<std::int64_t, Accuracy> before;
    for (const ClassAccuracy& each : ofReference)
        before[each.label] = each.accuracy;
    TableContents table;
    table.columns = {{tr("Class")}, {tr("Samples"), {}, true}};
    if (!ofReference.empty())
        table.columns << CellTable::Column{tr("%1, top-1 %").arg(titleOfSpec(reference)), {}, true};
    table.columns << CellTable::Column{tr("%1, top-1 %").arg(titleOfSpec(attention)), {}, true}
                  << CellTable::Column{tr("95 % interval"),
                                       tr("Wilson interval; wide for classes with few samples."), true};
    if (!ofReference.empty())
        table.columns << CellTable::Column{
            tr("Points lost"), tr("Top-1 of the reference minus that of the run; ≈: their intervals overlap."),
            true};
    const auto lost = [&](const ClassAccuracy& each) {
        return ofReference.empty() ? -each.accuracy.top1() : before[each.label].top1() - each.accuracy.top1();
    };
    std::vector<ClassAccuracy> sorted = run;
    std::ranges::stable_sort(sorted,
                             [&](const ClassAccuracy& a, const ClassAccuracy& b) { return lost(a) > lost(b); });
    for (const ClassAccuracy& each : sorted) {
        QList<Cell> cells{{toQt(each.name)}, countCell(each.accuracy.samples)};
        if (!ofReference.empty())
            cells << fractionCell(before[each.label], backendOfSpec(reference));
        const Fraction fraction = top1Of(each.accuracy);
        cells << fractionCell(each.accuracy, backendOfSpec(attention))
              << Cell{intervalText(fraction), fraction.low};
        if (!ofReference.empty()) {
            const Delta delta = deltaOf(fraction, top1Of(before[each.label]), backendOfSpec(reference));
            const QString points = pointsText(each.accuracy.top1(), before[each.label].top1());
            cells << Cell{delta.kind == Delta::Overlap ? points + u" ≈"_s : points,
                          lost(each),
                          {},
                          {},
                          false,
                          delta.kind == Delta::Overlap};
        }
        table.rows << CellTable::Row{cells, static_cast<qlonglong>(each.label)};
    }
    return table;
}

TableContents confusionTable(const QString& attention, const std::vector<Confusion>& confusions,
                             const std::vector<std::string>& classes, const std::vector<ClassAccuracy>& run)
{
    std::map<std::int64_t, std::int64_t> samples;
    for (const ClassAccuracy& each : run)
        samples[each.label] = each.accuracy.samples;
    TableContents table;
    table.columns = {{tr("True class")},
                     {tr("Predicted")},
                     {tr("Samples"), {}, true},
                     {tr("Of true class, %"),
                      tr("Fraction of the true class's samples that are predicted as the other class."), true}};
    for (const Confusion& each : confusions) {
        const std::int64_t all = samples[each.label];
        const double fraction = all > 0 ? double(each.samples) / double(all) : 0;
        table.rows << CellTable::Row{{{nameOf(each.label, classes)},
                                      {nameOf(each.prediction, classes)},
                                      countCell(each.samples),
                                      {percentText(fraction), fraction, fraction, backendOfSpec(attention)}},
                                     QPoint(int(each.label), int(each.prediction))};
    }
    return table;
}

TableContents pairTable(const std::vector<TitledPair>& pairs)
{
    TableContents table;
    table.columns = {{tr("A")},
                     {tr("B")},
                     {tr("Both correct"), {}, true},
                     {tr("Only A"), tr("Correct with A, wrong with B."), true},
                     {tr("Only B"), tr("Correct with B, wrong with A."), true},
                     {tr("Both wrong"), {}, true},
                     {tr("Same prediction, %"),
                      tr("Fraction of samples for which both predict the same class, correct or not."), true},
                     {tr("McNemar"),
                      tr("Probability of a difference at least this large if both were equally accurate: exact "
                         "two-sided test on the samples that "
                         "only one of them predicts correctly."),
                      true}};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const RunPair& pair = pairs[i].pair;
        const std::int64_t all = pair.bothRight + pair.onlyA + pair.onlyB + pair.bothWrong;
        const double same = all > 0 ? double(pair.samePrediction) / double(all) : 0;
        table.rows << CellTable::Row{{{pairs[i].a, {}, {}, pairs[i].lookA, true},
                                      {pairs[i].b, {}, {}, pairs[i].lookB, true},
                                      countCell(pair.bothRight),
                                      countCell(pair.onlyA),
                                      countCell(pair.onlyB),
                                      countCell(pair.bothWrong),
                                      {percentText(same), same},
                                      {probabilityText(pair.mcnemarP), pair.mcnemarP}},
                                     int(i)};
    }
    return table;
}

QString pairSentence(const TitledPair& titled)
{
    const auto& [a, b, pair, lookA, lookB] = titled;
    return counted(pair.onlyA,
                   [](int n) {
                       return tr("%2 misclassifies %1 sample(s) that %3 gets right, and gets %4 right that %3 "
                                 "misclassifies: %5.",
                                 nullptr, n);
                   })
        .arg(b, a, countText(pair.onlyB),
             pair.mcnemarP < 0.05 ? tr("a significant difference, McNemar %1").arg(probabilityText(pair.mcnemarP))
                                  : tr("not significant, McNemar %1").arg(probabilityText(pair.mcnemarP)));
}

namespace {

QString milliseconds(const std::optional<Latency>& latency)
{
    if (!latency)
        return u"—"_s;
    return tr("%1 (p5–p95 %2 to %3)")
        .arg(toQt(formatMilliseconds(latency->medianMs).text()), toQt(formatMilliseconds(latency->p05Ms).value),
             toQt(formatMilliseconds(latency->p95Ms).text()));
}

struct Property {
    QString name;
    std::function<QString(const ResultRow&)> of;
};

std::vector<Property> figures()
{
    return {{tr("Top-1 %"),
             [](const ResultRow& row) {
                 return row.accuracy.samples > 0 ? percentText(row.accuracy.top1()) + QLatin1Char(' ')
                                                       + intervalText(top1Of(row.accuracy))
                                                 : u"—"_s;
             }},
            {tr("Top-5 %"),
             [](const ResultRow& row) {
                 return row.accuracy.samples > 0 ? percentText(row.accuracy.top5()) : u"—"_s;
             }},
            {tr("Samples"), [](const ResultRow& row) { return countText(row.accuracy.samples); }},
            {tr("Unreadable"), [](const ResultRow& row) { return countText(row.evaluation->unreadable); }},
            {tr("Per sample"), [](const ResultRow& row) { return milliseconds(row.stored().latency); }},
            {tr("Attention only"),
             [](const ResultRow& row) {
                 return row.stored().latency
                            ? toQt(formatMilliseconds(row.stored().latency->attentionMedianMs).text())
                            : u"—"_s;
             }},
            {tr("Peak memory"),
             [](const ResultRow& row) {
                 return row.stored().memory ? toQt(formatBytes(row.stored().memory->peakBytes).text()) : u"—"_s;
             }},
            {tr("Relative error"), [](const ResultRow& row) {
                 return row.stored().error ? toQt(formatError(row.stored().error->relative)) : u"—"_s;
             }}};
}

std::vector<Property> settings()
{
    const auto entry = [](std::string EvaluationSettings::*field) {
        return [field](const ResultRow& row) { return toQt(row.evaluation->settings.*field); };
    };
    return {
        {tr("Attention"), [](const ResultRow& row) { return toQt(row.stored().attention); }},
        {tr("Weight status"), [](const ResultRow& row) { return weightsText(row.stored().weights); }},
        {tr("Model"), entry(&EvaluationSettings::model)},
        {tr("Weights"), entry(&EvaluationSettings::weights)},
        {tr("Weights, SHA-256"),
         [](const ResultRow& row) { return toQt(row.evaluation->settings.weightsHash).left(12); }},
        {tr("Data"), [](const ResultRow& row) { return toQt(row.evaluation->dataRoot); }},
        {tr("Files, SHA-256"), [](const ResultRow& row) { return toQt(row.evaluation->dataHash).left(12); }},
        {tr("Transform"), entry(&EvaluationSettings::transform)},
        {tr("Views"), entry(&EvaluationSettings::views)},
        {tr("Device"), entry(&EvaluationSettings::device)},
        {tr("dtype"), entry(&EvaluationSettings::dtype)},
        {tr("Threads"), [](const ResultRow& row) { return QString::number(row.evaluation->settings.threads); }},
        {tr("Batch"), [](const ResultRow& row) { return QString::number(row.evaluation->settings.batch); }},
        {tr("Seed"), [](const ResultRow& row) { return QString::number(row.evaluation->settings.seed); }},
        {tr("Decoder"), entry(&EvaluationSettings::decoder)},
        {tr("Attnscope"),
         [](const ResultRow& row) { return toQt(row.evaluation->settings.environment.attnscope); }},
        {tr("LibTorch"), [](const ResultRow& row) { return toQt(row.evaluation->settings.environment.torch); }},
        {tr("Notes"), [](const ResultRow& row) { return toQt(row.evaluation->note); }}};
}

}

TableContents comparisonTable(const std::vector<ResultRow>& rows, Compared compared)
{
    TableContents table;
    table.columns << CellTable::Column{QString()};
    for (const ResultRow& row : rows)
        table.columns << CellTable::Column{
            tr("%1 · %2").arg(row.id()).arg(titleOfSpec(toQt(row.stored().attention)))};
    const auto add = [&](const std::vector<Property>& properties, Compared which) {
        for (const Property& property : properties) {
            QStringList texts;
            for (const ResultRow& row : rows)
                texts << property.of(row);
            const bool alike = std::ranges::all_of(texts,
                                                   [&](const QString& text) { return text == texts.front(); });
            if (rows.empty() || (which == Compared::DifferencesOnly && alike && rows.size() > 1))
                continue;
            QList<Cell> cells{{property.name, {}, {}, {}, false, true}};
            for (const QString& text : texts)
                cells << Cell{text, {}, {}, {}, false, false, text.size() > 24 ? text : QString()};
            table.rows << CellTable::Row{cells, property.name};
        }
    };
    add(figures(), Compared::Everything);
    add(settings(), compared);
    return table;
}

}

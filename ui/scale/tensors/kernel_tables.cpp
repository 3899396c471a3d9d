#include "ui/scale/tensors/kernel_tables.h"

#include "ui/scale/scale_cells.h"
#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace attnscope::ui {

namespace {

QString mapName(std::size_t features)
{
    return toQt(toText(kernelFeatures[features]));
}

QList<CellTable::Column> withFeatures(QList<CellTable::Column> columns, const QString& help)
{
    for (std::size_t f = 0; f < kernelFeatures.size(); ++f)
        columns << CellTable::Column{mapName(f), help, true};
    return columns;
}

/// Median over heads, by feature map.
std::array<double, kernelFeatures.size()> medianStddevs(const std::vector<KernelHead>& heads)
{
    std::array<double, kernelFeatures.size()> medians{};
    for (std::size_t f = 0; f < kernelFeatures.size(); ++f) {
        std::vector<double> values;
        for (const KernelHead& head : heads)
            values.push_back(head.relativeStddev[f]);
        const auto middle = values.begin() + std::ptrdiff_t(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        medians[f] = *middle;
    }
    return medians;
}

}

TableContents kernelValues(const std::vector<KernelPoint>& points)
{
    TableContents table;
    table.columns = withFeatures(
        {{tr("Norm"), tr("‖x‖, scaled as features see it"), true}, {tr("exp(x·y)"), tr("The exact value"), true}},
        tr("Estimate from all features, ± its standard deviation"));
    for (const KernelPoint& point : points) {
        CellTable::Row row{{errorCell(point.normX), errorCell(point.exact)}, {}};
        for (const KernelEstimate& one : point.estimates)
            row.cells << numberCell(one.estimate, u"%1 ± %2"_s.arg(errorText(one.estimate),
                                                                   errorText(one.relativeStddev * point.exact)));
        table.rows << row;
    }
    return table;
}

TableContents kernelHeads(const KernelReport& report)
{
    TableContents table;
    table.columns = withFeatures(
        {{tr("Layer"), {}, true},
         {tr("Head"), {}, true},
         {tr("‖q‖"), tr("Mean norm of the queries, scaled as features see them"), true},
         {tr("‖k‖"), tr("Mean norm of the keys"), true}},
        tr("Standard deviation relative to the kernel, median over pairs of queries and keys"));
    for (const KernelHead& head : report.heads) {
        CellTable::Row row{
            {countCell(head.layer), countCell(head.head), errorCell(head.normQuery), errorCell(head.normKey)}, {}};
        for (const double stddev : head.relativeStddev)
            row.cells << errorCell(stddev);
        table.rows << row;
    }
    return table;
}

QString kernelVerdict(const KernelReport& report)
{
    if (report.heads.empty())
        return counted(report.pairs.size(), [](int n) {
            return QCoreApplication::translate("attnscope::ui", "%1 pair(s) of vectors", nullptr, n);
        });
    const auto medians = medianStddevs(report.heads);
    const auto best = std::size_t(std::ranges::min_element(medians) - medians.begin());
    return medians[best] > 1
               ? tr("%1 features are too few for this kernel: those of the best map, %2, vary by %3 times its "
                    "value")
                     .arg(countText(report.samples), mapName(best), errorText(medians[best]))
               : tr("Best with %1 features: %2, with a standard deviation of %3 of the kernel's value")
                     .arg(countText(report.samples), mapName(best), errorText(medians[best]));
}

QString kernelDetail(const KernelReport& report)
{
    QStringList parts{report.model ? toQt(report.source) : QFileInfo(toQt(report.source)).fileName()};
    if (report.model && !report.model->inputs.empty())
        parts << QFileInfo(toQt(report.model->inputs.front().path)).fileName();
    if (!report.heads.empty())
        parts << counted(report.heads.size(), [](int n) {
            return QCoreApplication::translate("attnscope::ui", "%1 head(s)", nullptr, n);
        });
    parts << counted(report.width, [](int n) {
        return QCoreApplication::translate("attnscope::ui", "%1 channel(s)", nullptr, n);
    }) << counted(report.samples, [](int n) {
        return QCoreApplication::translate("attnscope::ui", "%1 feature(s)", nullptr, n);
    }) << tr("seed %1").arg(report.seed);
    for (const ExpectedOutput& one : report.expected)
        if (!one.within())
            parts << tr("%1 differs from the file by %2").arg(toQt(one.tensor), errorText(one.maximumDifference));
    return parts.join(u" · "_s);
}

}

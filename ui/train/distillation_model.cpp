// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/distillation_model.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace attnscope::ui {

namespace {

using State = std::optional<DistillationState>;

template <typename Get>
std::optional<double> of(const State& state, Get get)
{
    return state ? std::optional<double>(std::invoke(get, *state)) : std::nullopt;
}

std::optional<double> layer(const State& state, std::size_t number)
{
    return state && number < state->layerErrors.size() ? std::optional(state->layerErrors[number]) : std::nullopt;
}

/// In points of a percentage: "+4.20".
QString points(double from, double to)
{
    const double change = 100 * (to - from);
    return QStringLiteral("%1%2")
        .arg(change < 0 ? QStringLiteral("\u2212") : QStringLiteral("+"))
        .arg(std::abs(change), 0, 'f', 2);
}

CellTable::Row rowOf(const QString& name, const QString& help, const QStringList& texts)
{
    CellTable::Row row{{{name, {}, {}, {}, false, false, help, name}}, {}, name};
    for (const QString& text : texts)
        row.cells << CellTable::Cell{text.isEmpty() ? QStringLiteral("—") : text, {}, {}, {}, false, false, help};
    return row;
}

CellTable::Row fractionRow(const QString& name, const QString& help, std::optional<double> before, std::optional<double> after,
                        std::optional<double> teacher = {})
{
    return rowOf(name, help, {before ? percentText(*before) : QString(), after ? percentText(*after) : QString(),
                              before && after ? points(*before, *after) : QString(), teacher ? percentText(*teacher) : QString()});
}

CellTable::Row distanceRow(const QString& name, const QString& help, std::optional<double> before, std::optional<double> after)
{
    return rowOf(name, help, {before ? toQt(formatError(*before)) : QString(), after ? toQt(formatError(*after)) : QString(),
                              before && after && *before > 0 ? toQt(formatChange(*before, *after)) : QString(), QString()});
}

}  // namespace

void DistillationModel::set(const State& before, const State& after,
                            const std::optional<ValidationResult>& teacher)
{
    QList<Row> rows;
    if (before || after) {
        const auto top1 = [](const DistillationState& state) { return state.student.top1(); };
        const auto top5 = [](const DistillationState& state) { return state.student.top5(); };
        rows << fractionRow(tr("Top-1 %"), tr("Fraction of validation samples whose top prediction is correct."), of(before, top1), of(after, top1),
                         teacher ? std::optional(teacher->top1()) : std::nullopt)
             << fractionRow(tr("Top-5 %"), tr("Fraction of validation samples whose true class is among the top five predictions."), of(before, top5),
                         of(after, top5), teacher ? std::optional(teacher->top5()) : std::nullopt)
             << fractionRow(tr("Agreement with teacher %"), tr("Fraction of validation samples with the same top-1 class as the "
                                                                "teacher, correct or not."),
                         of(before, &DistillationState::agreement), of(after, &DistillationState::agreement))
             << distanceRow(tr("KL divergence of the predictions, nats"),
                            tr("Mean Kullback-Leibler divergence from the teacher's probabilities."),
                            of(before, &DistillationState::divergence), of(after, &DistillationState::divergence))
             << distanceRow(tr("Relative attention error"),
                            tr("Compared with exact attention on the same q, k, v; mean over all layers."),
                            of(before, &DistillationState::relativeError), of(after, &DistillationState::relativeError));
        const std::size_t layers = std::max(before ? before->layerErrors.size() : 0, after ? after->layerErrors.size() : 0);
        for (std::size_t i = 0; i < layers; ++i)
            rows << distanceRow(tr("Relative error, layer %1").arg(i),
                                tr("Compared with exact attention on the same q, k, v of this layer."), layer(before, i), layer(after, i));
    }
    setTable({{tr("Metric")}, {tr("Before"), {}, true}, {tr("After"), {}, true}, {tr("Change"), {}, true}, {tr("Teacher"), {}, true}},
             rows);
}

}  // namespace attnscope::ui

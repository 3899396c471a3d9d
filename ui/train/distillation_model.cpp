#include "ui/train/distillation_model.h"

#include "ui/style/qt_text.h"
#include "ui/workspace/accuracy_text.h"

#include "core/base/format.h"

#include <algorithm>
#include <functional>

namespace attnscope::ui {

namespace {

using State = std::optional<DistillationState>;

std::optional<double> layer(const State& state, std::size_t number)
{
    return state && number < state->layerErrors.size() ? std::optional(state->layerErrors[number]) : std::nullopt;
}

enum class MetricKind { Percent, Distance };

CellTable::Row rowOf(const QString& name, const QString& help, MetricKind kind, std::optional<double> before,
                     std::optional<double> after, std::optional<double> teacher = {})
{
    const auto text = [kind](std::optional<double> value) {
        return !value ? u"—"_s : kind == MetricKind::Percent ? percentText(*value) : errorText(*value);
    };
    QString change = text({});
    if (before && after && kind == MetricKind::Percent)
        change = pointsText(*before, *after);
    else if (before && after && *before > 0)
        change = toQt(formatChange(*before, *after));
    CellTable::Row row{{{name, {}, {}, {}, false, false, help, name}}, {}, name};
    for (const QString& each : {text(before), text(after), change, text(teacher)})
        row.cells << CellTable::Cell{each, {}, {}, {}, false, false, help};
    return row;
}

}

void DistillationModel::set(const State& before, const State& after,
                            const std::optional<ValidationResult>& teacher)
{
    QList<Row> rows;
    const auto add = [&](const QString& name, const QString& help, MetricKind kind, const auto& get,
                         std::optional<double> ofTeacher = {}) {
        const auto of = [&](const State& state) {
            return state ? std::optional<double>(std::invoke(get, *state)) : std::nullopt;
        };
        rows << rowOf(name, help, kind, of(before), of(after), ofTeacher);
    };
    if (before || after) {
        add(
            tr("Top-1 %"), tr("Fraction of validation samples whose top prediction is correct."),
            MetricKind::Percent, [](const DistillationState& state) { return state.student.top1(); },
            teacher ? std::optional(teacher->top1()) : std::nullopt);
        add(
            tr("Top-5 %"),
            tr("Fraction of validation samples whose true class is among the top five predictions."),
            MetricKind::Percent, [](const DistillationState& state) { return state.student.top5(); },
            teacher ? std::optional(teacher->top5()) : std::nullopt);
        add(tr("Agreement with teacher %"),
            tr("Fraction of validation samples with the same top-1 class as the teacher, correct or not."),
            MetricKind::Percent, &DistillationState::agreement);
        add(tr("KL divergence of the predictions, nats"),
            tr("Mean Kullback-Leibler divergence from the teacher's probabilities."), MetricKind::Distance,
            &DistillationState::divergence);
        add(tr("Relative attention error"),
            tr("Compared with exact attention on the same q, k, v; mean over all layers."), MetricKind::Distance,
            &DistillationState::relativeError);
        const std::size_t layers = std::max(before ? before->layerErrors.size() : 0,
                                            after ? after->layerErrors.size() : 0);
        for (std::size_t i = 0; i < layers; ++i)
            rows << rowOf(tr("Relative error, layer %1").arg(i),
                          tr("Compared with exact attention on the same q, k, v of this layer."),
                          MetricKind::Distance, layer(before, i), layer(after, i));
    }
    setTable({{tr("Metric")},
              {tr("Before"), {}, true},
              {tr("After"), {}, true},
              {tr("Change"), {}, true},
              {tr("Teacher"), {}, true}},
             rows);
}

}

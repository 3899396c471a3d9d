#include "core/train/distillation_table.h"

#include "core/base/format.h"

#include <algorithm>
#include <functional>

namespace attnscope {

namespace {

using State = std::optional<DistillationState>;

std::optional<double> layer(const State& state, size_t number)
{
    return state && number < state->layerErrors.size() ? std::optional(state->layerErrors[number]) : std::nullopt;
}

enum class MetricKind { Percent, Distance };

Row rowOf(const Text& name, const Text& help, MetricKind kind, std::optional<double> before,
          std::optional<double> after, std::optional<double> teacher = {})
{
    const bool percent = kind == MetricKind::Percent;
    const auto cell = [&](std::optional<double> value) { return percent ? percentCell(value) : errorCell(value); };
    Cell change;
    if (before && after && percent)
        change.text = formatPoints(*before, *after);
    else if (before && after && *before > 0)
        change.text = formatChange(*before, *after);
    Row row{{{name}, cell(before), cell(after), change, cell(teacher)}, {}, name};
    for (Cell& each : row.cells)
        each.help = help;
    return row;
}

}

Table distillationTable(const State& before, const State& after, const std::optional<ValidationResult>& teacher)
{
    Table table{.columns = {{ATTN_TEXT("Metric")},
                            {.title = ATTN_TEXT("Before"), .number = true},
                            {.title = ATTN_TEXT("After"), .number = true},
                            {.title = ATTN_TEXT("Change"), .number = true},
                            {.title = ATTN_TEXT("Teacher"), .number = true}}};
    const auto add = [&](const Text& name, const Text& help, MetricKind kind, const auto& get,
                         std::optional<double> ofTeacher = {}) {
        const auto of = [&](const State& state) {
            return state ? std::optional<double>(std::invoke(get, *state)) : std::nullopt;
        };
        table.rows.push_back(rowOf(name, help, kind, of(before), of(after), ofTeacher));
    };
    if (before || after) {
        add(
            ATTN_TEXT("Top-1"), ATTN_TEXT("Fraction of validation samples whose top prediction is correct."),
            MetricKind::Percent, [](const DistillationState& state) { return state.student.value(); },
            teacher ? std::optional(teacher->value()) : std::nullopt);
        add(
            ATTN_TEXT("Top-5"),
            ATTN_TEXT("Fraction of validation samples whose true class is among the top five predictions."),
            MetricKind::Percent, [](const DistillationState& state) { return state.student.top5().value(); },
            teacher ? std::optional(teacher->top5().value()) : std::nullopt);
        add(ATTN_TEXT("Agreement with teacher"),
            ATTN_TEXT("Fraction of validation samples with the same top-1 class as the teacher, correct or not."),
            MetricKind::Percent, &DistillationState::agreement);
        add(ATTN_TEXT("KL divergence of the predictions, nats"),
            ATTN_TEXT("Mean Kullback-Leibler divergence from the teacher's probabilities."), MetricKind::Distance,
            &DistillationState::divergence);
        add(ATTN_TEXT("Relative attention error"),
            ATTN_TEXT("Compared with exact attention on the same q, k, v; mean over all layers."),
            MetricKind::Distance, &DistillationState::relativeError);
        const size_t layers = std::max(before ? before->layerErrors.size() : 0,
                                       after ? after->layerErrors.size() : 0);
        for (size_t i = 0; i < layers; ++i)
            table.rows.push_back(
                rowOf(ATTN_TEXT("Relative error, layer %1").arg(std::to_string(i)),
                      ATTN_TEXT("Compared with exact attention on the same q, k, v of this layer."),
                      MetricKind::Distance, layer(before, i), layer(after, i)));
    }
    return table;
}

}

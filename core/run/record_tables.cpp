#include "core/run/record_tables.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::vector<Cell> costCells(const RunRecord& run)
{
    const Measurements values = measurementsOf(run);
    const auto value = [&](const char* key) {
        Cell cell = cellOf(measure(key), values);
        cell.small = {};  // a column of its own
        return cell;
    };
    std::vector<Cell> cells(11);
    cells[0] = {run.attention};
    if (!run.top.empty()) {
        const Prediction& first = run.top.front();
        cells[1].text = predictionName(first);
        cells[2] = probabilityCell(first.probability);
    }
    cells[3] = value("latency");
    cells[5] = value("attention_latency");
    if (run.latency) {
        cells[4] = millisecondsRange(modelTime(*run.latency));
        cells[6] = millisecondsRange(attentionTime(*run.latency));
        cells[7] = countCell(run.latency->repetitions);
    }
    cells[8] = value("memory");
    cells[9] = value("attention_memory");
    if (run.memory)
        cells[10] = bytesCell(run.memory->weightsBytes);
    return cells;
}

std::vector<Cell> errorCells(const RunRecord& run)
{
    const Measurements values = measurementsOf(run);
    std::vector<Cell> cells(11);
    cells[0] = {run.attention};
    cells[1] = cellOf(measure("error"), values);
    if (run.error) {
        const ErrorValue& error = run.error->error;
        cells[2].text = run.error->deterministic ? ATTN_TEXT("deterministic")
                                                 : ATTN_COUNT("%1 seed(s)").of(run.error->seeds);
        cells[3] = errorCell(error.mse, error.mseStddev);
        cells[4] = errorCell(run.error->meanOfValues.relative);
        if (const LayerError* worst = worstLayer(*run.error))
            cells[5] = numberCell(worst->error.relative,
                                  layerTitle(*worst) + ", " + formatError(worst->error.relative));
    } else if (run.endToEnd) {
        cells[1] = cells[3] = {
            "–"};  // exact attention in a network that was changed otherwise: it cannot have one
    }
    cells[6] = cellOf(measure("kl"), values);
    if (run.endToEnd && run.endToEnd->hasClasses && run.endToEnd->isComparable())
        cells[7].text = run.endToEnd->top1Agrees ? ATTN_TEXT("yes") : ATTN_TEXT("no");
    cells[8] = cellOf(measure("macs"), values);
    if (!run.backend.empty())  // else it did not get as far as its weights
        cells[9].text = weightsName(run.weights);
    std::vector<std::string> notes = run.notes;
    if (!run.failure.empty())
        notes.push_back(run.failure);
    cells[10].text = joined(notes, "; ");
    return cells;
}

}

Text weightsName(WeightsKind kind)
{
    return kind == WeightsKind::Trained   ? ATTN_TEXT("trained")
           : kind == WeightsKind::Swapped ? ATTN_TEXT("swapped")
                                          : ATTN_TEXT("untrained");
}

Text predictionName(const Prediction& prediction)
{
    return prediction.label.empty() ? ATTN_TEXT("class %1").arg(std::to_string(prediction.index))
                                    : Text(prediction.label);
}

const LayerError* worstLayer(const ApproximationError& error)
{
    if (error.layers.size() < 2)
        return nullptr;
    const auto worst = std::ranges::max_element(error.layers, {},
                                                [](const LayerError& layer) { return layer.error.relative; });
    return worst->error.relative > 0 ? &*worst : nullptr;
}

std::string layerTitle(const LayerError& layer)
{
    return layer.name.empty() ? "layer " + std::to_string(layer.layer) : layer.name;
}

Cell cosineCell(std::optional<double> cosine)
{
    return cosine && !std::isfinite(*cosine) ? Cell{ATTN_TEXT("not finite")} : decimalCell(cosine, 4);
}

Table costTable(const std::vector<const RunRecord*>& runs)
{
    const Text range = ATTN_TEXT("5 % – 95 %");
    Table table{.columns = {{ATTN_TEXT("Attention")},
                            {ATTN_TEXT("Prediction")},
                            {.title = ATTN_TEXT("Probability"), .number = true},
                            columnOf(measure("latency")),
                            {range, ATTN_TEXT("Percentiles of the time of a pass"), true},
                            columnOf(measure("attention_latency")),
                            {range, ATTN_TEXT("Percentiles of the time inside attention"), true, true},
                            {ATTN_TEXT("Passes"), ATTN_TEXT("Number of timed passes"), true, true},
                            columnOf(measure("memory")),
                            columnOf(measure("attention_memory")),
                            {.title = ATTN_TEXT("weights"), .number = true, .detail = true}}};
    for (const RunRecord* run : runs)
        table.add(run == nullptr ? std::vector<Cell>(1) : costCells(*run));
    return table;
}

Table errorTable(const std::vector<const RunRecord*>& runs)
{
    Table table{
        .columns = {{ATTN_TEXT("Attention")},
                    columnOf(measure("error")),
                    {.title = ATTN_TEXT("Seeds"), .detail = true},
                    {.title = ATTN_TEXT("MSE"), .number = true},
                    {ATTN_TEXT("mean of values"),
                     ATTN_TEXT("The relative error of using the mean of the values for every query"), true, true},
                    {.title = ATTN_TEXT("Largest in")},
                    columnOf(measure("kl")),
                    {ATTN_TEXT("Top-1 agrees")},
                    columnOf(measure("macs")),
                    {ATTN_TEXT("Weights")},
                    {.title = ATTN_TEXT("Notes"), .detail = true}}};
    for (const RunRecord* run : runs)
        table.add(run == nullptr ? std::vector<Cell>(1) : errorCells(*run));
    return table;
}

Table driftTable(const std::vector<const RunRecord*>& runs)
{
    Table table{.columns = {{ATTN_TEXT("Attention")},
                            {ATTN_TEXT("Features")},
                            {.title = ATTN_TEXT("features, cosine"), .number = true},
                            {.title = ATTN_TEXT("class token"), .number = true},
                            {.title = ATTN_TEXT("patch mean"), .number = true},
                            {.title = ATTN_TEXT("each patch"), .number = true},
                            {.title = ATTN_TEXT("5 % of patches"), .number = true},
                            {ATTN_TEXT("Lowest in"), ATTN_TEXT("The block in which the patches differ most")}}};
    const auto hasCka = [](const RunRecord* run) {
        return run != nullptr && run->featureDrift && run->featureDrift->cka;
    };
    const bool areNetworks = std::ranges::any_of(runs, hasCka);
    if (areNetworks)
        table.columns.push_back({ATTN_TEXT("CKA of patches"),
                                 ATTN_TEXT("Linear centred kernel alignment with the first network's patches"),
                                 true});
    const auto compared = [](const RunRecord* run) { return run != nullptr && run->featureDrift.has_value(); };
    if (std::ranges::none_of(runs, compared))
        return table;
    for (const RunRecord* run : runs) {
        std::vector<Cell>& cells = table.rows.emplace_back().cells;
        cells.push_back({run == nullptr ? "" : run->attention});
        if (!compared(run))
            continue;
        const FeatureDrift& drift = *run->featureDrift;
        cells.insert(cells.end(),
                     {Cell{drift.kind}, cosineCell(drift.cosine), cosineCell(drift.token), cosineCell(drift.avg)});
        if (drift.patches)
            cells.insert(cells.end(), {cosineCell(drift.patches->mean), cosineCell(drift.patches->p05)});
        cells.resize(8);
        if (const auto lowest = std::ranges::min_element(drift.layers, {}, &LayerCosine::patches);
            lowest != drift.layers.end())
            cells[7] = {ATTN_TEXT("block %1, %2")
                            .arg(std::to_string(lowest - drift.layers.begin()), cosineCell(lowest->patches).text)};
        if (areNetworks)
            cells.push_back(cosineCell(drift.cka));
    }
    return table;
}

}

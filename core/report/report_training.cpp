#include "core/base/format.h"
#include "core/report/group.h"

#include <fmt/format.h>

#include <filesystem>

namespace attnscope {

namespace {

std::string backendOf(const std::string& attention)
{
    return attention.substr(0, attention.find_first_of(":;"));
}

std::string trainingName(const StoredTraining& training)
{
    return training.attention + " · " + std::filesystem::path(training.output).stem().string();
}

const StoredEpoch* bestEpoch(const StoredTraining& training)
{
    const StoredEpoch* best = nullptr;
    for (const StoredEpoch& epoch : training.history)
        if (epoch.validation && (best == nullptr || epoch.validation->value() > best->validation->value()))
            best = &epoch;
    return best;
}

Table trainingTable(const std::vector<StoredTraining>& trainings)
{
    Table table = tableOf(
        {"Attention", "Model", "From", "Teacher", ">Epochs", ">Training samples", ">Final loss", ">Best top-1"});
    table.caption = "Training runs in this store; accuracy is the best epoch's on the validation set, with the 95 "
                    "% Wilson interval.";
    for (const StoredTraining& training : trainings) {
        const StoredEpoch* best = bestEpoch(training);
        table.add({{.text = trainingName(training), .look = backendOf(training.attention)},
                   {training.model},
                   {training.weights},
                   {training.teacher},
                   {fmt::format("{} of {}", training.history.size(), training.epochs)},
                   countCell(training.trainingSamples),
                   training.history.empty() ? Cell() : Cell{fmt::format("{:.4f}", training.history.back().loss)},
                   best == nullptr ? Cell() : accuracyCell(*best->validation)});
    }
    return table;
}

ReportFigure curve(const std::vector<StoredTraining>& trainings, bool accuracy)
{
    Chart chart;
    chart.title = accuracy ? "Validation accuracy" : "Training loss";
    chart.x.title = "epoch";
    chart.y = {.title = accuracy ? "top-1" : "loss",
               .numbers = accuracy ? AxisNumbers::Percent : AxisNumbers::Plain};
    for (const StoredTraining& training : trainings) {
        ChartSeries series{trainingName(training), backendOf(training.attention), true, false, {}};
        for (const StoredEpoch& epoch : training.history) {
            if (accuracy && !epoch.validation)
                continue;
            ChartPoint point{.x = double(epoch.epoch), .y = accuracy ? epoch.validation->value() : epoch.loss};
            point.title = fmt::format("{}, epoch {}: {}", series.name, epoch.epoch,
                                      accuracy ? formatPercent(point.y) : fmt::format("{:.4f}", point.y));
            series.points.push_back(point);
        }
        if (!series.points.empty())
            chart.series.push_back(series);
    }
    chart.caption = accuracy ? "After each epoch." : "Mean over each epoch.";
    return {accuracy ? "training-accuracy" : "training-loss", chart, chart.caption};
}

}

void addTrainings(Report& report, const ResultStore& store)
{
    const auto trainings = store.trainings();
    if (trainings.empty())
        return;
    report.blocks.emplace_back(Heading{2, "Trainings"});
    report.blocks.emplace_back(trainingTable(trainings));
    Figures figures;
    for (const bool accuracy : {false, true})
        if (ReportFigure figure = curve(trainings, accuracy); !std::get<Chart>(figure.figure).series.empty())
            figures.figures.push_back(std::move(figure));
    if (!figures.figures.empty())
        report.blocks.emplace_back(std::move(figures));
    Commands commands;
    for (const StoredTraining& training : trainings)
        if (!training.command.empty())
            commands.lines.push_back(training.command);
    if (!commands.lines.empty())
        report.blocks.emplace_back(std::move(commands));
}

}

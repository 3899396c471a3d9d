#include "app/cli/output/report_tables.h"

#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/run/features/feature_agreement.h"
#include "core/run/features/feature_kind.h"
#include "core/run/record_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnscope::cli {

namespace {

std::string videoInfo(const InputRecord& input)
{
    std::string text = fmt::format(" ({}×{}, {:.4g} fps", input.width, input.height, input.rate);
    if (input.seconds > 0)
        text += fmt::format(", {:.2f} s", input.seconds);
    return text
           + (input.views.size() == 1 ? ", 1 view)"
                                      : fmt::format(", {} views: {})", input.views.size(), input.grid.name()));
}

std::string headline(const InputRecord& input)
{
    std::string text = printable(input.path);
    if (!input.views.empty())
        text += videoInfo(input);
    else if (input.width > 0)
        text += fmt::format(" ({}×{})", input.width, input.height);
    return emphasised(text) + "\n";
}

std::string notesOf(const InputRecord& input)
{
    std::vector<std::string> lines;
    const auto add = [&](const std::string& line) {
        if (std::ranges::find(lines, line) == lines.end())
            lines.push_back(line);
    };
    if (!input.sampling.empty())
        add(input.sampling);
    for (const std::string& note : input.notes)
        add(note);
    for (const std::string& note : notesOnce(input.runs))
        add(note);
    for (const RunRecord& run : input.runs)
        if (!run.failure.empty())
            add(run.failure.starts_with(run.attention) ? run.failure : run.attention + ": " + run.failure);
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

std::string agreementTable(const RunReport& report)
{
    Table table = tableOf({"attention", ">inputs", ">cosine", ">5 % of inputs", ">same nearest neighbour"});
    for (const FeatureAgreement& one : featureAgreement(report.inputs))
        table.add({{one.attention},
                   countCell(one.inputs),
                   cosineCell(one.cosine.mean),
                   cosineCell(one.cosine.p05),
                   percentCell(one.sameNeighbour)});
    return table.rows.empty()
               ? ""
               : emphasised("features") + "  of all inputs, compared with those of exact attention\n"
                     + terminalTable(table, 2);
}

std::string firstValues(const std::vector<float>& values)
{
    constexpr size_t shown = 5;
    std::string text;
    for (size_t i = 0; i < std::min(shown, values.size()); ++i)
        text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", values[i]);
    return text + (values.size() > shown ? ", …" : "");
}

std::string featureTable(const InputRecord& input)
{
    Table table = tableOf({"attention", "features", ">channels", ">length", "first values"});
    for (const RunRecord& run : input.runs)
        if (run.features)
            table.addTexts({run.attention, describe(parseFeatureKind(run.features->kind)),
                            std::to_string(run.features->values.size()),
                            fmt::format("{:.4g}", run.features->length), firstValues(run.features->values)});
    return table.rows.empty() ? "" : terminalTable(table, 2);
}

constexpr size_t fewViews = 6;  // that are shown one by one

/// The smallest and largest probability of a class over views.
std::string spreadOf(const Prediction& prediction, const RunRecord& run)
{
    double least = 1, most = 0;
    for (const ViewPrediction& view : run.views) {
        if (size_t(prediction.index) >= view.probabilities.size())
            continue;
        const double p = view.probabilities[size_t(prediction.index)];
        least = std::min(least, p);
        most = std::max(most, p);
    }
    return least > most ? "" : formatProbability(least) + " – " + formatProbability(most);
}

std::string predictionTable(const InputRecord& input)
{
    const bool several = input.views.size() > 1;
    std::vector<std::string> titles{"attention", "class", ">index", ">probability"};
    if (several)
        titles.emplace_back(">over views");
    Table table = tableOf(titles);
    for (const RunRecord& run : input.runs) {
        std::string attention = run.attention;
        for (const Prediction& prediction : run.top) {
            std::vector<std::string> cells{attention, english(predictionName(prediction)),
                                           prediction.label.empty() ? "" : std::to_string(prediction.index),
                                           formatProbability(prediction.probability)};
            if (several)
                cells.push_back(spreadOf(prediction, run));
            table.addTexts(cells);
            attention.clear();
        }
    }
    return table.rows.empty() ? "" : terminalTable(table, 2);
}

/// The first class of each view.
std::string viewTable(const InputRecord& input)
{
    Table table = tableOf({">clip", ">crop", ">frames", "attention", "class", ">probability"});
    for (size_t i = 0; i < input.views.size(); ++i) {
        const ViewPlan& view = input.views[i];
        for (const RunRecord& run : input.runs)
            if (i < run.views.size() && !run.views[i].top.empty())
                table.addTexts({std::to_string(view.clip + 1), std::to_string(view.crop + 1),
                                fmt::format("{} – {}", view.frames.front(), view.frames.back()), run.attention,
                                english(predictionName(run.views[i].top.front())),
                                formatProbability(run.views[i].top.front().probability)});
    }
    return terminalTable(table, 2);
}

}

std::string describeFraction(const ModelSummary& model, const AttentionFraction& fraction)
{
    return fmt::format("{}; attention is {} of the multiply-adds: replacing it makes a pass at most {} as fast",
                       formatCounted(model.tokens, "token"), formatPercentage(fraction.fraction()),
                       fraction.gainText());
}

std::string describeConditions(const RunReport& report, const std::optional<AttentionFraction>& fraction)
{
    const ModelSummary& model = report.model;
    std::string text = fmt::format("{}: {} parameters, {} multiply-adds, input {}\n",
                                   emphasised(printable(model.name)),
                                   formatQuantity(double(model.parameters)).text(),
                                   formatQuantity(model.macs).text(), joinedSizes(model.input));
    if (fraction)
        text += describeFraction(model, *fraction) + "\n";
    text += fmt::format("weights {} · {} · {}, {} · {} · seed {} · {}\n", printable(model.weightsSource),
                        report.device.name, report.device.description, counted(report.device.threads, "thread"),
                        report.dtype, report.seed, report.transform);
    if (!model.load.container.empty())
        text += oneLine(model.load) + "\n";
    for (const std::string& note : lines(model.load))
        text += "  " + note + "\n";
    if (model.weights == WeightsKind::Untrained)
        text += std::string("These weights are random: time and memory are meaningful, ")
                + (model.classes > 0 ? "classes are not and are shown as numbers.\n" : "features are not.\n");
    for (const ComparedModel& other : report.others)
        text += fmt::format("{}{}{}: {}, {} parameters, weights {}\n",
                            other.checkpoint.empty() ? "" : "checkpoint=" + other.checkpoint,
                            other.checkpoint.empty() || other.dtype.empty() ? "" : ";",
                            other.dtype.empty() ? "" : "dtype=" + other.dtype, printable(other.model.name),
                            formatQuantity(double(other.model.parameters)).text(),
                            printable(other.model.weightsSource));
    if (model.classes == 0)
        text += fmt::format("It has no head: its output is {}, not classes.\n",
                            counted(model.features, "feature"));
    return text + "\n";
}

std::string describePredictions(const RunReport& report)
{
    std::string text;
    for (const InputRecord& input : report.inputs) {
        text += headline(input) + predictionTable(input) + featureTable(input);
        if (input.views.size() > 1 && input.views.size() <= fewViews && report.model.classes > 0)
            text += "\n" + viewTable(input);
        text += notesOf(input) + "\n";
    }
    return text;
}

std::string describeComparison(const RunReport& report)
{
    std::string text;
    for (const InputRecord& input : report.inputs) {
        std::vector<const RunRecord*> runs;
        for (const RunRecord& run : input.runs)
            runs.push_back(&run);
        text += headline(input) + terminalTable(costTable(runs), 2) + "\n" + terminalTable(errorTable(runs), 2);
        if (const Table drift = driftTable(runs); !drift.rows.empty())
            text += "\n" + terminalTable(drift, 2);
        text += notesOf(input) + "\n";
    }
    return text + agreementTable(report);
}

}

#include "app/cli/output/report_tables.h"

#include "app/cli/output/table_output.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/run/feature_kind.h"
#include "core/run/features/feature_agreement.h"
#include "core/run/worst_layer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnscope::cli {

namespace {

/// "tabby cat", "class 281".
std::string className(const Prediction& prediction)
{
    return prediction.label.empty() ? "class " + std::to_string(prediction.index) : prediction.label;
}

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

std::vector<std::string> costRow(const RunRecord& run)
{
    const bool named = !run.top.empty();
    const auto& latency = run.latency;
    const auto ms = [&](double value) { return formatMilliseconds(value).text(); };
    return {run.attention,
            named ? className(run.top.front()) : "",
            named ? formatProbability(run.top.front().probability) : "",
            latency ? ms(latency->medianMs) : "",
            latency ? ms(latency->p05Ms) + " – " + ms(latency->p95Ms) : "",
            latency ? ms(latency->attentionMedianMs) : "",
            run.memory ? formatBytes(run.memory->peakBytes).text() : "",
            run.memory ? formatBytes(run.memory->attentionPeakBytes).text() : ""};
}

std::vector<std::string> errorRow(const RunRecord& run)
{
    const auto& error = run.error;
    const LayerError* worst = error ? worstLayer(*error) : nullptr;
    const bool hasClasses = run.endToEnd && run.endToEnd->hasClasses;
    const std::string none = run.endToEnd ? "–" : "";
    return {run.attention,
            error ? withStddev(error->error.mse, error->error.mseStddev) : none,
            error ? withStddev(error->error.relative, error->error.relativeStddev) : none,
            worst != nullptr ? layerTitle(*worst) + ", " + formatError(worst->error.relative) : "",
            hasClasses ? formatError(run.endToEnd->kl) : "",
            !hasClasses                ? ""
            : run.endToEnd->top1Agrees ? "yes"
                                       : "no",
            run.macs > 0 ? formatQuantity(run.macs).text() : "",
            toText(run.weights)};
}

std::string cosineText(const std::optional<double>& cosine)
{
    return !cosine ? "" : std::isfinite(*cosine) ? fmt::format("{:.4f}", *cosine) : "not finite";
}

/// "block 6, 0.8312": where the patches differ most.
std::string lowestBlock(const FeatureDrift& drift)
{
    const auto lowest = std::ranges::min_element(
        drift.layers, [](const LayerCosine& a, const LayerCosine& b) { return a.patches < b.patches; });
    return lowest == drift.layers.end()
               ? ""
               : fmt::format("block {}, {}", lowest - drift.layers.begin(), cosineText(lowest->patches));
}

/// Cosines with the features of exact attention.
std::string driftTable(const InputRecord& input)
{
    Table table({"attention", "features", ">cosine", ">class token", ">mean of patches", ">patches",
                 ">5 % of patches", "lowest in"});
    for (const RunRecord& run : input.runs) {
        if (!run.featureDrift)
            continue;
        const FeatureDrift& drift = *run.featureDrift;
        const auto& patches = drift.patches;
        table.add({run.attention, drift.kind, cosineText(drift.cosine), cosineText(drift.token),
                   cosineText(drift.avg), patches ? cosineText(patches->mean) : "",
                   patches ? cosineText(patches->p05) : "", lowestBlock(drift)});
    }
    return table.empty() ? "" : "\n" + table.text(2);
}

std::string agreementTable(const RunReport& report)
{
    Table table({"attention", ">inputs", ">cosine", ">5 % of inputs", ">same nearest neighbour"});
    for (const FeatureAgreement& one : featureAgreement(report.inputs))
        table.add({one.attention, std::to_string(one.inputs), cosineText(one.cosine.mean),
                   cosineText(one.cosine.p05), one.sameNeighbour ? percent(*one.sameNeighbour) : ""});
    return table.empty() ? ""
                         : emphasised("features") + "  of all inputs, compared with those of exact attention\n"
                               + table.text(2);
}

std::string firstValues(const std::vector<float>& values)
{
    constexpr std::size_t shown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(shown, values.size()); ++i)
        text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", values[i]);
    return text + (values.size() > shown ? ", …" : "");
}

std::string featureTable(const InputRecord& input)
{
    Table table({"attention", "features", ">channels", ">length", "first values"});
    for (const RunRecord& run : input.runs)
        if (run.features)
            table.add({run.attention, describe(parseFeatureKind(run.features->kind)),
                       std::to_string(run.features->values.size()), fmt::format("{:.4g}", run.features->length),
                       firstValues(run.features->values)});
    return table.empty() ? "" : table.text(2);
}

constexpr std::size_t fewViews = 6;  // that are shown one by one

/// The smallest and largest probability of a class over views.
std::string spreadOf(const Prediction& prediction, const RunRecord& run)
{
    double least = 1, most = 0;
    for (const ViewPrediction& view : run.views) {
        if (std::size_t(prediction.index) >= view.probabilities.size())
            continue;
        const double p = view.probabilities[std::size_t(prediction.index)];
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
    Table table(titles);
    for (const RunRecord& run : input.runs) {
        std::string attention = run.attention;
        for (const Prediction& prediction : run.top) {
            std::vector<std::string> cells{attention, className(prediction),
                                           prediction.label.empty() ? "" : std::to_string(prediction.index),
                                           formatProbability(prediction.probability)};
            if (several)
                cells.push_back(spreadOf(prediction, run));
            table.add(std::move(cells));
            attention.clear();
        }
    }
    return table.empty() ? "" : table.text(2);
}

/// The first class of each view.
std::string viewTable(const InputRecord& input)
{
    Table table({">clip", ">crop", ">frames", "attention", "class", ">probability"});
    for (std::size_t i = 0; i < input.views.size(); ++i) {
        const ViewPlan& view = input.views[i];
        for (const RunRecord& run : input.runs)
            if (i < run.views.size() && !run.views[i].top.empty())
                table.add({std::to_string(view.clip + 1), std::to_string(view.crop + 1),
                           fmt::format("{} – {}", view.frames.front(), view.frames.back()), run.attention,
                           className(run.views[i].top.front()),
                           formatProbability(run.views[i].top.front().probability)});
    }
    return table.text(2);
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
        Table cost(
            {"attention", "top-1", ">p", ">latency", ">5 % – 95 %", ">in attention", ">memory", ">in attention"});
        Table error(
            {"attention", ">MSE", ">relative", "largest in", ">KL", "top-1 agrees", ">multiply-adds", "weights"});
        for (const RunRecord& run : input.runs) {
            cost.add(costRow(run));
            error.add(errorRow(run));
        }
        text += headline(input) + cost.text(2) + "\n" + error.text(2) + driftTable(input) + notesOf(input) + "\n";
    }
    return text + agreementTable(report);
}

}

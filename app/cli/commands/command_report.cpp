#include "app/cli/commands/command.h"
#include "app/cli/input/arguments.h"
#include "app/cli/output/console.h"
#include "app/cli/output/evaluate_output.h"
#include "app/cli/output/table_output.h"
#include "core/attention/backend_info.h"
#include "core/base/atomic_file.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/json_path.h"
#include "core/base/text.h"
#include "core/report/predictions_file.h"
#include "core/report/result_tables.h"
#include "core/run/measures.h"
#include "core/store/result_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace attnscope::cli {

namespace {

namespace fs = std::filesystem;

struct ReportArguments {
    std::string store, out, perClass, confusions;
    ReportOptions options;
    bool list = false;
    OutputOptions output;
};

struct PredictionsArguments : ReportArguments {};

void visitSelection(ReportOptions& options, auto& visit)
{
    visit("--evaluation", options.evaluations, repeatedText("N"),
          "Only the evaluation with this number; may be repeated (default: all)");
    visit("--model", options.model, anyText("TEXT"), "Only models whose name contains this");
    visit("--attention", options.attention, anyText("TEXT"), "Only attentions that start with this");
    visit("--finished", options.finishedOnly, "Skip unfinished evaluations");
}

void visitOptions(ReportArguments& arguments, auto& visit)
{
    visit("STORE", arguments.store, requiredText(), "A results store");
    visit("--out", arguments.out, anyText(),
          "Report file: .html, .md (with its figures in a folder next to it), .tex (its tables) or .csv");
    visit("--per-class", arguments.perClass, anyText("FILE.csv"),
          "Write the accuracy of every class under each run to this file");
    visit("--confusions", arguments.confusions, anyText("FILE.csv"),
          "Write how often each class is predicted as which other to this file");
    visitSelection(arguments.options, visit);
    visit("--list", arguments.list, "Print the contents of the store (the default without --out)");
    visitJson(arguments.output, visit);
}

void visitOptions(PredictionsArguments& arguments, auto& visit)
{
    visit("STORE", arguments.store, requiredText(), "A results store");
    visit("--out", arguments.out, requiredText("FILE"),
          "File to write: .csv (a line for each sample and run), .json, or .npz (arrays for NumPy)");
    visitSelection(arguments.options, visit);
    visitJson(arguments.output, visit);
}

/// What the table has no room for: settings, assumptions, what the user wrote.
std::string detailsOf(const StoredEvaluation& evaluation)
{
    std::string text = fmt::format("evaluation {}: {}\n", evaluation.id, printable(settingsText(evaluation)));
    if (!evaluation.note.empty())
        text += "  note: " + printable(evaluation.note) + "\n";
    for (const std::string& note : evaluation.settings.notes)
        text += "  " + printable(note) + "\n";
    return text;
}

void printList(const ResultStore& store, const ReportOptions& options)
{
    std::string details;
    Table table = tableOf({">evaluation", "attention", "weights", ">top-1", ">samples", "model", "data", "state"});
    const std::vector<StoredEvaluation> evaluations = chosenEvaluations(store, options);
    std::vector<const StoredEvaluation*> all;
    std::ranges::transform(evaluations, std::back_inserter(all), [](const auto& one) { return &one; });
    const std::vector<DifferingSetting> settings = differingSettings(all);
    for (const DifferingSetting& setting : settings)
        table.columns.push_back({.title = setting.name});
    for (const StoredEvaluation& evaluation : evaluations) {
        details += detailsOf(evaluation);
        for (const StoredRun& run : evaluation.runs) {
            const bool first = &run == &evaluation.runs.front();
            const Accuracy accuracy = store.accuracy(run.id);
            table.add({{first ? std::to_string(evaluation.id) : ""},
                       {printable(run.attention)},
                       {toText(run.weights)},
                       accuracyCell(accuracy),
                       countCell(accuracy.samples),
                       {first ? printable(evaluation.settings.model) : ""},
                       {first ? printable(evaluation.dataRoot) : ""},
                       {first ? stateText(evaluation) : ""}});
            for (const DifferingSetting& setting : settings)
                table.rows.back().cells.push_back(
                    {first ? printable(setting.values[size_t(&evaluation - evaluations.data())]) : ""});
        }
    }
    writeData(terminalTable(table) + "\n" + details);
}

void requireKind(const std::string& out)
{
    const std::string suffix = fs::path(out).extension().string();
    if (suffix != ".html" && suffix != ".md" && suffix != ".tex" && suffix != ".csv")
        throw UsageError(out, "the file extension selects the report format: HTML, Markdown, LaTeX or CSV",
                         "use .html, .md, .tex or .csv");
    requireWritable(out);
}

Json trainingJson(const StoredTraining& training)
{
    Json epochs = Json::array();
    for (const StoredEpoch& epoch : training.history) {
        Json json{{"epoch", epoch.epoch},     {"loss", epoch.loss},       {"lr", epoch.learningRate},
                  {"seconds", epoch.seconds}, {"samples", epoch.samples}, {"best", epoch.best}};
        if (epoch.validation)
            json["validation"] = {{"samples", epoch.validation->samples},
                                  {"top1", epoch.validation->value()},
                                  {"top5", epoch.validation->top5().value()},
                                  {"loss", epoch.validationLoss}};
        epochs.push_back(std::move(json));
    }
    return {{"id", training.id},
            {"model", training.model},
            {"attention", training.attention},
            {"init", jsonPath(training.weights)},
            {"teacher", jsonPath(training.teacher)},
            {"output", jsonPath(training.output)},
            {"epochs", training.epochs},
            {"started", training.started},
            {"history", std::move(epochs)}};
}

Json reportJson(const ResultStore& store, const ReportArguments& arguments)
{
    Json trainings = jsonList(store.trainings(),
                              [&](const StoredTraining& training) { return trainingJson(training); });
    return {{"store", jsonPath(arguments.store)},
            {"out", arguments.out.empty() ? Json(nullptr) : Json(jsonPath(arguments.out))},
            {"evaluations", evaluationsJson(store, chosenEvaluations(store, arguments.options))},
            {"trainings", std::move(trainings)}};
}

ExitCode reportStore(ReportArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    if (!arguments.out.empty())
        requireKind(arguments.out);
    for (const std::string& file : {arguments.perClass, arguments.confusions})
        if (!file.empty())
            requireWritable(file);
    const ResultStore store(arguments.store, ResultStore::Mode::Read);
    const bool written = !arguments.out.empty() || !arguments.perClass.empty() || !arguments.confusions.empty();
    if ((!written || arguments.list) && !target.replacesTables())
        printList(store, arguments.options);
    if (!arguments.out.empty()) {
        writeReport(store, arguments.options, arguments.out, seriesStyle);
        writeMessage("wrote " + printable(arguments.out));
    }
    const auto writeLines = [&](const std::string& file, const auto& lines) {
        if (file.empty())
            return;
        writeFileAtomically(file, lines(store, arguments.options));
        writeMessage("wrote " + printable(file));
    };
    writeLines(arguments.perClass, classesCsv);
    writeLines(arguments.confusions, confusionsCsv);
    target.write(reportJson(store, arguments));
    return ExitCode::Done;
}

struct MergeArguments {
    std::string out;
    std::vector<std::string> parts;
    OutputOptions output;
};

void visitOptions(MergeArguments& arguments, auto& visit)
{
    visit("OUT", arguments.out, requiredText(),
          "The store that the parts are added to; created if it does not exist");
    visit("PART", arguments.parts,
          OptionRule{.type = "FILE", .showsDefault = false, .required = true, .repeats = true},
          "Stores to merge; parts that are already there change nothing");
    visitJson(arguments.output, visit);
}

ExitCode merge(MergeArguments& arguments, std::stop_token stop)
{
    const JsonTarget target(arguments.output.json);
    for (const std::string& part : arguments.parts)
        ResultStore(part, ResultStore::Mode::Read);  // all are there before the first is merged
    ResultStore store(arguments.out, ResultStore::Mode::Write);
    for (const std::string& part : arguments.parts) {
        if (stop.stop_requested())
            throw Cancelled();
        store.merge(part);
    }
    std::string text;
    for (const StoredEvaluation& evaluation : store.evaluations())
        text += fmt::format(
            "evaluation {}: {}, {} of {}, {}{}\n", evaluation.id, printable(evaluation.settings.model),
            formatCount(evaluation.done), formatCounted(evaluation.samples, "sample"),
            counted(std::ssize(evaluation.runs), "attention"),
            evaluation.done < evaluation.samples ? "; incomplete, merge the other parts as well" : "");
    target.print(
        text, {{"store", jsonPath(arguments.out)}, {"evaluations", evaluationsJson(store, store.evaluations())}});
    return ExitCode::Done;
}

ExitCode writeAllPredictions(PredictionsArguments& arguments, std::stop_token)
{
    const JsonTarget target(arguments.output.json);
    checkPredictionsName(arguments.out);
    requireWritable(arguments.out);
    const ResultStore store(arguments.store, ResultStore::Mode::Read);
    const PredictionCounts counts = writePredictions(store, arguments.options, arguments.out);
    target.print(fmt::format("wrote {} of {} to {}\n", formatCounted(counts.predictions, "prediction"),
                             counted(counts.runs, "run"), printable(arguments.out)),
                 {{"store", jsonPath(arguments.store)},
                  {"out", jsonPath(arguments.out)},
                  {"runs", counts.runs},
                  {"predictions", counts.predictions}});
    return ExitCode::Done;
}

}

void addReportCommand(CommandList& commands)
{
    commands.add<ReportArguments>(
        "report", "Writes tables and figures of stored evaluations as HTML, Markdown, LaTeX or CSV",
        {"report runs.sqlite", "report runs.sqlite --out report.html",
         "report runs.sqlite --out report.md --evaluation 3 --evaluation 4", "report runs.sqlite --json -"},
        reportStore);
}

void addPredictionsCommand(CommandList& commands)
{
    commands.add<PredictionsArguments>(
        "predictions", "Writes the stored prediction of every sample as CSV, JSON or arrays for NumPy",
        {"predictions runs.sqlite --out predictions.csv",
         "predictions runs.sqlite --out predictions.npz --evaluation 3 --attention lara"},
        writeAllPredictions);
}

void addMergeCommand(CommandList& commands)
{
    commands.add<MergeArguments>(
        "merge", "Merges parts of evaluations that ran with --shard, or on several machines, into one store",
        {"merge runs.sqlite part1.sqlite part2.sqlite part3.sqlite"}, merge);
}

}

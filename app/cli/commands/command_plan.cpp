#include "app/cli/commands/laboratory/lab_command.h"
#include "app/cli/output/table_output.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/base/number.h"
#include "core/base/text.h"
#include "core/lab/lab_charts.h"
#include "core/lab/lab_json.h"
#include "core/lab/lab_tables.h"
#include "models/labels/model_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace attnscope::cli {

namespace {

/// "latency=20", "speed=1.5", "error=0.1", "kl=0.01", "accuracy=0.9", "drop=0.02".
void readBudget(const std::string& text, PlanRequest& request)
{
    constexpr std::array kinds{PlanBudget::Latency,    PlanBudget::Speed,    PlanBudget::Error,
                               PlanBudget::Divergence, PlanBudget::Accuracy, PlanBudget::Drop};
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    for (const PlanBudget kind : kinds) {
        if (equals == std::string::npos || name != toText(kind))
            continue;
        if (const auto budget = parseNumber(std::string_view(text).substr(equals + 1), 0.0,
                                            needsLabels(kind) ? 1 : 1e12)) {
            request.kind = kind;
            request.budget = *budget;
            return;
        }
    }
    throw UsageError(
        "--budget", "`" + printable(text) + "` is not a budget",
        "write latency=MILLISECONDS, speed=TIMES (as fast as explicit softmax), error=RELATIVE, kl=NATS, "
        "accuracy=FRACTION (0 to 1) or drop=FRACTION (below exact softmax)");
}

std::string describe(const PlanReport& report)
{
    std::string text = head(report);
    text += fmt::format(
        "  {} of the {} plans on the Pareto front and every uniform plan were measured; a pass takes {} outside "
        "attention\n",
        std::ranges::count_if(report.front, [](const Plan& plan) { return plan.latency.has_value(); }),
        report.front.size(), formatMilliseconds(report.outsideMs).text());
    if (report.labelled > 0)
        text += fmt::format("  top-1 is measured on {} labelled inputs, the rest on {} of them\n", report.labelled,
                            report.model.inputs.size());
    Table table = measuredPlans(report);
    std::ranges::rotate(table.columns, table.columns.begin() + 1);  // the longest cells last
    for (Row& row : table.rows)
        std::ranges::rotate(row.cells, row.cells.begin() + 1);
    text += terminalTable(table, 2) + "\n";
    if (report.chosen)
        text += fmt::format("{}  {}\n", emphasised("chosen"), report.chosen->attention);
    return text;
}

/// The samples of a labelled folder instead of INPUT, with their classes.
InputChoice labelledChoice(PlanOptions& options)
{
    if (options.labelled == 0)
        return {};
    return [&options](const Classifier& classifier, InputOptions& inputs) {
        if (inputs.paths.size() != 1)
            throw UsageError("--labelled", "it takes one folder or list of samples", "give one INPUT");
        LabelledSample sample = labelledSample(inputs.paths.front(), classifier, options.labelled);
        inputs.paths = std::move(sample.paths);
        options.request.labels = std::move(sample.labels);
    };
}

ExitCode run(PlanOptions& options, std::stop_token stop)
{
    readBudget(options.budget, options.request);
    options.request.candidates = parseSpecs(
        options.attention,
        {.tokens = options.attention.empty() ? std::vector<std::string>{} : options.around.tokens});
    for (const std::string& tokens : options.around.tokens)
        options.request.tokens.push_back(TokenSpec::parse(tokens));
    options.request.seed = options.device.seed;
    if (needsLabels(options.request.kind) && options.labelled == 0 && options.request.labels.empty())
        throw UsageError("--budget", "an accuracy budget needs the classes of the inputs",
                         "give a labelled folder and --labelled N, or --classes, one for each input in order");
    if (options.labelled > 0 && !options.request.labels.empty())
        throw UsageError("--labelled", "the classes are given twice, by the folder and by --classes",
                         "give only one of them");
    if (options.request.kind == PlanBudget::Speed && options.request.budget <= 0)
        throw UsageError("--budget", "a speed of 0 is not a budget",
                         "1.5 means 1.5 times as fast as explicit softmax");
    checkFigureName("--out", options.out);
    LabConsole console(options.output);
    const LabModel lab = openLab(options, stop, labelledChoice(options));
    if (!options.request.labels.empty() && options.request.labels.size() != lab.inputs.size())
        throw UsageError("--classes",
                         counted(std::ssize(options.request.labels), "class", "classes") + " for "
                             + counted(std::ssize(lab.inputs), "input"),
                         "give one per input");
    const PlanReport report = planAttention(*lab.classifier, lab.inputs, options.request, console.progress(),
                                            stop);
    const ExitCode code = console.print(describe(report), toJson(report), report.complete, report.unreadable);
    if (!options.out.empty())
        writeFigure(options.out, planChart(report));
    if (!report.chosen) {
        writeMessage(report.advice + ".");
        return ExitCode::Failed;
    }
    return code;
}

}

void addPlanCommand(CommandList& commands)
{
    commands.add<PlanOptions>(
        "plan", "Chooses an attention for each layer within a time or error budget",
        {"plan cat.jpg --weights deit.safetensors --image-size 448 --budget speed=1.5",
         "plan scenes/val --labelled 240 --weights deit.safetensors --budget drop=0.01",
         "plan scenes/val --labelled 240 --weights deit.safetensors --budget drop=0.01 --tokens none --tokens "
         "tome:r=8 --tokens tome:r=16",
         "plan photos/ --weights deit.safetensors --budget error=0.1 --attention lara --attention local --out "
         "plans.svg"},
        run);
}

}

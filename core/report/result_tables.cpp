#include "core/report/result_tables.h"

#include "core/base/format.h"
#include "core/run/record_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace attnscope {

namespace {

constexpr auto samplesColumn = 3;  // behind weights, top-1 and top-5

}

Text className(int64_t label, const std::vector<std::string>& names)
{
    if (label < 0)
        return ATTN_TEXT("none: not finite");
    return label < std::ssize(names) ? Text(names[size_t(label)])
                                     : ATTN_TEXT("class %1").arg(std::to_string(label));
}

std::string pText(double p)
{
    return p >= 0.9995 ? "1" : p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p);
}

Measurements measurementsOf(const StoredRun& run, const Accuracy& accuracy)
{
    return {.latency = run.latency ? &*run.latency : nullptr,
            .memory = run.memory ? &*run.memory : nullptr,
            .error = run.error ? &*run.error : nullptr,
            .accuracy = accuracy};
}

std::vector<Column> runColumns()
{
    std::vector<Column> columns{
        {ATTN_TEXT("Weights"), ATTN_TEXT("Whether they were trained with this attention")}};
    for (const Measure& each : evaluationMeasures())
        columns.push_back(columnOf(each));
    columns.insert(columns.begin() + samplesColumn, {.title = ATTN_TEXT("Samples"), .number = true});
    return columns;
}

std::vector<Cell> runCells(const StoredRun& run, const Accuracy& accuracy)
{
    std::vector<Cell> cells{{weightsName(run.weights)}};
    for (const Measure& each : evaluationMeasures())
        cells.push_back(cellOf(each, measurementsOf(run, accuracy)));
    cells.insert(cells.begin() + samplesColumn, countCell(accuracy.samples));
    if (!accuracy.known())
        cells[1].text = run.failure.empty() ? ATTN_TEXT("no predictions yet") : ATTN_TEXT("failed");
    return cells;
}

std::vector<std::pair<Text, std::string>> settingsOf(const StoredEvaluation& evaluation)
{
    const EvaluationSettings& settings = evaluation.settings;
    const Environment& environment = settings.environment;
    return {{ATTN_TEXT("Note"), evaluation.note},
            {ATTN_TEXT("Model"), settings.model},
            {ATTN_TEXT("Weights"), settings.weights},
            {ATTN_TEXT("Weights, SHA-256"), settings.weightsHash},
            {ATTN_TEXT("Data"), evaluation.dataRoot},
            {ATTN_TEXT("Files, SHA-256"), evaluation.dataHash},
            {ATTN_TEXT("Samples"), formatCount(evaluation.done)},
            {ATTN_TEXT("Unreadable"), formatCount(evaluation.unreadable)},
            {ATTN_TEXT("Transform"), settings.transform},
            {ATTN_TEXT("Protocol"), settings.protocol},
            {ATTN_TEXT("Views"), settings.views},
            {ATTN_TEXT("Sampling"), settings.sampling},
            {ATTN_TEXT("Reading"), settings.reading},
            {ATTN_TEXT("Kept"), settings.keep},
            {ATTN_TEXT("Batch"), std::to_string(settings.batch)},
            {ATTN_TEXT("Limit"), settings.limit > 0 ? formatCount(settings.limit) : ""},
            {ATTN_TEXT("Shard"),
             settings.shard.count > 1 ? fmt::format("{} / {}", settings.shard.index, settings.shard.count) : ""},
            {ATTN_TEXT("Device"), settings.device},
            {ATTN_TEXT("dtype"), settings.dtype},
            {ATTN_TEXT("Threads"), std::to_string(settings.threads)},
            {ATTN_TEXT("Seed"), std::to_string(settings.seed)},
            {ATTN_TEXT("Attnscope"), environment.attnscope},
            {ATTN_TEXT("LibTorch"), environment.torch},
            {ATTN_TEXT("Compiler"), environment.compiler},
            {ATTN_TEXT("Decoder"), settings.decoder},
            {ATTN_TEXT("Instruction set"), environment.instructionSet},
            {ATTN_TEXT("Kernels"), environment.kernels},
            {ATTN_TEXT("Started"), evaluation.started},
            {ATTN_TEXT("Work"), fmt::format("{:.0f} s", evaluation.seconds)}};
}

std::vector<DifferingSetting> differingSettings(const std::vector<const StoredEvaluation*>& evaluations)
{
    std::vector<DifferingSetting> settings;
    for (const StoredEvaluation* evaluation : evaluations) {
        auto all = settingsOf(*evaluation);
        const auto named = [&](const char* name) {
            return std::ranges::find_if(all, [&](const auto& one) { return english(one.first) == name; });
        };
        all.erase(named("Work"), all.end());
        all.erase(all.begin(), named("Transform"));  // what comes before says whose evaluation it is
        settings.resize(all.size());
        for (size_t i = 0; i < all.size(); ++i) {
            settings[i].name = all[i].first;
            settings[i].values.push_back(all[i].second);
        }
    }
    std::erase_if(settings, [](const DifferingSetting& setting) {
        return std::ranges::count(setting.values, setting.values.front()) == std::ssize(setting.values);
    });
    return settings;
}

Table calibrationTable(const std::vector<NamedRun>& runs)
{
    Table table{.columns = {{ATTN_TEXT("Attention")}}};
    for (const Measure& each : calibrationMeasures())
        table.columns.push_back(columnOf(each));
    for (const NamedRun& run : runs) {
        if (!run.measured.accuracy.known())
            continue;
        table.add({run.name});
        for (const Measure& each : calibrationMeasures()) {
            const auto value = each.of(run.measured);
            table.rows.back().cells.push_back(each.unit == MeasureUnit::Fraction ? cellOf(each, run.measured)
                                              : value                            ? decimalCell(value->mid, 4)
                                                                                 : Cell());
        }
    }
    return table;
}

Table pairTable(const std::vector<RunPair>& pairs, const std::map<int64_t, Cell>& names)
{
    Table table{
        .columns = {
            {ATTN_TEXT("A")},
            {ATTN_TEXT("B")},
            {.title = ATTN_TEXT("Both correct"), .number = true},
            {ATTN_TEXT("Only A"), ATTN_TEXT("Correct with A, wrong with B."), true},
            {ATTN_TEXT("Only B"), ATTN_TEXT("Correct with B, wrong with A."), true},
            {.title = ATTN_TEXT("Both wrong"), .number = true},
            {ATTN_TEXT("Same prediction"),
             ATTN_TEXT("Fraction of samples for which both predict the same class, correct or not."), true},
            {ATTN_TEXT("B − A"),
             ATTN_TEXT("Difference of the top-1 accuracies in percentage points, with its 95 % interval by "
                       "the paired bootstrap."),
             true},
            {ATTN_TEXT("McNemar p"),
             ATTN_TEXT("Probability of a difference at least this large if both were equally accurate: "
                       "exact two-sided test on the "
                       "samples that only one of them predicts correctly."),
             true},
            {ATTN_TEXT("Holm p"),
             ATTN_TEXT("McNemar's p, adjusted by Holm's procedure for all pairs compared here: below 0.05, "
                       "the difference is significant among all of them."),
             true}}};
    for (const RunPair& pair : pairs) {
        std::optional<double> same;
        if (pair.samples() > 0)
            same = double(pair.samePrediction) / double(pair.samples());
        Cell difference = numberCell(pair.difference(), formatPoints(0, pair.difference()));
        difference.small = fmt::format("[{}, {}]", formatPoints(0, pair.difference95.low),
                                       formatPoints(0, pair.difference95.high));
        table.rows.push_back(
            {{names.at(pair.a), names.at(pair.b), countCell(pair.bothRight), countCell(pair.onlyA),
              countCell(pair.onlyB), countCell(pair.bothWrong), percentCell(same), difference,
              numberCell(pair.mcnemarP, pText(pair.mcnemarP)), numberCell(pair.holmP, pText(pair.holmP))},
             std::to_string(table.rows.size())});
    }
    return table;
}

Table classTable(const std::vector<RunClasses>& runs)
{
    Table table{.columns = {{ATTN_TEXT("Class")}, {.title = ATTN_TEXT("Samples"), .number = true}}};
    for (const RunClasses& run : runs)
        table.columns.push_back(
            {ATTN_TEXT("%1, top-1").arg(run.name.title.empty() ? run.name.text : run.name.title),
             ATTN_TEXT("With the 95 % interval (Wilson)"), true});
    const bool several = runs.size() > 1;
    if (several)
        table.columns.push_back(
            {ATTN_TEXT("Points lost"),
             ATTN_TEXT("Top-1 of the first minus that of the least accurate; ≈: their intervals overlap."), true});
    for (const ClassAccuracy& first : runs.front().classes) {
        Row row{{{first.name}, countCell(first.accuracy.samples)}, std::to_string(first.label)};
        const Accuracy* worst = nullptr;
        for (const RunClasses& run : runs) {
            const auto found = std::ranges::find(run.classes, first.label, &ClassAccuracy::label);
            if (found == run.classes.end() || found->accuracy.samples == 0) {
                row.cells.emplace_back();
                continue;
            }
            const Accuracy& accuracy = found->accuracy;
            Cell& cell = row.cells.emplace_back(accuracyCell(accuracy));
            cell.look = run.name.look;
            cell.fraction = cell.value;
            if (runs.size() > 2)
                std::swap(cell.help, cell.small);
            if (&run != &runs.front() && (worst == nullptr || accuracy.value() < worst->value()))
                worst = &accuracy;
        }
        if (several && worst != nullptr && first.accuracy.samples > 0) {
            const bool unclear = overlaps(first.accuracy.interval(), worst->interval());
            row.cells.push_back(
                {.text = formatPoints(worst->value(), first.accuracy.value()) + (unclear ? " ≈" : ""),
                 .value = first.accuracy.value() - worst->value(),
                 .dim = unclear});
        }
        row.cells.resize(table.columns.size());
        table.rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(
        table.rows, {}, [&](const Row& row) { return (several ? -1 : 1) * row.cells.back().value.value_or(0); });
    return table;
}

Table confusionTable(const std::vector<Confusion>& confusions, const std::vector<std::string>& names,
                     const std::vector<ClassAccuracy>& accuracies, const std::string& look)
{
    Table table{
        .columns = {{ATTN_TEXT("True class")},
                    {ATTN_TEXT("Predicted")},
                    {.title = ATTN_TEXT("Samples"), .number = true},
                    {ATTN_TEXT("Of true class"),
                     ATTN_TEXT("Fraction of the true class's samples that are predicted as the other class."),
                     true}}};
    for (const Confusion& each : confusions) {
        Cell fraction;
        if (const auto found = std::ranges::find(accuracies, each.label, &ClassAccuracy::label);
            found != accuracies.end() && found->accuracy.samples > 0) {
            fraction = percentCell(double(each.samples) / double(found->accuracy.samples));
            fraction.fraction = fraction.value;
            fraction.look = look;
        }
        table.rows.push_back({{{className(each.label, names)},
                               {className(each.prediction, names)},
                               countCell(each.samples),
                               fraction},
                              std::to_string(each.label) + "," + std::to_string(each.prediction)});
    }
    return table;
}

Text pairSentence(const RunPair& pair, const Text& a, const Text& b)
{
    const std::string p = pair.mcnemarP < 0.001 ? "p < 0.001" : "p = " + pText(pair.mcnemarP);
    return ATTN_COUNT(
               "%2 misclassifies %1 sample(s) that %3 gets right, and gets %4 right that %3 misclassifies: %5.")
        .of(pair.onlyA)
        .arg(b, a, formatCount(pair.onlyB),
             pair.mcnemarP < significance ? ATTN_TEXT("a significant difference, McNemar %1").arg(p)
                                          : ATTN_TEXT("not significant, McNemar %1").arg(p));
}

Table comparisonTable(const std::vector<ComparedRun>& runs, Compared compared)
{
    Table table{.columns = {Column()}};
    for (const Column& column : runColumns())
        table.rows.push_back({{{.text = column.title, .help = column.help}}});
    const size_t figures = table.rows.size();
    table.rows.push_back({{{ATTN_TEXT("Attention")}}});
    for (const ComparedRun& run : runs) {
        table.columns.push_back({joined({std::to_string(run.run->id), run.title}, " · ")});
        std::vector<Cell> cells = runCells(*run.run, run.accuracy);
        cells.push_back({run.run->attention});
        for (const auto& [name, value] : settingsOf(*run.evaluation)) {
            if (cells.size() == table.rows.size())
                table.rows.push_back({{{name}}});
            cells.push_back({.text = value, .help = value});
        }
        for (size_t i = 0; i < cells.size(); ++i)
            table.rows[i].cells.push_back(std::move(cells[i]));
    }
    size_t place = 0;
    std::erase_if(table.rows, [&](const Row& row) {
        const auto alike = [&](const Cell& cell) { return english(cell.text) == english(row.cells[1].text); };
        return runs.empty()
               || (place++ >= figures && compared == Compared::DifferencesOnly && runs.size() > 1
                   && std::all_of(row.cells.begin() + 1, row.cells.end(), alike));
    });
    for (Row& row : table.rows) {
        row.cells.front().dim = true;
        row.name = row.cells.front().text;
        row.key = english(row.name);
    }
    return table;
}

}

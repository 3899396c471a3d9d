#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/measure/paired_ratio.h"
#include "core/report/group.h"
#include "core/report/protocol_scores.h"
#include "core/report/published_accuracy.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

bool predicted(const GroupRun& run)
{
    return run.accuracy.samples > 0;
}

size_t mostAccurate(const Group& group)
{
    size_t best = group.reference;
    for (size_t i = 0; i < group.runs.size(); ++i)
        if (predicted(group.runs[i]) && group.runs[i].accuracy.value() > group.runs[best].accuracy.value())
            best = i;
    return best;
}

/// Those of `candidates` that were timed, the lowest median first.
std::vector<size_t> byLatency(const Group& group, const std::vector<size_t>& candidates)
{
    std::vector<size_t> timed;
    std::ranges::copy_if(candidates, std::back_inserter(timed),
                         [&](size_t i) { return group.runs[i].run.latency.has_value(); });
    std::ranges::stable_sort(timed, {}, [&](size_t i) { return modelTime(*group.runs[i].run.latency).mid; });
    return timed;
}

bool untrained(const Group& group)
{
    return std::ranges::all_of(group.runs,
                               [](const GroupRun& run) { return run.run.weights == WeightsKind::Untrained; });
}

/// Whether the first of `timed` is clearly faster than the most accurate, or, if it is that itself, than the next.
std::string fastestText(const Group& group, size_t best, const std::vector<size_t>& timed)
{
    const bool alsoFastest = timed.front() == best;
    const Latency &fast = *group.runs[timed.front()].run.latency,
                  &slow = *group.runs[alsoFastest ? timed[1] : best].run.latency;
    const SpeedVerdict verdict = compareSpeed(fast, slow);
    const std::string times = timeText(fast) + " vs. " + timeText(slow) + " per forward pass";
    if (verdict.speed != Speed::Faster)
        return fmt::format("None of them is clearly faster here ({}; {}).", times, toText(verdict.speed));
    return (alsoFastest ? "It is also the fastest of them"
                        : "The fastest of them is " + group.runs[timed.front()].name)
           + fmt::format(" ({}, {}).", times, formatChange(1, verdict.ratio->median));
}

/// In points, relative to the reference on the same samples.
Cell changeCell(const Group& group, size_t index)
{
    if (index == group.reference)
        return {"reference"};
    const RunPair* pair = group.pairOf(index, group.reference);
    if (pair == nullptr)
        return {};
    const double from = group.runs[group.reference].accuracy.value(), to = group.runs[index].accuracy.value();
    Cell cell = numberCell(to - from, (pair->mcnemarP >= significance ? "≈ " : "") + formatPoints(from, to));
    cell.small = "p " + pText(pair->mcnemarP);
    return cell;
}

Cell nameCell(const GroupRun& run)
{
    return {.text = run.name, .look = run.look};
}

Table accuracyTable(const Group& group)
{
    Table table{.caption = "Top-1 and top-5 over the readable samples, with the 95 % Wilson interval; the change "
                           "in points is relative to "
                           "the reference on the same samples (exact McNemar p; ≈: p ≥ 0.05).",
                .columns = runColumns()};
    const auto change = 2;
    table.columns.insert(table.columns.begin() + change, {"Change", {}, true});
    table.columns.insert(table.columns.begin(), {"Attention"});
    const std::vector<DifferingSetting> settings = differingSettings(group.evaluations);
    for (const DifferingSetting& setting : settings)
        table.columns.push_back({.title = setting.name});
    std::vector<Cell> published;
    for (const GroupRun& run : group.runs)
        published.push_back(publishedCell(*run.evaluation, run.run));
    const bool known = std::ranges::any_of(published, [](const Cell& cell) { return cell.value.has_value(); });
    if (known)
        table.columns.push_back({"Published top-1", {}, true});
    for (size_t i = 0; i < group.runs.size(); ++i) {
        std::vector<Cell> cells = runCells(group.runs[i].run, group.runs[i].accuracy);
        cells.insert(cells.begin() + change, predicted(group.runs[i]) ? changeCell(group, i) : Cell());
        cells.insert(cells.begin(), nameCell(group.runs[i]));
        const size_t place = group.placeOf(group.runs[i]);
        for (const DifferingSetting& setting : settings)
            cells.push_back({.text = setting.values[place]});
        if (known)
            cells.push_back(published[i]);
        table.add(cells);
    }
    return table;
}

Table calibrationTable(const Group& group)
{
    std::vector<NamedRun> runs;
    int64_t zeros = 0;
    for (const GroupRun& run : group.runs) {
        runs.push_back({nameCell(run), measurementsOf(run)});
        zeros += run.calibration.zeroProbabilities();
    }
    Table table = calibrationTable(runs);
    std::string caption =
        "Mean top-1 over classes, and how good the predicted probabilities are: lower is better.";
    if (zeros > 0)
        caption += fmt::format(" {} of true classes are 0; NLL takes the smallest positive float for them.",
                               formatCounted(zeros, "probability", "probabilities"));
    table.caption = caption;
    return table;
}

/// What the protocols of these runs define besides accuracy.
Table protocolTable(const ResultStore& store, const Group& group)
{
    std::vector<ProtocolScores> scores;
    std::vector<Cell> names;
    for (const GroupRun& run : group.runs)
        if (auto one = protocolScores(store, *run.evaluation, run.run)) {
            scores.push_back(std::move(*one));
            names.push_back(nameCell(run));
        }
    return attnscope::protocolTable(scores, names);
}

Table pairTable(const Group& group)
{
    std::map<int64_t, Cell> names;
    for (const GroupRun& run : group.runs)
        names[run.run.id] = nameCell(run);
    const bool all = group.runs.size() <= 6;
    const int64_t reference = group.runs[group.reference].run.id;
    std::vector<RunPair> pairs;
    std::ranges::copy_if(group.pairs, std::back_inserter(pairs),
                         [&](const RunPair& pair) { return all || pair.a == reference || pair.b == reference; });
    Table table = pairTable(pairs, names);
    table.caption = all ? "All pairs of runs, on the samples that both predicted."
                        : "All runs compared with the reference, on the samples that both predicted.";
    return table;
}

/// The classes whose accuracy depends most on the attention, or of one run the least accurate, if there are too many for a chart.
Table classTable(const Group& group, const ResultStore& store)
{
    constexpr size_t shownRuns = 8, shownClasses = 20;
    std::vector<RunClasses> runs;
    for (size_t i = 0; i < group.runs.size(); ++i)
        if (const GroupRun& run = group.runs[i];
            predicted(run) && (runs.size() < shownRuns || i == group.reference))
            runs.insert(i == group.reference ? runs.begin() : runs.end(),
                        {nameCell(run), store.classAccuracies(run.run.id)});
    if (runs.empty())
        return {};
    Table table = classTable(runs);
    std::erase_if(table.rows,
                  [&](const Row& row) { return row.cells.back().value.value_or(0) == (runs.size() > 1 ? 0 : 1); });
    const size_t differing = table.rows.size();
    table.rows.resize(std::min(differing, shownClasses));
    table.caption = fmt::format("Top-1 by class: {} of the {} {}.", table.rows.size(), differing,
                                runs.size() == 1 ? "with errors, least accurate first"
                                                 : "that differ, largest loss first");
    return table;
}

Table confusionTable(const Group& group, const ResultStore& store)
{
    Table table{.caption = "The five most frequent confusions of each run."};
    for (const GroupRun& run : group.runs) {
        Table found = confusionTable(store.worstConfusions(run.run.id, 5), group.classes,
                                     store.classAccuracies(run.run.id));
        table.columns = found.columns;
        for (Row& row : found.rows) {
            row.cells.insert(row.cells.begin(), nameCell(run));
            table.rows.push_back(std::move(row));
        }
    }
    table.columns.insert(table.columns.begin(), {"Attention"});
    return table;
}

void addUnreadable(Report& report, const Group& group, const ResultStore& store)
{
    constexpr int64_t shown = 100;
    for (const StoredEvaluation* evaluation : group.evaluations) {
        if (evaluation->unreadable == 0)
            continue;
        Table table = tableOf({"File", "Reason"});
        table.caption = fmt::format(
            "Evaluation {}: {} of {} could not be read and count as neither correct nor wrong.{}", evaluation->id,
            formatCount(evaluation->unreadable), formatCounted(evaluation->samples, "file"),
            evaluation->unreadable > shown ? fmt::format(" The first {} are listed.", shown) : "");
        for (const UnreadableSample& sample : store.unreadable(evaluation->id, 0, shown))
            table.addTexts({sample.path, sample.reason});
        report.blocks.emplace_back(Heading{3, "Unreadable files"});
        report.blocks.emplace_back(std::move(table));
    }
}

void addRow(Table& table, const Text& name, const std::string& value)
{
    if (!value.empty())
        table.add({{name}, {value}});
}

Table settingsTable(const StoredEvaluation& evaluation)
{
    Table table = tableOf({"Setting", "Value"});
    table.caption = fmt::format("Evaluation {}: {}", evaluation.id, stateText(evaluation));
    for (const auto& [name, value] : settingsOf(evaluation))
        addRow(table, name, value);
    for (const std::string& note : evaluation.settings.notes)
        addRow(table, "Note", note);
    for (const StoredRun& run : evaluation.runs) {
        addRow(table, run.attention + ", failed", run.failure);
        for (const std::string& note : run.notes)
            addRow(table, run.attention, note);
    }
    return table;
}

void addParts(Table& table, const ResultStore& store, int64_t evaluation)
{
    const auto parts = store.parts(evaluation);
    for (size_t i = 1; i < parts.size(); ++i)
        addRow(table, fmt::format("part {}", i + 1),
               fmt::format("{}: {}, {}, Attnscope {}{}", parts[i].started, parts[i].settings.device,
                           counted(parts[i].settings.threads, "thread"), parts[i].settings.environment.attnscope,
                           parts[i].settings.shard.count > 1 ? fmt::format(
                               ", shard {} of {}", parts[i].settings.shard.index, parts[i].settings.shard.count)
                                                             : ""));
}

void addGroup(Report& report, const Group& group, const ResultStore& store, const std::string& prefix)
{
    report.blocks.emplace_back(
        Heading{2, fmt::format("{}: {}, {}", group.dataName(), formatCounted(group.first().samples, "sample"),
                               formatCounted(std::ssize(group.classes), "class", "classes"))});
    for (Paragraph& paragraph : verdict(group))
        report.blocks.emplace_back(std::move(paragraph));
    report.blocks.emplace_back(accuracyTable(group));
    if (auto figures = costFigures(group, prefix); !figures.empty())
        report.blocks.emplace_back(Figures{std::move(figures)});
    if (const Table table = protocolTable(store, group); !table.rows.empty()) {
        report.blocks.emplace_back(Heading{3, "Protocol"});
        report.blocks.emplace_back(table);
    }
    if (auto figure = calibrationFigure(group, prefix)) {
        report.blocks.emplace_back(Heading{3, "Calibration"});
        report.blocks.emplace_back(calibrationTable(group));
        report.blocks.emplace_back(Figures{{std::move(*figure)}});
    }
    if (!group.pairs.empty()) {
        report.blocks.emplace_back(Heading{3, "Pairwise comparison"});
        report.blocks.emplace_back(pairTable(group));
    }
    report.blocks.emplace_back(Heading{3, "Classes"});
    if (auto figure = classFigure(group, store, prefix))
        report.blocks.emplace_back(Figures{{std::move(*figure)}});
    else if (Table table = classTable(group, store); !table.rows.empty())
        report.blocks.emplace_back(std::move(table));
    if (auto figures = confusionFigures(group, store, prefix); !figures.empty())
        report.blocks.emplace_back(Figures{std::move(figures)});
    if (Table table = confusionTable(group, store); !table.rows.empty())
        report.blocks.emplace_back(std::move(table));
    addUnreadable(report, group, store);
    report.blocks.emplace_back(Heading{3, "How it was measured"});
    Commands commands;
    for (const StoredEvaluation* evaluation : group.evaluations) {
        Table table = settingsTable(*evaluation);
        addParts(table, store, evaluation->id);
        report.blocks.emplace_back(std::move(table));
        if (!evaluation->settings.command.empty())
            commands.lines.push_back(evaluation->settings.command);
    }
    if (!commands.lines.empty()) {
        report.blocks.emplace_back(Paragraph{"To reproduce:", Tone::Plain});
        report.blocks.emplace_back(std::move(commands));
    }
}

}

std::vector<Paragraph> verdict(const Group& group)
{
    std::vector<Paragraph> all;
    for (const StoredEvaluation* evaluation : group.evaluations)
        if (evaluation->state != EvaluationState::Finished)
            all.push_back({fmt::format("Evaluation {} is not finished ({}); its results cover the samples so far.",
                                       evaluation->id, stateText(*evaluation)),
                           Tone::Warning});
    for (const StoredEvaluation* other : group.evaluations)
        if (const std::string differences = identityDifferences(group.first().settings, other->settings);
            !differences.empty())
            all.push_back(
                {fmt::format("Evaluations {} and {} differ in: {}.", group.first().id, other->id, differences)});
    if (group.runs.empty() || !predicted(group.runs[group.reference]))
        return all;
    if (untrained(group)) {
        all.push_back({"The weights are untrained; cost is meaningful, accuracy is not.", Tone::Warning});
        return all;
    }
    const size_t best = mostAccurate(group);
    std::vector<size_t> equal{best}, worse;
    for (size_t i = 0; i < group.runs.size(); ++i) {
        const RunPair* pair = i == best ? nullptr : group.pairOf(i, best);
        if (pair != nullptr)
            (pair->mcnemarP >= significance ? equal : worse).push_back(i);
    }
    const Cell accuracy = accuracyCell(group.runs[best].accuracy);
    std::string text = fmt::format("Best top-1: {} with {} {}.", group.runs[best].name, english(accuracy.text),
                                   english(accuracy.small));
    std::vector<std::string> others;
    for (const size_t i : equal)
        if (i != best)
            others.push_back(group.runs[i].name);
    if (!others.empty())
        text += fmt::format(" Not significantly different on these samples (McNemar p ≥ 0.05): {}.",
                            joined(others, ", "));
    else if (!worse.empty())
        text += " All others are significantly worse (McNemar p < 0.05).";
    if (const auto timed = byLatency(group, equal); timed.size() > 1 && group.runs[best].run.latency)
        text += " " + fastestText(group, best, timed);
    all.push_back({text, Tone::Verdict});
    return all;
}

Report makeReport(const ResultStore& store, const ReportOptions& options)
{
    const bool trainingsAlone = store.evaluations().empty() && !store.trainings().empty();
    const auto evaluations = trainingsAlone ? std::vector<StoredEvaluation>() : chosenEvaluations(store, options);
    const auto groups = groupsOf(store, evaluations, options);
    Report report;
    report.title = "Attention comparison";
    size_t runs = 0;
    for (const Group& group : groups)
        runs += group.runs.size();
    report.subtitle = fmt::format("{} of {}; Attnscope {}", counted(int64_t(runs), "run"),
                                  counted(std::ssize(evaluations), "evaluation"), version);
    for (size_t i = 0; i < groups.size(); ++i)
        addGroup(report, groups[i], store, groups.size() == 1 ? "" : fmt::format("{}-", i + 1));
    addTrainings(report, store);
    return report;
}

}

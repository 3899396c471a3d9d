#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/measure/paired_ratio.h"
#include "core/report/group.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double significance = 0.05;

bool predicted(const GroupRun& run)
{
    return run.accuracy.samples > 0;
}

std::size_t mostAccurate(const Group& group)
{
    std::size_t best = group.reference;
    for (std::size_t i = 0; i < group.runs.size(); ++i)
        if (predicted(group.runs[i]) && group.runs[i].accuracy.top1() > group.runs[best].accuracy.top1())
            best = i;
    return best;
}

/// Those of `candidates` that were timed, the lowest median first.
std::vector<std::size_t> byLatency(const Group& group, const std::vector<std::size_t>& candidates)
{
    std::vector<std::size_t> timed;
    std::ranges::copy_if(candidates, std::back_inserter(timed),
                         [&](std::size_t i) { return group.runs[i].run.latency.has_value(); });
    std::ranges::stable_sort(timed, {}, [&](std::size_t i) { return group.runs[i].run.latency->medianMs; });
    return timed;
}

bool untrained(const Group& group)
{
    return std::ranges::all_of(group.runs,
                               [](const GroupRun& run) { return run.run.weights == WeightsKind::Untrained; });
}

/// Whether the first of `timed` is clearly faster than the most accurate, or, if it is that itself, than the next.
std::string fastestText(const Group& group, std::size_t best, const std::vector<std::size_t>& timed)
{
    const bool alsoFastest = timed.front() == best;
    const Latency &fast = *group.runs[timed.front()].run.latency,
                  &slow = *group.runs[alsoFastest ? timed[1] : best].run.latency;
    const SpeedVerdict verdict = compareSpeed(fast, slow);
    const std::string times = formatMilliseconds(fast.medianMs).text() + " vs. "
                              + formatMilliseconds(slow.medianMs).text() + " per forward pass";
    if (verdict.speed != Speed::Faster)
        return fmt::format("None of them is clearly faster here ({}; {}).", times, toText(verdict.speed));
    return (alsoFastest ? "It is also the fastest of them"
                        : "The fastest of them is " + group.runs[timed.front()].name)
           + fmt::format(" ({}, {}).", times, formatChange(1, verdict.ratio->median));
}

ReportCell latencyCell(const StoredRun& run)
{
    if (!run.latency)
        return {"–"};
    return {.text = formatMilliseconds(run.latency->medianMs).text(),
            .small = fmt::format("{} … {}", formatMilliseconds(run.latency->p05Ms).value,
                                 formatMilliseconds(run.latency->p95Ms).value)};
}

ReportCell errorCell(const StoredRun& run)
{
    if (!run.error)
        return {"–"};
    const bool spread = run.error->relativeStddev > 0;
    return {formatError(run.error->relative), {}, spread ? "± " + formatError(run.error->relativeStddev) : ""};
}

ReportCell changeCell(const Group& group, std::size_t index)
{
    if (index == group.reference)
        return {"reference"};
    const RunPair* pair = group.pairOf(index, group.reference);
    if (pair == nullptr)
        return {"–"};
    const double points = (group.runs[index].accuracy.top1() - group.runs[group.reference].accuracy.top1()) * 100;
    const std::string sign = points < 0 ? "\u2212" : "+";
    return {fmt::format("{}{}{:.2f}", pair->mcnemarP >= significance ? "≈ " : "", sign, std::abs(points)),
            {},
            "p " + pText(pair->mcnemarP)};
}

ReportTable accuracyTable(const Group& group)
{
    ReportTable table;
    table.caption = "Top-1 and top-5 over the readable samples, with the 95 % Wilson interval; the change in "
                    "points is relative to "
                    "the reference on the same samples (exact McNemar p; ≈: p ≥ 0.05).";
    table.columns = {{"attention"},         {"weights"},
                     {"top-1", true},       {"change", true},
                     {"top-5", true},       {"samples", true},
                     {"latency", true},     {"in attention", true},
                     {"peak memory", true}, {"relative error", true}};
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const GroupRun& row = group.runs[i];
        const StoredRun& run = row.run;
        std::vector<ReportCell> cells{{row.name, row.look}, {toText(run.weights)}};
        if (predicted(row)) {
            cells.push_back({percent(row.accuracy.top1()), {}, intervalText(row.top1())});
            cells.push_back(changeCell(group, i));
            cells.push_back({percent(row.accuracy.top5()), {}, intervalText(row.top5())});
        } else {
            cells.insert(cells.end(), {{run.failure.empty() ? "no predictions yet" : "failed"}, {"–"}, {"–"}});
        }
        cells.push_back({formatCount(row.accuracy.samples)});
        cells.push_back(latencyCell(run));
        cells.push_back({run.latency ? formatMilliseconds(run.latency->attentionMedianMs).text() : "–"});
        cells.push_back({run.memory ? formatBytes(run.memory->peakBytes).text() : "–"});
        cells.push_back(errorCell(run));
        table.rows.push_back(cells);
    }
    return table;
}

ReportTable pairTable(const Group& group)
{
    ReportTable table;
    table.columns = {{"a"},
                     {"b"},
                     {"both correct", true},
                     {"only a", true},
                     {"only b", true},
                     {"both wrong", true},
                     {"same prediction", true},
                     {"McNemar p", true}};
    const bool all = group.runs.size() <= 6;
    table.caption = all ? "All pairs of runs, on the samples that both predicted."
                        : "All runs compared with the reference, on the samples that both predicted.";
    for (std::size_t a = 0; a < group.runs.size(); ++a) {
        for (std::size_t b = a + 1; b < group.runs.size(); ++b) {
            const RunPair* pair = group.pairOf(a, b);
            if (pair == nullptr || (!all && a != group.reference && b != group.reference))
                continue;
            std::vector<ReportCell>& cells = table.rows.emplace_back();
            for (const std::size_t run : {a, b})
                cells.push_back({group.runs[run].name, group.runs[run].look});
            std::int64_t samples = 0;
            for (const std::int64_t count : {pair->bothRight, pair->onlyA, pair->onlyB, pair->bothWrong}) {
                cells.push_back({formatCount(count)});
                samples += count;
            }
            const double same = double(pair->samePrediction) / double(samples);
            cells.insert(cells.end(), {{samples > 0 ? percent(same, 1) : "–"}, {pText(pair->mcnemarP)}});
        }
    }
    return table;
}

/// The classes whose accuracy depends most on the attention, or of one run the least accurate, if there are too many for a chart.
ReportTable classTable(const Group& group, const ResultStore& store)
{
    constexpr std::size_t shown = 20;
    ReportTable table;
    table.columns = {{"class"}};
    std::map<std::int64_t, std::vector<double>> classes;
    std::size_t runs = 0;
    for (const GroupRun& run : group.runs) {
        if (!predicted(run) || runs == 8)
            continue;
        table.columns.push_back({run.name, true});
        for (const ClassAccuracy& found : store.classAccuracies(run.run.id)) {
            auto& row = classes[found.label];
            row.resize(runs, NAN);
            row.push_back(found.accuracy.top1());
        }
        ++runs;
    }
    const auto spread = [&](const std::vector<double>& row) {
        return runs == 1 ? 1 - row.front() : *std::ranges::max_element(row) - *std::ranges::min_element(row);
    };
    std::vector<std::pair<std::int64_t, std::vector<double>>> sorted(classes.begin(), classes.end());
    std::erase_if(sorted, [&](const auto& entry) {
        return entry.second.size() != runs
               || std::any_of(entry.second.begin(), entry.second.end(), [](double v) { return std::isnan(v); })
               || spread(entry.second) == 0;
    });
    std::ranges::stable_sort(sorted,
                             [&](const auto& a, const auto& b) { return spread(a.second) > spread(b.second); });
    const std::size_t differing = sorted.size();
    sorted.resize(std::min(differing, shown));
    table.caption = fmt::format("Top-1 by class: {} of the {} {}.", sorted.size(), differing,
                                runs == 1 ? "with errors, least accurate first"
                                          : "that differ between two runs, largest difference first");
    for (const auto& [label, row] : sorted) {
        std::vector<ReportCell> cells{{group.className(label)}};
        for (const double value : row)
            cells.push_back({percent(value, 1)});
        table.rows.push_back(cells);
    }
    return table;
}

ReportTable confusionTable(const Group& group, const ResultStore& store)
{
    ReportTable table;
    table.caption = "The five most frequent confusions of each run.";
    table.columns = {{"attention"}, {"true class"}, {"predicted"}, {"samples", true}};
    for (const GroupRun& run : group.runs)
        for (const Confusion& found : store.worstConfusions(run.run.id, 5))
            table.rows.push_back({{run.name, run.look},
                                  {group.className(found.label)},
                                  {group.className(found.prediction)},
                                  {formatCount(found.samples)}});
    return table;
}

void addUnreadable(Report& report, const Group& group, const ResultStore& store)
{
    constexpr std::int64_t shown = 100;
    for (const StoredEvaluation* evaluation : group.evaluations) {
        if (evaluation->unreadable == 0)
            continue;
        ReportTable table;
        table.caption = fmt::format(
            "Evaluation {}: {} of {} could not be read and count as neither correct nor wrong.{}", evaluation->id,
            formatCount(evaluation->unreadable), formatCounted(evaluation->samples, "file"),
            evaluation->unreadable > shown ? fmt::format(" The first {} are listed.", shown) : "");
        table.columns = {{"file"}, {"reason"}};
        for (const UnreadableSample& sample : store.unreadable(evaluation->id, 0, shown))
            table.rows.push_back({{sample.path}, {sample.reason}});
        report.blocks.emplace_back(Heading{3, "Unreadable files"});
        report.blocks.emplace_back(std::move(table));
    }
}

void addRow(ReportTable& table, const std::string& name, const std::string& value)
{
    if (!value.empty())
        table.rows.push_back({{name}, {value}});
}

ReportTable settingsTable(const StoredEvaluation& evaluation)
{
    const EvaluationSettings& settings = evaluation.settings;
    ReportTable table;
    table.caption = fmt::format("Evaluation {}: {}", evaluation.id, stateText(evaluation));
    table.columns = {{"setting"}, {"value"}};
    addRow(table, "note", evaluation.note);
    addRow(table, "model", settings.model);
    addRow(table, "weights", settings.weights);
    addRow(table, "weights, sha256", settings.weightsHash);
    addRow(table, "data", evaluation.dataRoot);
    addRow(table, "data, sha256 of names and labels", evaluation.dataHash);
    addRow(table, "samples",
           fmt::format("{}, of which {} unreadable", formatCount(evaluation.done),
                       formatCount(evaluation.unreadable)));
    addRow(table, "transform", settings.transform);
    addRow(table, "views", settings.views);
    addRow(table, "sampling", settings.sampling);
    addRow(table, "reading", settings.reading);
    addRow(table, "batch", fmt::format("{}", settings.batch));
    addRow(table, "limit", settings.limit > 0 ? fmt::format("{}", settings.limit) : "");
    addRow(table, "shard",
           settings.shard.count > 1 ? fmt::format("{} of {}", settings.shard.index, settings.shard.count) : "");
    addRow(table, "device",
           fmt::format("{}, {}, {}", settings.device, settings.dtype, counted(settings.threads, "thread")));
    addRow(table, "seed", fmt::format("{}", settings.seed));
    addRow(table, "versions",
           fmt::format("Attnscope {}, LibTorch {}, {}", settings.environment.attnscope, settings.environment.torch,
                       settings.environment.compiler));
    addRow(table, "decoder", settings.decoder);
    addRow(table, "instruction set", settings.environment.instructionSet);
    addRow(table, "kernels", settings.environment.kernels);
    addRow(table, "started", evaluation.started);
    addRow(table, "work", fmt::format("{:.0f} s", evaluation.seconds));
    for (const std::string& note : settings.notes)
        addRow(table, "note", note);
    for (const StoredRun& run : evaluation.runs) {
        addRow(table, run.attention + ", failed", run.failure);
        for (const std::string& note : run.notes)
            addRow(table, run.attention, note);
    }
    return table;
}

void addParts(ReportTable& table, const ResultStore& store, std::int64_t evaluation)
{
    const auto parts = store.parts(evaluation);
    for (std::size_t i = 1; i < parts.size(); ++i)
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
    if (!group.pairs.empty()) {
        report.blocks.emplace_back(Heading{3, "Pairwise comparison"});
        report.blocks.emplace_back(pairTable(group));
    }
    report.blocks.emplace_back(Heading{3, "Classes"});
    if (auto figure = classFigure(group, store, prefix))
        report.blocks.emplace_back(Figures{{std::move(*figure)}});
    else if (ReportTable table = classTable(group, store); !table.rows.empty())
        report.blocks.emplace_back(std::move(table));
    if (auto figures = confusionFigures(group, store, prefix); !figures.empty())
        report.blocks.emplace_back(Figures{std::move(figures)});
    if (ReportTable table = confusionTable(group, store); !table.rows.empty())
        report.blocks.emplace_back(std::move(table));
    addUnreadable(report, group, store);
    report.blocks.emplace_back(Heading{3, "How it was measured"});
    Commands commands;
    for (const StoredEvaluation* evaluation : group.evaluations) {
        ReportTable table = settingsTable(*evaluation);
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
    const std::size_t best = mostAccurate(group);
    std::vector<std::size_t> equal{best}, worse;
    for (std::size_t i = 0; i < group.runs.size(); ++i) {
        const RunPair* pair = i == best ? nullptr : group.pairOf(i, best);
        if (pair != nullptr)
            (pair->mcnemarP >= significance ? equal : worse).push_back(i);
    }
    std::string text = fmt::format("Best top-1: {} with {} {}.", group.runs[best].name,
                                   percent(group.runs[best].accuracy.top1()),
                                   intervalText(group.runs[best].top1()));
    std::vector<std::string> others;
    for (const std::size_t i : equal)
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
    std::size_t runs = 0;
    for (const Group& group : groups)
        runs += group.runs.size();
    report.subtitle = fmt::format("{} of {}; Attnscope {}", counted(std::int64_t(runs), "run"),
                                  counted(std::ssize(evaluations), "evaluation"), version);
    for (std::size_t i = 0; i < groups.size(); ++i)
        addGroup(report, groups[i], store, groups.size() == 1 ? "" : fmt::format("{}-", i + 1));
    addTrainings(report, store);
    return report;
}

}

#include "core/report/group.h"
#include "core/data/dataset/data_title.h"

#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/format.h"
#include "core/figure/series_keys.h"
#include "core/store/store_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace attnscope {

namespace {

std::string weightsOf(const StoredEvaluation& evaluation)
{
    return std::filesystem::path(evaluation.settings.weights).stem().string();
}

std::map<std::string, int> namesSeen(const Group& group)
{
    std::map<std::string, int> seen;
    for (const GroupRun& run : group.runs)
        ++seen[run.name];
    return seen;
}

/// What tells evaluations of one network apart: of all settings, or of those that have several values in `among`.
std::string settingsOf(const EvaluationSettings& settings, const std::vector<const StoredEvaluation*>& among)
{
    std::string text;
    for (const auto& [name, value] : identityTexts(settings)) {
        const std::string &key = name, &own = value;
        const auto differs = [&](const StoredEvaluation* other) {
            return identityTexts(other->settings)[key] != own;
        };
        const bool elsewhere = key == "model" || key == "model_description" || key == "weights" || key == "draws";
        if (!elsewhere && !own.empty() && (among.empty() || std::ranges::any_of(among, differs)))
            text += " · " + (key == "transform" ? own : key + " " + own);
    }
    return text;
}

/// Names runs by the specification, and if necessary by model, weights, other settings, and finally the evaluation's number.
void nameRuns(Group& group)
{
    std::set<std::string> models, weights;
    for (const StoredEvaluation* evaluation : group.evaluations) {
        models.insert(evaluation->settings.model);
        weights.insert(weightsOf(*evaluation));
    }
    std::vector<std::string> attentions;
    for (GroupRun& run : group.runs) {
        run.name = run.run.attention;
        if (models.size() > 1)
            run.name += " · " + run.evaluation->settings.model;
        if (weights.size() > 1)
            run.name += " · " + weightsOf(*run.evaluation);
        attentions.push_back(run.run.attention);
    }
    const std::map<std::string, int> alike = namesSeen(group);
    for (GroupRun& run : group.runs)
        if (alike.at(run.name) > 1)
            run.name += settingsOf(run.evaluation->settings, group.evaluations);
    const std::map<std::string, int> seen = namesSeen(group);
    const std::vector<std::string> looks = seriesKeys(attentions);
    for (size_t i = 0; i < looks.size(); ++i)
        group.runs[i].look = looks[i];
    for (GroupRun& run : group.runs)
        if (seen.at(run.name) > 1)
            run.name += " · evaluation " + std::to_string(run.evaluation->id);
}

size_t referenceOf(const std::vector<GroupRun>& runs)
{
    const auto find = [&](auto&& wanted) {
        return size_t(std::find_if(runs.begin(), runs.end(), wanted) - runs.begin());
    };
    const auto predicted = [](const GroupRun& run) { return run.accuracy.samples > 0; };
    const size_t softmax = find([&](const GroupRun& run) {
        return predicted(run) && run.run.resolved.starts_with(referenceBackend)
               && run.run.weights == WeightsKind::Trained;
    });
    if (softmax < runs.size())
        return softmax;
    const size_t trained = find(
        [&](const GroupRun& run) { return predicted(run) && run.run.weights == WeightsKind::Trained; });
    return trained < runs.size() ? trained : 0;
}

}

Measurements measurementsOf(const GroupRun& run)
{
    Measurements measured = measurementsOf(run.run, run.accuracy);
    measured.calibration = &run.calibration;
    return measured;
}

std::string Group::dataName() const
{
    return dataTitle(first().dataRoot);
}

const RunPair* Group::pairOf(size_t a, size_t b) const
{
    const int64_t first = runs[a].run.id, second = runs[b].run.id;
    const auto found = std::ranges::find_if(pairs, [&](const RunPair& pair) {
        return (pair.a == first && pair.b == second) || (pair.a == second && pair.b == first);
    });
    return found == pairs.end() ? nullptr : &*found;
}

std::vector<Group> groupsOf(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations,
                            const ReportOptions& options)
{
    std::vector<Group> groups;
    for (const StoredEvaluation& evaluation : evaluations) {
        auto group = std::ranges::find_if(
            groups, [&](const Group& other) { return other.first().dataHash == evaluation.dataHash; });
        if (group == groups.end())
            group = groups.insert(groups.end(), Group{{}, {}, store.classes(evaluation.id), {}, 0});
        group->evaluations.push_back(&evaluation);
        for (const StoredRun& run : evaluation.runs)
            if (run.attention.starts_with(options.attention))
                group->runs.push_back(
                    {&evaluation, run, store.accuracy(run.id), store.calibration(run.id), {}, {}});
    }
    for (Group& group : groups) {
        nameRuns(group);
        group.reference = referenceOf(group.runs);
        std::vector<int64_t> ids;
        for (const GroupRun& run : group.runs)
            if (run.accuracy.samples > 0)
                ids.push_back(run.run.id);
        if (ids.size() > 1)
            group.pairs = store.pairs(ids);
    }
    return groups;
}

std::vector<StoredEvaluation> chosenEvaluations(const ResultStore& store, const ReportOptions& options)
{
    std::vector<StoredEvaluation> chosen;
    if (options.evaluations.empty()) {
        chosen = store.evaluations();
    } else {
        for (const int64_t id : options.evaluations)
            chosen.push_back(store.evaluation(id));
    }
    std::erase_if(chosen, [&](const StoredEvaluation& evaluation) {
        const bool hasRun = std::ranges::any_of(
            evaluation.runs, [&](const StoredRun& run) { return run.attention.starts_with(options.attention); });
        return evaluation.settings.model.find(options.model) == std::string::npos || !hasRun
               || (options.finishedOnly && evaluation.state != EvaluationState::Finished);
    });
    if (chosen.empty())
        throw UsageError("report", "the store has none of the requested evaluations",
                         "list its evaluations with `attnscope-cli report STORE --list`");
    return chosen;
}

std::string stateText(const StoredEvaluation& evaluation)
{
    const Shard& shard = evaluation.settings.shard;
    const std::string part = shard.count > 1 ? fmt::format(", part {} of {}", shard.index, shard.count) : "";
    if (evaluation.state == EvaluationState::Finished)
        return toText(evaluation.state) + part;
    return fmt::format("{}, {} of {}{}", toText(evaluation.state), formatCount(evaluation.done),
                       formatCounted(evaluation.samples, "sample"), part);
}

std::string settingsText(const StoredEvaluation& evaluation)
{
    return "started " + evaluation.started + settingsOf(evaluation.settings, {});
}

}

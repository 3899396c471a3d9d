// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/proportions.h"
#include "core/report/report.h"

#include <map>

/// Inside core/report only: the runs that saw the same data, side by side.
namespace attnscope {

struct GroupRun {
    const StoredEvaluation* evaluation = nullptr;
    StoredRun run;
    Accuracy accuracy;
    std::string name;  ///< as short as it can be told apart from the others
    std::string look;  ///< of its marks: a key of `seriesStyle`
    Interval top1() const { return wilson95(accuracy.correct1, accuracy.samples); }
    Interval top5() const { return wilson95(accuracy.correct5, accuracy.samples); }
};

struct Group {
    std::vector<const StoredEvaluation*> evaluations;
    std::vector<GroupRun> runs;
    std::vector<std::string> classes;
    std::vector<RunPair> pairs;
    std::size_t reference = 0;  ///< among the runs: trained softmax, else what was trained, else the first
    std::string dataName() const;
    const RunPair* pairOf(std::size_t a, std::size_t b) const;  ///< in either order
    const StoredEvaluation& first() const { return *evaluations.front(); }
};

std::vector<Group> groupsOf(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations,
                            const ReportOptions& options);

/// p of a pair in either order; "0.031", "<0.001".
std::string pText(double p);
std::string percent(double fraction, int digits = 2);
std::string intervalText(const Interval& interval);
/// "softmax", or the reason why there is no more to say of it.
std::string stateText(const StoredEvaluation& evaluation);

std::vector<ReportFigure> costFigures(const Group& group, const std::string& prefix);
std::optional<ReportFigure> classFigure(const Group& group, const ResultStore& store, const std::string& prefix);
std::vector<ReportFigure> confusionFigures(const Group& group, const ResultStore& store,
                                           const std::string& prefix);
/// The store's trainings with their curves; nothing where there are none.
void addTrainings(Report& report, const ResultStore& store);
/// What to conclude, in sentences.
std::vector<Paragraph> verdict(const Group& group);

}  // namespace attnscope

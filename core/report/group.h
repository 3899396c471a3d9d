#pragma once

#include "core/measure/proportions.h"
#include "core/report/report.h"
#include "core/report/result_tables.h"

#include <algorithm>
#include <map>

/// Internal to core/report: the runs on the same data, for comparison.
namespace attnscope {

struct GroupRun {
    const StoredEvaluation* evaluation = nullptr;
    StoredRun run;
    Accuracy accuracy;
    Calibration calibration;
    std::string name;  ///< as short as possible to distinguish it from the others
    std::string look;  ///< style of its marks: a key of `seriesStyle`
};

Measurements measurementsOf(const GroupRun& run);

struct Group {
    std::vector<const StoredEvaluation*> evaluations;
    std::vector<GroupRun> runs;
    std::vector<std::string> classes;
    std::vector<RunPair> pairs;
    size_t reference = 0;  ///< index of a run: trained softmax, else one that was trained, else the first
    std::string dataName() const;
    const RunPair* pairOf(size_t a, size_t b) const;  ///< in either order
    /// Of its evaluation, in `evaluations`.
    size_t placeOf(const GroupRun& run) const
    {
        return size_t(std::ranges::find(evaluations, run.evaluation) - evaluations.begin());
    }
    const StoredEvaluation& first() const { return *evaluations.front(); }
};

std::vector<Group> groupsOf(const ResultStore& store, const std::vector<StoredEvaluation>& evaluations,
                            const ReportOptions& options);

std::vector<ReportFigure> costFigures(const Group& group, const std::string& prefix);
/// Accuracy over predicted probability; nothing without predictions.
std::optional<ReportFigure> calibrationFigure(const Group& group, const std::string& prefix);
std::optional<ReportFigure> classFigure(const Group& group, const ResultStore& store, const std::string& prefix);
std::vector<ReportFigure> confusionFigures(const Group& group, const ResultStore& store,
                                           const std::string& prefix);
/// The store's trainings with their curves; nothing if there are none.
void addTrainings(Report& report, const ResultStore& store);
/// The conclusions, in sentences.
std::vector<Paragraph> verdict(const Group& group);

}

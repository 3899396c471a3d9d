#pragma once

#include "core/figure/table.h"
#include "core/run/measures.h"
#include "core/store/store_records.h"

#include <map>
#include <string>
#include <vector>

/// What stores know, as tables for terminal, report and window. Needs no store itself.
namespace attnscope {

/// The name of a class, or what stands for it.
Text className(int64_t label, const std::vector<std::string>& names);
/// A p value: "0.031", "<0.001".
std::string pText(double p);
/// Below this, a difference is significant.
inline constexpr double significance = 0.05;
Measurements measurementsOf(const StoredRun& run, const Accuracy& accuracy);

/// The figures of a run: weights, accuracy, costs, error.
std::vector<Column> runColumns();
/// A cell for each of them.
std::vector<Cell> runCells(const StoredRun& run, const Accuracy& accuracy);

/// Name and value of everything that its predictions depend on, and where it comes from; values may be empty.
std::vector<std::pair<Text, std::string>> settingsOf(const StoredEvaluation& evaluation);

/// A setting in which evaluations differ, from transform to date, and its value in each of them; one that none says may be empty.
struct DifferingSetting {
    Text name;
    std::vector<std::string> values;
};
std::vector<DifferingSetting> differingSettings(const std::vector<const StoredEvaluation*>& evaluations);

struct NamedRun {
    Cell name;
    Measurements measured;
};
/// Macro accuracy and calibration of runs; without rows if no run has predictions.
Table calibrationTable(const std::vector<NamedRun>& runs);

/// Pairs of runs on the samples that both predicted; the key is the number of the pair. `names`: of the runs by their ids.
Table pairTable(const std::vector<RunPair>& pairs, const std::map<int64_t, Cell>& names);

/// "lara 49 misclassifies 40 samples that softmax gets right, …".
Text pairSentence(const RunPair& pair, const Text& a, const Text& b);

struct RunClasses {
    Cell name;
    std::vector<ClassAccuracy> classes;
};
/// Accuracy by class under each run: the classes first that lose most from the first to the least accurate one, or of a single run the
/// least accurate. The key is the label.
Table classTable(const std::vector<RunClasses>& runs);

/// Which classes are taken for which others by the run with these `accuracies`; the key is "label,prediction". `names`: of the classes.
Table confusionTable(const std::vector<Confusion>& confusions, const std::vector<std::string>& names,
                     const std::vector<ClassAccuracy>& accuracies, const std::string& look = {});

struct ComparedRun {
    Text title;
    const StoredEvaluation* evaluation = nullptr;
    const StoredRun* run = nullptr;
    Accuracy accuracy;
};
enum class Compared { Everything, DifferencesOnly };
/// Figures and settings of runs side by side; with DifferencesOnly without the settings in which all are alike. The key is the name.
Table comparisonTable(const std::vector<ComparedRun>& runs, Compared compared);

}

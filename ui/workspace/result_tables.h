#pragma once

#include "ui/widgets/cell_table.h"
#include "ui/workspace/result_row.h"

#include <vector>

/// What a store knows of a run, as tables of finished texts.
namespace attnscope::ui {

/// Accuracy of each class under a run, next to that of the reference where there is one. Rows have the label as key; the classes that lose
/// most come first, without a reference the worst ones.
TableContents classTable(const QString& attention, const std::vector<ClassAccuracy>& run, const QString& reference,
                         const std::vector<ClassAccuracy>& ofReference);

/// Which classes are taken for which others. Keys are QPoint(label, prediction).
TableContents confusionTable(const QString& attention, const std::vector<Confusion>& confusions,
                             const std::vector<std::string>& classes, const std::vector<ClassAccuracy>& run);

/// Pairs of runs on the samples that both predicted; the key is the number of the pair.
struct TitledPair {
    QString a, b;  ///< titles: "softmax", "lara 49"
    RunPair pair;
    QString lookA = {}, lookB = {};
};
TableContents pairTable(const std::vector<TitledPair>& pairs);
/// "lara 49 gets 12 right that softmax gets wrong, and 40 wrong that softmax gets right: p < 0.001."
QString pairSentence(const TitledPair& pair);

/// Settings and figures of runs side by side; with `differencesOnly` without the rows in which all are alike.
enum class Compared { Everything, DifferencesOnly };
TableContents comparisonTable(const std::vector<ResultRow>& rows, Compared compared);

}

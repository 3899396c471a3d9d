// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/report/document.h"
#include "core/store/result_store.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

struct ReportOptions {
    std::vector<std::int64_t> evaluations;  ///< empty: all that are not in the bin
    std::string model;                      ///< only those whose model's name contains it
    std::string attention;                  ///< only runs whose specification begins with it
    bool finishedOnly = false;
};

/// Which evaluations the options choose, by data set and age. Throws UsageError when none is left, or one that is asked for is not there.
std::vector<StoredEvaluation> chosenEvaluations(const ResultStore& store, const ReportOptions& options);

/// What the store holds, summed up: for each data set the verdict, accuracies with their intervals, costs, figures with Pareto fronts
/// and published accuracies, pairs with McNemar's test, classes, confusions, unreadable samples, settings, versions, checksums, commands.
Report makeReport(const ResultStore& store, const ReportOptions& options);

/// One file that needs no other, runs nothing and fetches nothing (its policy forbids both).
std::string reportHtml(const Report& report);

/// Markdown, and the figures that it shows, as (file name, SVG): they lie in `folder`, named relative to the text.
std::pair<std::string, std::vector<std::pair<std::string, std::string>>> reportMarkdown(const Report& report,
                                                                                        const std::string& folder);

/// One line a run with raw numbers, for spreadsheets and plots.
std::string reportCsv(const ResultStore& store, const ReportOptions& options);

}  // namespace attnscope

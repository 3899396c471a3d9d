#pragma once

#include "core/figure/marks.h"
#include "core/report/document.h"
#include "core/store/result_store.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace attnscope {

struct ReportOptions {
    std::vector<int64_t> evaluations;  ///< empty: all that are not in the trash
    std::string model;                 ///< only those whose model's name contains it
    std::string attention;             ///< only runs whose specification starts with it
    bool finishedOnly = false;
};

/// The evaluations that the options select, by data set and age. Throws UsageError if there are none, or a requested one does not exist.
std::vector<StoredEvaluation> chosenEvaluations(const ResultStore& store, const ReportOptions& options);

/// "finished", "finished, part 1 of 2" or "interrupted, 32 of 100 samples".
std::string stateText(const StoredEvaluation& evaluation);

/// "started 2026-11-28T20:59:03.120Z · batch 32 · dtype float32 · …": what tells evaluations of one network apart.
std::string settingsText(const StoredEvaluation& evaluation);

/// A summary of the store: for each data set the verdict, accuracies with their intervals, costs, figures with Pareto fronts and published
/// accuracies, pairs with McNemar's test, classes, confusions, unreadable samples, settings, versions, checksums, commands.
Report makeReport(const ResultStore& store, const ReportOptions& options);

/// One file that needs no other, runs nothing and fetches nothing (its policy forbids both). `styles` says how backends are drawn.
std::string reportHtml(const Report& report, SeriesStyles styles = plainStyle);

/// Markdown, and its figures as (file name, SVG): they are in `folder`, named relative to the text.
std::pair<std::string, std::vector<std::pair<std::string, std::string>>> reportMarkdown(
    const Report& report, const std::string& folder, SeriesStyles styles = plainStyle);

/// The tables alone, for a paper; headings and sentences are comments.
std::string reportLatex(const Report& report);

/// One line per run with raw numbers, for spreadsheets and plots.
std::string reportCsv(const ResultStore& store, const ReportOptions& options);
/// The same form, with a line for each class of each run.
std::string classesCsv(const ResultStore& store, const ReportOptions& options);
/// And with a line for each pair of true and predicted class that occurs, right ones too.
std::string confusionsCsv(const ResultStore& store, const ReportOptions& options);

/// Whichever of the four the name of `out` says: .csv, .tex, .md with its figures in a folder next to it, or else HTML. Throws FileError.
void writeReport(const ResultStore& store, const ReportOptions& options, const std::filesystem::path& out,
                 SeriesStyles styles = plainStyle);

}

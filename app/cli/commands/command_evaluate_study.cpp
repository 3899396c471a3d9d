#include "app/cli/commands/command_evaluate.h"

#include "app/cli/input/study_file.h"
#include "app/cli/output/console.h"
#include "app/cli/output/evaluate_output.h"
#include "core/attention/backend_info.h"
#include "core/base/error.h"
#include "core/base/text.h"
#include "core/distributed/launch.h"
#include "core/report/report.h"
#include "models/evaluate_options.h"

namespace attnscope::cli {

namespace {

/// One evaluation of a study, with what was given on the command line behind its own.
EvaluateOptions optionsOf(const EvaluateOptions& given, std::vector<std::string> words)
{
    std::vector<GivenOption> others = givenOptions(given);
    std::erase_if(others,
                  [](const GivenOption& option) { return option.name == "--from" || option.name == "--json"; });
    const std::vector<std::string> more = optionWords(others);
    words.insert(words.end(), more.begin(), more.end());
    try {
        return evaluateOptionsOf(std::move(words));
    } catch (const CLI::ParseError& error) {
        throw FileError(given.from, error.what(), "its keys are options of `evaluate` without dashes");
    }
}

/// What all have done so far.
struct StudyResults {
    std::vector<std::vector<int64_t>>
        evaluations;  ///< numbers in the store, of each data set those of its networks
    Json failures = Json::array();
    ExitCode code = ExitCode::Done;
};

void print(const StudyResults& results, const std::filesystem::path& store, const std::string& report,
           const JsonTarget& target, bool isInterrupted)
{
    const ResultStore stored(store, ResultStore::Mode::Read);
    const ScoreReader reader(stored);
    std::string text;
    Json json{{"evaluations", Json::array()}};
    ReportOptions reported;
    for (const std::vector<int64_t>& numbers : results.evaluations) {
        std::vector<StoredEvaluation> networks;
        for (const int64_t number : numbers) {
            networks.push_back(stored.evaluation(number));
            json["evaluations"].push_back(evaluationJson(reader, networks.back()));
            reported.evaluations.push_back(number);
        }
        if (!networks.empty())
            text += (text.empty() ? "" : "\n") + evaluationTables(reader, networks);
    }
    if (!report.empty() && !reported.evaluations.empty()) {
        writeReport(stored, reported, report, seriesStyle);
        text += "\nreport: " + printable(report) + "\n";
    }
    if (!results.failures.empty())
        json["failures"] = results.failures;
    if (isInterrupted)
        json["interrupted"] = true;
    target.print(text, json);
}

}

ExitCode evaluateStudy(const EvaluateOptions& given, std::stop_token stop)
{
    const JsonTarget target(given.output.json);
    const StudyFile study = readStudy(given.from);
    std::vector<EvaluateOptions> all;
    for (const std::vector<std::string>& words : study.evaluations)
        all.push_back(optionsOf(given, words));
    const std::filesystem::path store = storeOf(all.front());
    for (const EvaluateOptions& options : all)
        if (storeOf(options) != store)
            throw FileError(given.from, "its data sets have several stores", "name one above them");
    StudyResults results;
    try {
        for (EvaluateOptions& options : all) {
            try {
                const ExitCode code = evaluateWithoutTables(options, results.evaluations.emplace_back(), stop);
                if (results.code != ExitCode::Failed && code != ExitCode::Done)
                    results.code = code;
            } catch (const Error& error) {
                results.code = ExitCode::Failed;
                results.failures.push_back({{"data", jsonPath(options.folder)}, {"failure", error.what()}});
                if (launch().isFirst())
                    writeMessage(error.what() + std::string(" The other evaluations continue."));
            }
        }
    } catch (const Cancelled&) {
        if (launch().isFirst() && !results.evaluations.empty())
            print(results, store, {}, target, true);
        if (launch().isFirst())
            writeMessage("the study continues with --from " + printable(given.from) + " --resume");
        throw;
    }
    if (!given.dryRun && launch().isFirst() && std::filesystem::exists(store))
        print(results, store, study.report, target, false);
    return results.code;
}

}

#include "core/report/gate.h"

#include "core/base/error.h"
#include "core/checkpoint/json_file.h"
#include "core/measure/proportions.h"
#include "core/measure/statistics.h"
#include "core/store/result_store.h"
#include "core/store/store_json.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace attnscope {

namespace {

namespace fs = std::filesystem;

/// Right or wrong, by position in the data set.
struct RunSamples {
    StoredEvaluation evaluation;
    std::map<int64_t, bool> right;
};

using RunsByName = std::map<std::string, RunSamples>;
using LatenciesByName = std::map<std::string, std::vector<double>>;  // one for each record

bool isStore(const fs::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::string head(15, '\0');
    stream.read(head.data(), static_cast<std::streamsize>(head.size()));
    return head == "SQLite format 3";
}

std::map<int64_t, bool> samplesOf(const ResultStore& store, int64_t run)
{
    constexpr int64_t page = 10'000;
    std::map<int64_t, bool> right;
    SampleQuery query;
    query.run = run, query.predictions = PredictionsShown::All, query.count = page;
    for (;; query.offset += page) {
        const auto samples = store.samples(query);
        for (const StoredSample& sample : samples)
            if (!sample.predictions.empty() && sample.predictions.front())
                right[sample.sample] = sample.predictions.front()->labelRank == 0;
        if (std::ssize(samples) < page)
            return right;
    }
}

/// The latest finished evaluation counts, or the one with this number.
RunsByName runsOf(const fs::path& file, const std::optional<int64_t>& number)
{
    const ResultStore store(file, ResultStore::Mode::Read);
    RunsByName runs;
    std::map<std::string, std::string> started;
    for (const StoredEvaluation& evaluation :
         number ? std::vector{store.evaluation(*number)} : store.evaluations()) {
        if (evaluation.state != EvaluationState::Finished)
            continue;
        for (const StoredRun& run : evaluation.runs) {
            const std::string name = evaluation.settings.model + " " + run.resolved;
            if (!run.failure.empty() || (started.contains(name) && started[name] > evaluation.started))
                continue;
            started[name] = evaluation.started;
            runs[name] = {evaluation, samplesOf(store, run.id)};
        }
    }
    return runs;
}

Json readRecord(const fs::path& file)
{
    Json record = readJson(file, maxRecordBytes);
    if (record.is_discarded() || !record.is_object() || !record.contains("model") || !record.contains("inputs"))
        throw FileError(file.string(), "it is neither a results store nor a record with latencies",
                        "give a file of `compare --json` or `evaluate --store`");
    return record;
}

std::vector<fs::path> recordsIn(const fs::path& given)
{
    if (!fs::is_directory(given))
        return {given};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(given))
        if (entry.path().extension() == ".json")
            files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

void addLatencies(const Json& record, LatenciesByName& all)
{
    std::map<std::string, std::vector<double>> medians;
    for (const Json& input : record.at("inputs"))
        for (const Json& run : input.value("runs", Json::array()))
            if (run.contains("latency_ms") && run["latency_ms"].contains("median"))
                medians[record.at("model").value("name", "") + " " + run.value("attention", "")].push_back(
                    run["latency_ms"]["median"].get<double>());
    for (const auto& [name, values] : medians)
        all[name].push_back(meanAndStddev(values).mean);
}

LatenciesByName latenciesOf(const fs::path& given)
{
    LatenciesByName all;
    for (const fs::path& file : recordsIn(given)) {
        try {
            addLatencies(readRecord(file), all);
        } catch (const Json::exception&) {
            throw FileError(file.string(), "its latencies are not as `compare --json` writes them");
        }
    }
    return all;
}

GateCheck compared(const std::string& name, const RunSamples& base, const RunSamples& changed)
{
    if (base.evaluation.dataHash != changed.evaluation.dataHash)
        throw UsageError(name, "the two were evaluated on different samples",
                         "evaluate both on the same folder with the same --limit, or choose others of their "
                         "evaluations with --evaluation");
    GateCheck check{.kind = GateCheck::Kind::Accuracy, .name = name, .note = {}};
    int64_t samples = 0, rightBefore = 0, rightAfter = 0;
    for (const auto& [sample, before] : base.right) {
        const auto after = changed.right.find(sample);
        if (after == changed.right.end())
            continue;
        ++samples;
        rightBefore += before ? 1 : 0, rightAfter += after->second ? 1 : 0;
        check.worse += before && !after->second ? 1 : 0;
        check.better += !before && after->second ? 1 : 0;
    }
    if (samples > 0) {
        check.base = double(rightBefore) / double(samples);
        check.changed = double(rightAfter) / double(samples);
    }
    check.p = check.worse > check.better ? mcnemarExact(check.worse, check.better) : 1;
    return check;
}

GateCheck compared(const std::string& name, const std::vector<double>& base, const std::vector<double>& changed,
                   const GateRequest& request)
{
    GateCheck check{.kind = GateCheck::Kind::Latency,
                    .name = name,
                    .base = quantile(base, 0.5),
                    .changed = quantile(changed, 0.5),
                    .note = {}};
    const size_t repetitions = std::min(base.size(), changed.size());
    for (size_t i = 0; i < repetitions; ++i)
        (changed[i] > base[i] * (1 + request.tolerance) ? check.worse : check.better) += 1;
    check.p = signTest(check.worse, int64_t(repetitions));
    return check;
}

/// Calls `take(name, base, changed)` for what both have.
template <typename Map, typename Take>
void forEachPair(const Map& base, const Map& changed, GateReport& report, const Take& take)
{
    for (const auto& [name, value] : base) {
        if (const auto other = changed.find(name); other != changed.end())
            take(name, value, other->second);
        else
            report.unmatched.push_back(name);
    }
    for (const auto& [name, value] : changed)
        if (!base.contains(name))
            report.unmatched.push_back(name);
}

std::string xmlText(const std::string& text)
{
    std::string safe;
    for (const char c : text) {
        switch (c) {
        case '&':
            safe += "&amp;";
            break;
        case '<':
            safe += "&lt;";
            break;
        case '>':
            safe += "&gt;";
            break;
        case '"':
            safe += "&quot;";
            break;
        default:
            safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
        }
    }
    return safe;
}

const char* nameOf(GateCheck::Kind kind)
{
    return kind == GateCheck::Kind::Accuracy ? "accuracy" : "latency";
}

/// "top-1 0.81 → 0.79, p 0.0003 below 0.005"
std::string sentence(const GateCheck& check)
{
    std::ostringstream text;
    text << (check.kind == GateCheck::Kind::Accuracy ? "top-1 " : "milliseconds ") << check.base << " → "
         << check.changed << ", " << check.worse << " worse, " << check.better << " not, p " << check.p
         << (check.failed ? " below " : ", threshold ") << check.threshold;
    return text.str();
}

}

bool GateReport::failed() const
{
    return std::ranges::any_of(checks, &GateCheck::failed);
}

double signTest(int64_t successes, int64_t trials)
{
    double sum = 0;
    for (int64_t k = std::max<int64_t>(successes, 0); k <= trials; ++k)
        sum += std::exp(std::lgamma(double(trials) + 1) - std::lgamma(double(k) + 1)
                        - std::lgamma(double(trials - k) + 1) - double(trials) * std::log(2.0));
    return trials == 0 ? 1 : std::min(sum, 1.0);
}

void decide(std::vector<GateCheck>& checks, double falseAlarms)
{
    std::vector<double> p;
    std::ranges::transform(checks, std::back_inserter(p), &GateCheck::p);
    const std::vector<HolmTest> tests = holm(p);
    for (size_t i = 0; i < checks.size(); ++i) {
        GateCheck& check = checks[i];
        check.threshold = falseAlarms / double(tests[i].factor);
        check.failed = tests[i].adjusted <= falseAlarms;
        const int64_t repetitions = check.worse + check.better;
        if (check.kind == GateCheck::Kind::Latency
            && signTest(repetitions, repetitions) > falseAlarms / double(checks.size()))
            check.note = "too few repetitions: with " + std::to_string(repetitions) + " it cannot fail";
    }
}

GateReport gate(const GateRequest& request)
{
    for (const fs::path& file : {request.base, request.changed})
        if (!fs::exists(file))
            throw FileError(file.string(), "there is no such file or folder");
    GateReport report{.checks = {},
                      .falseAlarms = request.falseAlarms,
                      .tolerance = request.tolerance,
                      .unmatched = {},
                      .differences = {}};
    const bool stores = isStore(request.base);
    if (stores != isStore(request.changed))
        throw UsageError("", "one is a results store and the other is not",
                         "give two stores, or records of `compare --json` for both");
    if (request.evaluations.size() > (stores ? 2 : 0))
        throw UsageError("--evaluation", "stores have evaluations, and at most two are compared",
                         "give one for both, or first that of the base");
    if (stores) {
        const std::vector<int64_t>& numbers = request.evaluations;
        const auto number = [&](size_t i) {
            return numbers.empty() ? std::nullopt : std::optional(numbers[std::min(i, numbers.size() - 1)]);
        };
        forEachPair(
            runsOf(request.base, number(0)), runsOf(request.changed, number(1)), report,
            [&](const std::string& name, const RunSamples& a, const RunSamples& b) {
                report.checks.push_back(compared(name, a, b));
                if (const std::string found = identityDifferences(a.evaluation.settings, b.evaluation.settings);
                    !found.empty())
                    report.differences.push_back(name + ": evaluations " + std::to_string(a.evaluation.id)
                                                 + " and " + std::to_string(b.evaluation.id)
                                                 + " differ in: " + found);
            });
    } else {
        forEachPair(latenciesOf(request.base), latenciesOf(request.changed), report,
                    [&](const std::string& name, const std::vector<double>& a, const std::vector<double>& b) {
                        report.checks.push_back(compared(name, a, b, request));
                    });
    }
    if (report.checks.empty())
        throw UsageError("", "the two have no model with the same attention in common",
                         "measure the same attentions before and after the change");
    decide(report.checks, request.falseAlarms);
    return report;
}

Json toJson(const GateReport& report)
{
    Json checks = Json::array();
    for (const GateCheck& check : report.checks)
        checks.push_back({{"kind", nameOf(check.kind)},
                          {"name", check.name},
                          {"base", check.base},
                          {"changed", check.changed},
                          {"worse", check.worse},
                          {"better", check.better},
                          {"p", check.p},
                          {"threshold", check.threshold},
                          {"failed", check.failed},
                          {"note", check.note}});
    return {{"failed", report.failed()},     {"false_alarms", report.falseAlarms},
            {"tolerance", report.tolerance}, {"checks", checks},
            {"unmatched", report.unmatched}, {"differences", report.differences}};
}

Json benchmarkJson(const GateReport& report)
{
    Json list = Json::array();
    for (const GateCheck& check : report.checks) {
        const bool latency = check.kind == GateCheck::Kind::Latency;
        list.push_back({{"name", check.name + (latency ? " latency" : " top-1 error")},
                        {"unit", latency ? "ms" : "%"},
                        {"value", latency ? check.changed : 100 * (1 - check.changed)},
                        {"extra", sentence(check)}});
    }
    return list;
}

std::string junitXml(const GateReport& report)
{
    const auto failures = std::ranges::count_if(report.checks, &GateCheck::failed);
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"attnscope gate\" tests=\""
                      + std::to_string(report.checks.size()) + "\" failures=\"" + std::to_string(failures)
                      + "\">\n";
    for (const GateCheck& check : report.checks) {
        xml += "  <testcase classname=\"" + std::string(nameOf(check.kind)) + "\" name=\"" + xmlText(check.name)
               + "\">";
        if (check.failed)
            xml += "<failure message=\"" + xmlText(sentence(check)) + "\"/>";
        else
            xml += "<system-out>" + xmlText(sentence(check)) + "</system-out>";
        xml += "</testcase>\n";
    }
    return xml + "</testsuite>\n";
}

}

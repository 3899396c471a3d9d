#pragma once

#include "core/base/json.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// Whether a change has made a network worse: a test for continuous integration. Independent of torch.
namespace attnscope {

struct GateRequest {
    /// Results stores, JSON records of `compare`, or folders of such records.
    std::filesystem::path base, changed;
    /// Of stores: one in both, or in the base and in the other; empty: the latest finished.
    std::vector<int64_t> evaluations;
    /// Largest probability that one or more of all checks fail although nothing became worse.
    double falseAlarms = 0.01;
    double tolerance = 0.05;  ///< a latency may grow by this fraction
};

/// Two-sided for accuracy, one-sided for latency. A check fails if its p is below what Holm's procedure leaves it of `falseAlarms`.
struct GateCheck {
    enum class Kind { Accuracy, Latency };
    Kind kind = Kind::Accuracy;
    std::string name;               ///< model and attention
    double base = 0, changed = 0;   ///< top-1, or the median of the latencies in milliseconds
    int64_t worse = 0, better = 0;  ///< samples, or repetitions beyond and within the tolerance
    double p = 1;                   ///< McNemar's exact test of the samples, or a sign test of the repetitions
    double threshold = 0;           ///< that p is compared with
    bool failed = false;
    std::string note;  ///< why it can't fail, if it can't
};

struct GateReport {
    std::vector<GateCheck> checks;
    double falseAlarms = 0, tolerance = 0;
    std::vector<std::string> unmatched;    ///< in one of the two alone
    std::vector<std::string> differences;  ///< in settings, of compared evaluations

    bool failed() const;
};

/// Compares every model and attention that both have. Stores: the same samples, by McNemar's test. Records: the i-th of the base with the
/// i-th of the change; they are to be measured alternately, so that a slow moment of the machine does not count for one of them alone.
/// A record's latency is the mean over its inputs of the medians.
/// Throws FileError if one can't be read, UsageError if they are of different kinds or have nothing in common.
GateReport gate(const GateRequest& request);

/// The probability of `successes` or more of `trials` fair coins: 1 for no trials.
double signTest(int64_t successes, int64_t trials);

/// Sets thresholds and failures: Holm's step-down procedure, by which all checks together keep to `falseAlarms`.
void decide(std::vector<GateCheck>& checks, double falseAlarms);

Json toJson(const GateReport& report);
/// What actions that keep benchmarks read: a list of {name, unit, value, extra}, smaller is better.
Json benchmarkJson(const GateReport& report);
/// One test case for each check.
std::string junitXml(const GateReport& report);

}

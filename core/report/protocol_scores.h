#pragma once

#include "core/base/json.h"
#include "core/figure/table.h"
#include "core/measure/proportions.h"
#include "core/store/result_store.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

/// Figures of an evaluation that its protocol defines, besides accuracy.
namespace attnscope {

/// A corruption of ImageNet-C under one run.
struct CorruptionErrors {
    static constexpr size_t severities = 5;
    std::string name;
    std::array<std::optional<double>, severities> top1;  ///< error of each severity, from 0 to 1; empty: no sample
    /// Σ top1 / Σ AlexNet's, in percent (Hendrycks and Dietterich, ICLR 2019, section 4.2); empty unless all severities are there.
    std::optional<double> relative;
};

struct ProtocolScores {
    std::vector<CorruptionErrors> corruptions;  ///< of imagenet-c: those that have samples
    std::optional<double> meanCorruptionError;  ///< mCE in percent; empty unless every corruption has its error
    /// Of imagenet-o: the area under precision and recall (average precision) of outliers, told by their largest softmax; from 0 to 1.
    std::optional<double> outlierPrecision;
    /// Of epic100: how often the first action has the true verb, the true noun, and both. The first action is the first verb with the first noun.
    std::optional<std::array<Proportion, 3>> actions;
};

/// Empty for evaluations without a protocol, or with one that defines none.
std::optional<ProtocolScores> protocolScores(const ResultStore& store, const StoredEvaluation& evaluation,
                                             const StoredRun& run);

Json toJson(const ProtocolScores& scores);

/// A column for each run, a row for each corruption and the mean, or for the area; `names` are the runs'. Empty if no run has figures.
Table protocolTable(const std::vector<ProtocolScores>& runs, const std::vector<Cell>& names);

}

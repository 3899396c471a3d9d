#pragma once

#include "core/run/features/feature_kind.h"
#include "core/run/run_record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What features are worth as classes: nearest neighbours and a linear probe (docs/features.md). Independent of torch.
namespace attnscope {

/// What turns features into a class.
struct FeatureReadout {
    int64_t k = 0;  ///< nearest training images that vote; 0: the linear probe
    friend bool operator==(const FeatureReadout&, const FeatureReadout&) = default;
};

/// "20 nearest neighbours", "linear probe".
std::string toText(const FeatureReadout& readout);

struct FeatureReadoutRequest {
    FeatureKind kind = FeatureKind::Pooled;
    bool neighbours = true, probe = true;
    std::vector<int64_t> k;  ///< empty: defaultVoters
};

/// 10, 20, 100 and 200, as many as the training samples allow, else all of these.
std::vector<int64_t> defaultVoters(int64_t samples);

/// How well a value of C did on features that were held out.
struct ProbeTrial {
    double c = 0;
    int64_t correct = 0, samples = 0;
};

struct ProbeTraining {
    double c = 1;
    int64_t iterations = 0;
    bool converged = false;
    std::vector<ProbeTrial> trials;  ///< empty: no class has five samples, and C is 1
};

/// An evaluation in the store.
struct FeatureEvaluation {
    FeatureReadout readout;
    int64_t evaluation = 0;
};

struct FeatureReport {
    FeatureKind kind = FeatureKind::Pooled;
    int64_t width = 0;
    std::string exact, exactMeaning;  ///< the attention of the training features
    std::string trainingFolder;
    int64_t trainingSamples = 0, classes = 0;
    std::vector<UnreadableInput> trainingUnreadable;
    std::optional<ProbeTraining> probe;
    std::vector<FeatureEvaluation> evaluations;  ///< neighbours by k, then the probe
    std::vector<std::string> notes;

    /// Whose accuracy stands for the features: the probe, else the neighbours nearest to the usual 20.
    const FeatureEvaluation& headline() const;
};

}

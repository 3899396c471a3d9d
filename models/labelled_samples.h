#pragma once

#include "core/lab/exits/exits.h"
#include "models/labelled_request.h"
#include "models/open_model.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// How window and command line get from a labelled folder to the batches that the laboratory reads. Independent of torch.
namespace attnscope {

struct FeatureNetwork;   // core/lab/neighbours/neighbours.h
struct LabelledSamples;  // core/lab/sample_batches.h

/// The samples of a labelled folder, read ahead by threads as for an evaluation; of a video the clip and crop in its middle.
class LabelledReader {
public:
    /// Throws FileError, UsageError, Unsupported like scanEvaluation, matchClasses and an evaluation.
    LabelledReader(const LabelledRequest& request, const Classifier& classifier, std::stop_token stop);
    ~LabelledReader();

    LabelledSamples samples();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// The early exits of a labelled folder. Throws what a LabelledReader throws and what core/lab/exits/exits.h says.
ExitReport measureExits(const Classifier& classifier, const LabelledRequest& samples, const ExitRequest& request,
                        const ProgressCallback& progress, const std::stop_token& stop);

/// The model with the identity that datastores of its features carry. Reads its checkpoint for its hash. Throws FileError.
FeatureNetwork featureNetwork(const Classifier& classifier, const ModelRequest& model,
                              const AttentionSpec& attention, uint64_t seed);

}

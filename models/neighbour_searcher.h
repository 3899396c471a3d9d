#pragma once

#include "core/attention/attention_spec.h"
#include "core/base/progress.h"
#include "core/data/dataset/labelled_folder.h"
#include "core/lab/neighbours/neighbour_report.h"
#include "core/run/compare.h"
#include "models/labelled_request.h"
#include "models/open_model.h"

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

/// Nearest neighbours as window and command line ask for them: a datastore is built or opened, then searched. Independent of torch.
namespace attnscope {

struct NeighbourJob {
    std::string datastore;            ///< written with `build`, else read
    std::string build, evaluate;      ///< labelled folders or lists; empty: not
    LabelledRequest labelled;         ///< how they are read; without a folder
    std::vector<InputSource> images;  ///< whose neighbours are found
    NeighbourRequest request;
};

struct NeighbourCalls {
    ProgressCallback progress;
    /// The datastore is complete, whatever becomes of the rest.
    std::function<void(const BuiltDatastore&)> built = {};
    std::function<void(const LabelledSet&)> evaluating = {};  ///< the samples that are about to be classified
    std::stop_token stop;
};

/// A network that makes features, and the datastore that it has searched last.
class NeighbourSearcher {
public:
    /// Reads the checkpoint for its hash. Throws FileError.
    NeighbourSearcher(std::shared_ptr<const Classifier> classifier, const ModelRequest& model,
                      const AttentionSpec& attention, uint64_t seed);
    ~NeighbourSearcher();
    NeighbourSearcher(const NeighbourSearcher&) = delete;
    NeighbourSearcher& operator=(const NeighbourSearcher&) = delete;

    /// A stop returns what is finished. Throws what `buildDatastore` and `NeighbourClassifier` throw.
    NeighbourReport run(const NeighbourJob& job, const NeighbourCalls& calls);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

}

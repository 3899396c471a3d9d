#pragma once

#include "core/attention/attention_spec.h"
#include "core/live/live_prediction.h"
#include "core/run/compare.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

/// Independent of torch.
namespace attnscope {

struct LiveQuestion {
    std::vector<AttentionSpec> attention;
    size_t reference = 0;  ///< the one with which the others are compared
    uint64_t seed = 0;
    int64_t topK = 3;
};

/// Runs every backend on the same clip; used by one thread.
class LivePredictor {
public:
    virtual ~LivePredictor() = default;
    /// Throws Cancelled when stopped. Any other error is the `failure` of its backend; the others continue.
    virtual LivePrediction predict(const LiveClip& clip, const ClipRequest& request, std::stop_token stop) = 0;
};

/// Each backend in its own network. One whose network is not there, or takes other clips than the first, has a `failure`. Throws UsageError if
/// no attention is named.
std::unique_ptr<LivePredictor> livePredictor(std::vector<ComparedNetwork> networks, const LiveQuestion& question);
/// The same in one network.
std::unique_ptr<LivePredictor> livePredictor(std::shared_ptr<const Classifier> classifier,
                                             const LiveQuestion& question);

/// The frames that this model needs, with clips due according to ClipWish::every. `prepare` is empty if it takes neither images nor clips.
LiveWindow::Recipe liveRecipe(const ModelSummary& model, const Transform& transform, int64_t every);

}

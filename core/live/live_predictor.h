// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attention/attention_spec.h"
#include "core/live/live_prediction.h"

#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

/// Free of torch.
namespace attnscope {

class Classifier;

struct LiveQuestion {
    std::vector<AttentionSpec> attention;
    std::size_t reference = 0;  ///< which of them the others are compared with
    std::uint64_t seed = 0;
    std::int64_t topK = 3;
};

/// Asks every backend about the same clip; used by one thread.
class LivePredictor {
public:
    virtual ~LivePredictor() = default;
    /// Throws Cancelled when stopped. Whatever else goes wrong is the `failure` of its backend; the others go on.
    virtual LivePrediction predict(const LiveClip& clip, const ClipRequest& moment, std::stop_token stop) = 0;
};

/// Throws UsageError when no attention was named.
std::unique_ptr<LivePredictor> livePredictor(std::shared_ptr<const Classifier> classifier,
                                             const LiveQuestion& question);

/// Frames as this model wants them, a clip as often as ClipWish::every says. Empty `prepare` where it takes neither pictures nor clips.
LiveWindow::Recipe liveRecipe(const ModelSummary& model, const Transform& transform, std::int64_t every);

}  // namespace attnscope

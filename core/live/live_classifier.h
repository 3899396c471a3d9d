#pragma once

#include "core/live/live_predictor.h"
#include "core/run/classifier.h"

#include <optional>
#include <string>

namespace attnscope {

/// Predicts with a Classifier: for each clip every backend in turn, starting with another one each time, so that none always finds the
/// caches warmed by the same predecessor.
class LiveClassifier : public LivePredictor {
public:
    LiveClassifier(std::shared_ptr<const Classifier> classifier, const LiveQuestion& question);

    LivePrediction predict(const LiveClip& clip, const ClipRequest& request, std::stop_token stop) override;

private:
    struct Backend {
        AttentionSpec spec = AttentionSpec::native();
        std::optional<PreparedAttention> prepared;  // empty: for the reason in `failure`
        std::string failure;
    };

    std::vector<int64_t> firstOfHeads(const BackendPrediction& prediction) const;
    BackendPrediction predictWith(const Backend& backend, const at::Tensor& input, std::stop_token stop) const;
    void ask(const Backend& backend, const at::Tensor& input, std::stop_token stop,
             BackendPrediction& prediction) const;

    std::shared_ptr<const Classifier> m_classifier;
    LiveQuestion m_question;
    std::vector<Backend> m_backends;
    size_t m_turn = 0;
};

}

#pragma once

#include "core/live/live_predictor.h"
#include "core/run/classifier.h"

#include <optional>
#include <string>

namespace attnscope {

/// Predicts with Classifiers: for each clip every backend in turn, starting with another one each time, so that none always finds the
/// caches warmed by the same predecessor.
class LiveClassifier : public LivePredictor {
public:
    LiveClassifier(std::vector<ComparedNetwork> networks, const LiveQuestion& question);

    LivePrediction predict(const LiveClip& clip, const ClipRequest& request, std::stop_token stop) override;

private:
    struct Backend {
        AttentionSpec spec = AttentionSpec::native();
        const Classifier* network = nullptr;        // none: for the reason in `failure`
        std::optional<PreparedAttention> prepared;  // empty: for the reason in `failure`
        std::string failure;
    };

    void prepare(Backend& backend) const;
    std::vector<Prediction> firstOfHeads(size_t backend, const BackendPrediction& prediction) const;
    void compareWithReference(std::vector<BackendPrediction>& predictions) const;
    BackendPrediction predictWith(const Backend& backend, const at::Tensor& input, std::stop_token stop) const;
    void ask(const Backend& backend, const at::Tensor& input, std::stop_token stop,
             BackendPrediction& prediction) const;

    std::vector<ComparedNetwork> m_networks;
    LiveQuestion m_question;
    std::vector<Backend> m_backends;
    size_t m_turn = 0;
};

}

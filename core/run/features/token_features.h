#pragma once

#include "core/run/classifier.h"
#include "core/run/features/feature_kind.h"
#include "core/run/observers.h"

#include <ATen/ATen.h>

#include <stop_token>
#include <string>
#include <vector>

/// Features of any network, with or without a head.
namespace attnscope {

/// Features of a batch, in float32, or float64 if the weights are.
struct TokenFeatures {
    at::Tensor pooled;  ///< (B,C'): what the head reads, or without a head the output
    at::Tensor token;   ///< (B,C): the class token behind the final norm; undefined if there is none
    /// (B,P,C): behind the final norm, without prefix tokens; undefined if they are not known.
    at::Tensor patches;
    TokenLayout layout;  ///< of the tokens: where the patches are

    /// (B,·). Throws Unsupported if there is no such feature.
    at::Tensor of(FeatureKind kind) const;
};

/// Throws Unsupported if this network has no features of that kind.
void requireFeatures(const Classifier& classifier, FeatureKind kind);

/// A block observer that also keeps what features are taken of.
class FeatureObserver : public BlockObserver {
public:
    /// Stores or compares blocks like a BlockObserver. `tokens`: blocks of a pass with which every token is compared as well.
    FeatureObserver(std::stop_token stop, const std::vector<at::Tensor>* reference,
                    const std::vector<at::Tensor>* tokens = nullptr);
    /// Neither stores nor compares.
    explicit FeatureObserver(std::stop_token stop);
    void onActivation(const std::string& name, const at::Tensor& value) override;

    /// Of the pass of `classifier` that was observed: with this input and output.
    TokenFeatures features(const Classifier& classifier, const at::Tensor& input, const at::Tensor& output) const;
    /// For each compared block, of the batch's first element: the cosine of every token with that of the other pass.
    const std::vector<std::vector<double>>& tokenCosines() const { return m_cosines; }

private:
    const std::vector<at::Tensor>* m_tokens;
    at::Tensor m_block, m_normed;  // tokens behind the last block, and behind the norm after it
    std::vector<std::vector<double>> m_cosines;
};

/// Runs `classifier` on a batch. Throws Unsupported, Cancelled.
TokenFeatures readFeatures(const Classifier& classifier, const PreparedAttention& attention,
                           const at::Tensor& input, const std::stop_token& stop);

}

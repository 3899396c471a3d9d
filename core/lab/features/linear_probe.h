#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <stop_token>
#include <vector>

/// A linear classifier of fixed features. The protocol is ours: L2-regularised multinomial logistic regression, by L-BFGS.
namespace attnscope {

/// Features (N,C) with a label in 0 … classes − 1 for each row.
struct LabelledFeatures {
    at::Tensor features;  ///< float32 on the CPU
    std::vector<int64_t> labels;
    int64_t classes = 0;
};

struct LinearProbe {
    at::Tensor weight, bias;  ///< (K,C), (K) in float64, for features as they are
    double c = 1;             ///< inverse strength of the regularisation
    int64_t iterations = 0;
    bool converged = false;  ///< within `maxProbeIterations`

    /// features (Q,C) → scores (Q,K) in float64.
    at::Tensor scores(const at::Tensor& features) const;
    /// The class of the largest score of each row; of equal ones the lowest.
    std::vector<int64_t> predict(const at::Tensor& features) const;
};

constexpr int64_t maxProbeIterations = 1000;

/// Minimises Σ_i CE(softmax(W z_i + b), y_i)·C/(N C) + ‖W‖²/(2 N C), where z are the features with mean 0 and standard deviation 1 in every
/// channel (scikit-learn's LogisticRegression(C) on its StandardScaler, divided by N·C). The minimum is unique up to adding a number to
/// every bias. 4·N·C·K multiply-adds per iteration. Throws Cancelled.
LinearProbe fitLinearProbe(const LabelledFeatures& training, double c, const std::stop_token& stop);

/// Accuracy of a value of C on features that were held out of the training.
struct ProbeCandidate {
    double c = 0;
    int64_t correct = 0, samples = 0;
};

struct ChosenProbe {
    LinearProbe probe;
    std::vector<ProbeCandidate> candidates;  ///< empty if no class has enough samples to hold one out
};

/// Holds out every fifth sample of each class, keeps the C of {0.1, 1, 10} with the most correct predictions (of equal ones the smallest),
/// and fits it to all samples. C = 1 if no class has five samples.
ChosenProbe chooseLinearProbe(const LabelledFeatures& training, const std::stop_token& stop);

}

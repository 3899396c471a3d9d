#pragma once

#include "core/measure/proportions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

/// How good predicted probabilities are, independent of torch.
namespace attnscope {

/// What a network predicts for one sample.
struct PredictedProbabilities {
    double first = 0;                    ///< of the most probable class
    double ofLabel = 0;                  ///< of the true class
    std::optional<double> squares = {};  ///< Σp² of all classes, if it is known
};

struct CalibrationBin {
    Proportion accuracy;
    double confidences = 0;  ///< sum of the probabilities of the first classes
    double confidence() const { return accuracy.known() ? confidences / double(accuracy.samples) : 0; }
};

/// Sums over samples, and what follows from them. All but `macroTop1` are of the samples with a prediction.
class Calibration {
public:
    static constexpr size_t binCount = 15;

    /// A sample of the class `label`; no prediction: logits were not finite, which is wrong.
    void add(int64_t label, bool right, const std::optional<PredictedProbabilities>& prediction);

    bool known() const { return m_samples > 0; }
    int64_t samples() const { return m_samples; }
    /// Samples whose true class got the probability 0: `nll` takes the smallest positive float for it.
    int64_t zeroProbabilities() const { return m_zeros; }
    /// Bin i holds probabilities of the first class above i/15 up to (i + 1)/15; the first one holds 0 too.
    const std::array<CalibrationBin, binCount>& bins() const { return m_bins; }

    /// Negative log-likelihood in nats: the mean of −ln p of the true class.
    double nll() const;
    /// Expected calibration error: Σ n_i/n · |accuracy_i − confidence_i| over the bins (Guo et al., ICML 2017, equation 5).
    double ece() const;
    /// The mean over samples of Σ_c (p_c − [c is the true class])² = Σp² − 2 p_y + 1, between 0 and 2 (Brier 1950). Empty unless every
    /// prediction has its sum of squares.
    std::optional<double> brier() const;
    /// The mean over classes with samples of their top-1 accuracies.
    double macroTop1() const;

private:
    std::array<CalibrationBin, binCount> m_bins{};
    std::map<int64_t, Proportion> m_classes;
    int64_t m_samples = 0, m_zeros = 0, m_withSquares = 0;
    double m_logs = 0, m_squaredErrors = 0;
};

}

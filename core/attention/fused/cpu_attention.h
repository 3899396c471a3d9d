#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/noise.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <vector>

/// Attention by the kernels of core/kernels/cpu: one pass over keys and one over queries, storing nothing of size N×S or N×M. The output
/// does not depend on the number of threads.
namespace attnscope {

/// Whether a kernel knows AttentionInput::keyLogWeights.
enum class KeyWeights { Unknown, Taken };

/// Whether the kernels can take these tensors: float32 on the CPU, contiguous channels, no gradient required.
bool fitsCpuKernels(const at::Tensor& x);
bool fitsCpuKernels(const AttentionInput& in, KeyWeights weights = KeyWeights::Unknown);

/// Ranges of tokens on a grid of `rows` × `columns` (a line: 1 × N): cell c covers rows [firstRow, endRow), and columns likewise.
struct Cells {
    struct Range {
        int64_t begin = 0, end = 0;
    };
    int64_t columns = 0;  ///< of the grid
    std::vector<Range> down, across;
};
/// Means of the tokens of each cell, row-major: x (B,H,rows·columns,D) → (B,H,|down|·|across|,D).
at::Tensor cellMeansOnCpu(const at::Tensor& x, const Cells& cells);

/// Means of x and of x² over tokens, (B,H,1,D) each, in one pass over every x (B,H,N,D), which differ in N at most.
struct ChannelMoments {
    at::Tensor mean, meanSquare;
};
std::vector<ChannelMoments> channelMomentsOnCpu(const std::vector<at::Tensor>& xs);

/// Samples for scaled inputs.
struct CpuSamples {
    at::Tensor omega;           ///< (H,S,D) or (B,H,S,D)
    at::Tensor omegaOfQueries;  ///< what queries are multiplied by instead; undefined: the same
    at::Tensor logWeight;       ///< (B,H,S); undefined: 0
    at::Tensor squareWeights;   ///< (B,H,1,D), of each channel in ‖k‖²; undefined: 1
};
/// selfNormalised (random_feature_kernel.h) → (B,H,N,Dv), or (B,H,N,G,Dv).
at::Tensor positiveFeaturesOnCpu(const AttentionInput& in, const CpuSamples& samples);
/// selfNormalisedPart, without the term −½‖q̂‖² of the normalisers.
AttentionPart positiveFeaturesPartOnCpu(const AttentionInput& in, const CpuSamples& samples);

/// LARA with one sample per proposal and the balance heuristic, corrected if `beta` is given (equations 36 and 38); all inputs scaled.
struct CpuLara {
    at::Tensor mean;            ///< µ̂ (B,H,C,D)
    at::Tensor omega;           ///< samples (B,H,C,D), one from each proposal in turn
    at::Tensor queryLandmarks;  ///< q̂̃ (B,H,C,D); unused without `beta`
    std::optional<double> beta;
    double floor = 1e-8;  ///< of α; 0: α may be negative
    double stretch = 1;   ///< of queries, whose inverse keys get; the tensors above are of stretched tokens
};
at::Tensor laraOnCpu(const AttentionInput& in, const CpuLara& lara);
/// The same with normalisers, without their term −½‖q̂‖².
AttentionPart laraPartOnCpu(const AttentionInput& in, const CpuLara& lara);

/// sin and cos features: omega (H,S,D) for scaled inputs; key weights are e^{½‖k̂‖²}. Denominators below `floor`, relative to the largest
/// key weight, are raised to it.
at::Tensor fourierFeaturesOnCpu(const AttentionInput& in, const at::Tensor& omega, double floor);

/// Whether softmaxOnCpu can take the inputs as bfloat16: head dimensions must be multiples of 16.
bool fitsPairKernels(const AttentionInput& in);
/// Exact softmax attention of float32 or, if fitsPairKernels, bfloat16 (sums in float32), without an N×M matrix: (B,H,N,Dv).
at::Tensor softmaxOnCpu(const AttentionInput& in);
/// The same with normalisers, of float32.
AttentionPart softmaxPartOnCpu(const AttentionInput& in);

/// RA without hyperbolic features (equation 14): ω = q̂ + k̂_z + ε with z sampled from the softmax weights, or ω = q̂ + E[k̂] + ε.
struct CpuRandomized {
    enum class Mean { DrawnKey, ExpectedKey, PlainMeanKey };
    Mean mean = Mean::DrawnKey;
    int64_t samples = 1;
    std::optional<double> stddev;  ///< of ε; empty: none
};
/// Takes "u" (B,H,N,S) and "eps" (B,H,N,S,D) from `noise`, the latter a few queries at a time if possible.
at::Tensor randomizedOnCpu(const AttentionInput& in, const CpuRandomized& randomized, NoiseSource& noise);

}

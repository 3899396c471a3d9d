// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Attention on NVIDIA GPUs, free of torch. One sweep over tiles of keys does it all (the pattern of flash attention): what differs is
/// what a query and a key are, and how a logit becomes a weight (docs/decisions/0009-cuda-kernels.md).
///
/// All pointers are to device memory; calls return at once. Sums are float32 whatever the inputs are, and do not depend on the device:
/// where keys are cut into pieces depends on sizes alone.
namespace attnscope::kernels::cuda {

/// What q, k, v and answers are made of.
enum class ElementType { Float32, BFloat16 };

/// Keys are worked on 64 at a time.
constexpr int keyTile = 64;
/// Channels of a head at most.
constexpr int widestHead = 128;

/// A matrix for each sample, head and group of keys: row r begins at data + b·sample + h·head + g·group + r·row. Channels lie next to
/// each other; strides count numbers. A stride of 0 shares a matrix.
struct Matrices {
    const void* data = nullptr;
    std::int64_t sample = 0, head = 0, group = 0, row = 0;
};

/// Of what there is one problem each. Arrays "for each matrix" have samples · heads · groups parts, groups innermost.
struct Counts {
    std::int64_t samples = 1, heads = 1, groups = 1;

    std::int64_t matrices() const { return samples * heads * groups; }
};

/// How a logit becomes a weight. For a Fourier sweep (float32 only) rows or keys are 2S: the sines of S angles, then their cosines.
enum class Weights {
    Softmax,         ///< exp of the logit
    Landmarks,       ///< that times LARA's weight of the landmark for this query
    FourierKeys,     ///< rows are features: sin or cos of the logit, times exp of the key's bias
    FourierQueries,  ///< keys are features: sin or cos of the logit; the normaliser is of `keySums`
    Random           ///< as Softmax, of queries that are drawn: RandomQueries
};

/// α_c of query n = max(balance_c + β (r_nc − mean_c r_nc), floor), r_nc = exp(scale q_n·l_c − normaliser_c). Keys are the landmarks' samples.
struct LandmarkWeights {
    Matrices landmarks;
    const float* normaliser = nullptr;  ///< of each landmark, for each sample and head
    const float* balance = nullptr;     ///< likewise
    float beta = 1;
    float floor = 1e-8f;                ///< 0: weights may be negative
};

/// Counter-based numbers: those of core/base/random.h, so that a draw is the same on every device.
struct Stream {
    std::uint64_t key = 0;                    ///< foldedKey() of seed, layer and name
    std::uint64_t first = 0;                  ///< identity of sample b is first + b …
    const std::uint64_t* samples = nullptr;   ///< … unless they are listed
};

/// ω_ns = queryFactor q_n + meanFactor · mean + deviation ε_ns. The answers of all draws are averaged.
struct RandomQueries {
    int draws = 1;
    float queryFactor = 1, meanFactor = 1, stddev = 0;
    const std::int32_t* drawn = nullptr;  ///< mean is the key of that index: `draws` for each query of each sample and head; or
    const float* means = nullptr;         ///< a row of `width` numbers: one for each query, or, if sharedMean, for each sample and head
    bool sharedMean = false;
    const float* noise = nullptr;         ///< ε, rows of `width`: `draws` for each query; null: drawn from the streams
    Stream lengths, angles;               ///< uniform numbers of Box and Muller
};

/// Answers of all queries: rows of numbers of the inputs' type (float32 for statistics).
struct Output {
    void* data = nullptr;
    std::int64_t sample = 0, head = 0, group = 0, row = 0;
    bool float32 = false;  ///< whatever the inputs are
};

/// One sweep of queries over keys: answer_n = Σ_j weight(logit_nj) v_j / Σ_j weight(logit_nj), logit_nj = scale q_n·k_j + bias_j − normWeight ‖k_j‖².
struct FusedAttention {
    ElementType number = ElementType::Float32;
    Weights weights = Weights::Softmax;
    Counts counts;
    Matrices queries, keys, values;      ///< values without data: the normaliser alone
    std::int64_t queryCount = 0, keyCount = 0;
    int width = 0, valueDim = 0;       ///< at most widestHead
    float scale = 1, normWeight = 0;
    const float* bias = nullptr;         ///< for each matrix keyCount numbers; null: 0

    LandmarkWeights landmarks;
    RandomQueries random;
    int features = 0;                    ///< S of Fourier sweeps
    const float* keySums = nullptr;      ///< FourierQueries: for each matrix 2S numbers
    float minDenominator = 0;          ///< FourierQueries: its size is raised to this

    Output output;
    float* logSums = nullptr;            ///< log of the normaliser less `shift`, for each matrix and query (FourierKeys: the sum itself)
    const float* shift = nullptr;        ///< for each sample and head queryCount numbers; null: 0
    float* scratch = nullptr;            ///< scratchSize(sweep) numbers
};

/// Numbers that pieces of the keys take where queries are too few to fill a GPU; often 0.
std::int64_t scratchSize(const FusedAttention& fused);

/// First key m with u < π_1 + … + π_m, π the softmax weights of a query, for each of `draws` uniform numbers u: no matrix of weights.
struct DrawKeys {
    ElementType number = ElementType::Float32;
    Counts counts;                       ///< one group
    Matrices queries, keys;
    std::int64_t queryCount = 0, keyCount = 0;
    int width = 0;
    float scale = 1;
    int draws = 1;
    const float* uniform = nullptr;      ///< `draws` for each query of each sample and head; null: from the stream
    Stream stream;
    std::int32_t* drawn = nullptr;       ///< the same places
};

/// Of each Gaussian proposal at its own sample, log q_c(ω_c)/N(ω_c;0,I), and the balance heuristic: its share among all at ω_c.
struct Balance {
    const float* means = nullptr;        ///< µ̂: for each sample and head `count` rows of `width`
    const float* samples = nullptr;      ///< ω̂
    std::int64_t matrices = 0;
    int count = 0, width = 0;
    float* own = nullptr;                ///< for each sample and head `count` numbers
    float* fraction = nullptr;
};

/// The stream is a cudaStream_t. Return 0, or the cudaError_t of the launch; errorText() says what it means.
int run(const FusedAttention& fused, void* stream);
int run(const DrawKeys& draws, void* stream);
int run(const Balance& balance, void* stream);
const char* errorText(int error);

}  // namespace attnscope::kernels::cuda

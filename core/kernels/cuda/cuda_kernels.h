#pragma once

#include <cstdint>

/// Attention on NVIDIA GPUs, independent of torch. A single pass over tiles of keys, in the pattern of flash attention, serves all methods:
/// they differ in what a query and a key are, and in how a logit becomes a weight (docs/decisions/0009-cuda-kernels.md).
///
/// All pointers are to device memory; calls return immediately. Sums are float32 for all input types and do not depend on the device: how
/// keys are split into chunks depends on sizes only.
namespace attnscope::kernels::cuda {

/// Element type of q, k, v and the output.
enum class ElementType { Float32, BFloat16 };

/// Number of keys processed at a time.
constexpr int keyTile = 64;
/// Maximum head dimension.
constexpr int widestHead = 128;

/// One matrix for each sample, head and group of keys: row r begins at data + b·sample + h·head + g·group + r·row. Channels are contiguous;
/// strides count numbers. A stride of 0 shares a matrix.
struct Matrices {
    const void* data = nullptr;
    int64_t sample = 0, head = 0, group = 0, row = 0;
};

/// Numbers of independent problems. Arrays "for each matrix" have samples · heads · groups parts, groups innermost.
struct Counts {
    int64_t samples = 1, heads = 1, groups = 1;

    int64_t matrices() const { return samples * heads * groups; }
};

/// How a logit becomes a weight. With Fourier features (float32 only) there are 2S rows or keys: the sines of S angles, then their cosines.
enum class Weights {
    Softmax,         ///< exp of the logit
    Landmarks,       ///< exp of the logit times LARA's weight of the landmark for this query
    FourierKeys,     ///< rows are features: sin or cos of the logit, times exp of the key's bias
    FourierQueries,  ///< keys are features: sin or cos of the logit; the normaliser uses `keySums`
    Random           ///< as Softmax, but of random queries: RandomQueries
};

/// α_c of query n = max(balance_c + β (r_nc − mean_c r_nc), floor), r_nc = exp(scale q_n·l_c − normaliser_c). Keys are the landmarks'
/// samples.
struct LandmarkWeights {
    Matrices landmarks;
    const float* normaliser = nullptr;  ///< for each landmark of each sample and head
    const float* balance = nullptr;     ///< likewise
    float beta = 1;
    float floor = 1e-8f;  ///< 0: weights may be negative
};

/// A counter-based random stream, the one of core/base/random.h, so that samples are the same on every device.
struct Stream {
    uint64_t key = 0;                   ///< foldedKey() of seed, layer and name
    uint64_t first = 0;                 ///< the identity of sample b is first + b …
    const uint64_t* samples = nullptr;  ///< … unless given here
};

/// ω_ns = queryFactor q_n + meanFactor · mean + stddev ε_ns. The output is the average over all samples ω of a query.
struct RandomQueries {
    int draws = 1;
    float queryFactor = 1, meanFactor = 1, stddev = 0;
    /// The mean is the key of this index: `draws` for each query of each sample and head; or.
    const int32_t* drawn = nullptr;
    /// A row of `width` numbers: one for each query, or, if sharedMean, for each sample and head.
    const float* means = nullptr;
    bool sharedMean = false;
    /// ε, rows of `width`: `draws` for each query; null: generated from the streams.
    const float* noise = nullptr;
    Stream lengths, angles;  ///< uniform numbers for Box–Muller
};

/// The output of all queries: rows in the inputs' element type (float32 for statistics).
struct Output {
    void* data = nullptr;
    int64_t sample = 0, head = 0, group = 0, row = 0;
    bool float32 = false;  ///< regardless of the inputs' type
};

/// One pass of queries over keys: output_n = Σ_j weight(logit_nj) v_j / Σ_j weight(logit_nj), logit_nj = scale q_n·k_j + bias_j −
/// normWeight ‖k_j‖².
struct FusedAttention {
    ElementType number = ElementType::Float32;
    Weights weights = Weights::Softmax;
    Counts counts;
    Matrices queries, keys, values;  ///< values may be null: computes only the normaliser
    int64_t queryCount = 0, keyCount = 0;
    int width = 0, valueDim = 0;  ///< at most widestHead
    float scale = 1, normWeight = 0;
    const float* bias = nullptr;  ///< keyCount numbers for each matrix, −∞: not this key; null: 0

    LandmarkWeights landmarks;
    RandomQueries random;
    int features = 0;                ///< S of Fourier features
    const float* keySums = nullptr;  ///< FourierQueries: 2S numbers for each matrix
    float minDenominator = 0;        ///< FourierQueries: minimum magnitude of the denominator

    Output output;
    /// Log of the normaliser minus `shift`, for each matrix and query (FourierKeys: the sum itself).
    float* logSums = nullptr;
    const float* shift = nullptr;  ///< queryCount numbers for each sample and head; null: 0
    float* scratch = nullptr;      ///< scratchSize(fused) numbers
};

/// Scratch numbers needed if keys are split into chunks because the queries are too few to fill a GPU; often 0.
int64_t scratchSize(const FusedAttention& fused);

/// First key m with u < π_1 + … + π_m, π being the softmax weights of a query (logits scale q_n·k_m + bias_m), for each of `draws` uniform
/// numbers u; no matrix of weights is stored.
struct DrawKeys {
    ElementType number = ElementType::Float32;
    Counts counts;  ///< one group
    Matrices queries, keys;
    int64_t queryCount = 0, keyCount = 0;
    int width = 0;
    float scale = 1;
    const float* bias = nullptr;  ///< keyCount numbers for each sample and head, −∞: not this key; null: 0
    int draws = 1;
    const float* uniform = nullptr;  ///< `draws` for each query of each sample and head; null: from the stream
    Stream stream;
    int32_t* drawn = nullptr;  ///< the same layout
};

/// For each Gaussian proposal at its own sample: log q_c(ω_c)/N(ω_c;0,I), and the balance heuristic, its fraction of all densities at ω_c.
struct Balance {
    const float* means = nullptr;    ///< µ̂: `count` rows of `width` for each sample and head
    const float* samples = nullptr;  ///< ω̂
    int64_t matrices = 0;
    int count = 0, width = 0;
    float* own = nullptr;  ///< `count` numbers for each sample and head
    float* fraction = nullptr;
};

/// Whether a block of the current device has the shared memory for this task's kernel.
bool fits(const FusedAttention& fused);
/// The stream is a cudaStream_t. Returns 0, or the cudaError_t of the launch, which errorText() explains.
int run(const FusedAttention& fused, void* stream);
int run(const DrawKeys& draws, void* stream);
int run(const Balance& balance, void* stream);
const char* errorText(int error);

}

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Attention on CPUs in one pass over keys and one over queries: float32, free of torch, one thread a call. The same code is compiled
/// for several instruction sets; `cpuKernels()` is the best that this processor has.
///
/// Matrices are rows of float32. The *scale* of the logits is folded into what is packed or given as a factor, so that q, k and v are
/// read as they lie.
namespace attnscope::kernels {

/// Row r begins at data + r · stride.
struct Rows {
    const float* data = nullptr;
    std::int64_t stride = 0;
};

struct OutputRows {
    float* data = nullptr;
    std::int64_t stride = 0;
};

/// Rows that feature kernels work on at a time: their logits and values stay in the first-level cache.
constexpr std::int64_t featureRows = 48;

/// Sums over keys of S random features in the log domain, for one head (and one group of keys):
/// value row s is Σ_m ξ(k̂_m,ω_s) v_m and sum s is Σ_m ξ(k̂_m,ω_s), both over exp(maximum s). They can be merged.
struct KeySummary {
    float* maximum = nullptr;  ///< paddedSamples
    float* sum = nullptr;      ///< paddedSamples
    float* values = nullptr;   ///< paddedSamples rows of paddedValues
};

/// Sizes of a random-feature attention, rounded up to whole vectors where they are padded.
struct FeatureShape {
    std::int64_t width = 0;    ///< D of queries and keys
    std::int64_t samples = 0;  ///< S
    std::int64_t valueDim = 0;
    std::int64_t paddedSamples = 0;
    std::int64_t paddedValues = 0;
};

struct SummariseKeys {
    FeatureShape shape;
    const float* directions = nullptr;  ///< ω of all samples, times √scale: of PackDirections
    float halfScale = 0.5f;             ///< ½ · scale: times ‖k‖² is ½‖k̂‖²
    Rows keys, values;
    std::int64_t count = 0;             ///< keys
    KeySummary summary;                 ///< is written, not added to
    float* scratch = nullptr;           ///< featureScratch(shape) numbers
};

/// Weights that LARA gives to samples, for each query: α_c = max(balance_c + β (r_c − mean r), floor), r_c = exp(q̂·q̂̃_c − normaliser_c).
struct LandmarkWeights {
    const float* landmarks = nullptr;   ///< q̂̃, times √scale: of PackDirections; null: no such weights
    const float* normaliser = nullptr;  ///< log Σ_n exp(q̂_n·q̂̃_c)
    const float* balance = nullptr;
    float beta = 1;
    float floor = 1e-8f;                ///< 0: weights may be negative
    const float* exponents = nullptr;   ///< q̂·q̂̃_c, a row a query, of NormaliseColumns; null: worked out once more
};

struct AttendQueries {
    FeatureShape shape;
    const float* directions = nullptr;  ///< as in SummariseKeys
    Rows queries;
    std::int64_t count = 0;             ///< queries
    std::int64_t groups = 1;            ///< of keys, with a summary and an answer each
    const float* bias = nullptr;        ///< of the logits: `groups` rows of paddedSamples; paddedLogit where there is no sample
    const float* values = nullptr;      ///< `groups` times paddedSamples rows of paddedValues: means of values
    LandmarkWeights weights;
    OutputRows out;                     ///< row n · groups + g
    float* scratch = nullptr;           ///< featureScratch(shape) numbers
};

/// What stands for −∞ in padded places: its exponential is nothing beside any other.
constexpr float paddedLogit = -1e30f;

/// For each direction s, over all rows: max and Σ exp of factor · x_n·ω_s − shift_n, the latter over exp(max).
struct NormaliseColumns {
    FeatureShape shape;
    const float* directions = nullptr;  ///< of PackDirections
    Rows rows;
    std::int64_t count = 0;             ///< rows
    float factor = 1;
    const float* shift = nullptr;       ///< of each row; null: none
    float* maximum = nullptr;           ///< paddedSamples
    float* sum = nullptr;               ///< paddedSamples
    float* diagonal = nullptr;          ///< unless null: the exponent of row n and direction n, for as many as there are of both
    float* exponents = nullptr;         ///< unless null: all of them, `count` rows of paddedSamples
    float* scratch = nullptr;           ///< featureScratch(shape) numbers
};

/// Directions, landmarks or means of one head as columns, times `factor`: `width` rows of paddedSamples, zeros in the padding.
struct PackDirections {
    FeatureShape shape;
    Rows directions;                    ///< `samples` rows of `width`
    float factor = 1;
    float* columns = nullptr;
};

/// Keys that softmax kernels work on at a time: at most so many.
constexpr std::int64_t keyTile = 64;
/// Queries that one call of softmax kernels takes.
constexpr std::int64_t queryBlock = 48;

/// Queries as columns: `width` rows of queryBlock numbers, of which the first `count` are written, in whole vectors.
struct PackQueries {
    Rows queries;
    std::int64_t count = 0, width = 0;
    float* columns = nullptr;
};

/// Exact softmax attention of at most queryBlock queries in one pass over keys: weights are exp(factor · q·k_j + bias_j).
struct SoftmaxRows {
    const float* columns = nullptr;  ///< of PackQueries
    std::int64_t rows = 0, width = 0;
    Rows keys;
    std::int64_t count = 0;          ///< keys
    float factor = 1;                ///< not below 0
    const float* bias = nullptr;     ///< of each key; null: none
    Rows values;
    std::int64_t valueDim = 0;
    float fraction = 1;                 ///< times the answer
    bool add = false;                ///< to what is in `out`
    OutputRows out;
    float* scratch = nullptr;        ///< softmaxScratch(valueDim) numbers
};

/// The first key m with u < π_1 + … + π_m, π the softmax weights of a query: no matrix of weights is kept.
struct DrawKeys {
    const float* queries = nullptr;  ///< rows of `width`
    const float* columns = nullptr;  ///< the same, of PackQueries
    std::int64_t rows = 0, width = 0;
    Rows keys;
    std::int64_t count = 0;          ///< keys
    float factor = 1;                ///< of the logits; not below 0
    const float* uniform = nullptr;  ///< rows of `draws`
    std::int64_t draws = 1;
    std::int64_t* drawn = nullptr;   ///< rows of `draws`
    float* scratch = nullptr;        ///< drawScratch(count) numbers
};

/// sin and cos features (RFA): y = Σ_j φ_j(q) K_j / Σ_j φ_j(q) k_j, φ = (sin ω·x, cos ω·x). Summaries have 2·paddedSamples rows, sines
/// first; sums are not over a maximum but over the caller's.
struct SummariseFourier {
    FeatureShape shape;
    const float* directions = nullptr;
    float halfScale = 0;       ///< a key weighs exp(halfScale ‖k‖² − shift); 0: each 1
    float shift = 0;
    Rows keys, values;
    std::int64_t count = 0;
    float* sum = nullptr;      ///< 2·paddedSamples
    float* valueSums = nullptr;  ///< 2·paddedSamples rows of paddedValues
    float* scratch = nullptr;
};

struct AttendFourier {
    FeatureShape shape;
    const float* directions = nullptr;
    Rows queries;
    std::int64_t count = 0, groups = 1;
    const float* sum = nullptr;        ///< `groups` rows of 2·paddedSamples
    const float* valueSums = nullptr;  ///< `groups` times 2·paddedSamples rows of paddedValues
    float floor = 0;                   ///< least size of the denominator
    OutputRows out;
    float* scratch = nullptr;
};

/// A linear layer's weight (out, in), in panels of CpuKernels::stripWidth outputs: `words` rows of them, one panel after the other. Words
/// are the inputs; with pairs of bfloat16 half as many.
struct PackedWeight {
    const float* packedWeights = nullptr;
    std::int64_t words = 0, out = 0;   ///< out: a multiple of 16
};

/// out = x Wᵀ + bias + addend for some outputs, from some of the inputs.
struct LinearRows {
    Rows x;                            ///< of words, from depthBegin on
    std::int64_t rows = 0;
    PackedWeight weight;
    std::int64_t depthBegin = 0, depthEnd = 0;    ///< words
    std::int64_t columnBegin = 0, columnEnd = 0;  ///< outputs: the first a multiple of stripWidth, the last too unless it is weight.out
    const float* bias = nullptr;       ///< of all outputs
    Rows addend;                       ///< from columnBegin on; may be what `out` is, or null
    bool halfAddend = false;           ///< the addend is bfloat16 (of linearBfloat16 alone)
    bool add = false;                  ///< to what is in `out`, instead of bias and addend
    bool gelu = false;                 ///< of the result, by the error function
    OutputRows out;                    ///< from columnBegin on
    OutputRows half;                   ///< where the result goes as bfloat16 instead (of linearBfloat16 alone); `out` then has sums on their way
};

/// GELU of a depthwise 3×3 convolution, zeros around the image: rows [begin, end) of `rows`, channels last.
struct DepthwiseRows {
    Rows x;                          ///< a token a row, from image row `first` on; all that rows [begin, end) look at
    std::int64_t first = 0, rows = 0, columns = 0;
    std::int64_t begin = 0, end = 0;
    std::int64_t width = 0;          ///< channels, a multiple of 16
    const float* weight = nullptr;   ///< 9 rows of channels, places of the kernel in reading order
    std::int64_t weightStride = 0;
    const float* bias = nullptr;
    OutputRows out;                  ///< from row `begin` on
};

/// Layer norm of rows whose width is a multiple of 16; out may be x where both are of one type.
struct NormRows {
    Rows x;
    std::int64_t rows = 0, width = 0;
    const float* weight = nullptr;
    const float* bias = nullptr;
    float eps = 1e-6f;
    OutputRows out;
};

/// The kernels of one instruction set.
struct CpuKernels {
    const char* name = "";   ///< "avx512bf16", "avx512", "avx2", "portable"
    std::int64_t lanes = 0;  ///< numbers in a vector
    std::int64_t stripWidth = 0;  ///< outputs of a PackedWeight's panel; divides 64

    void (*summariseKeys)(const SummariseKeys&) = nullptr;
    void (*attendQueries)(const AttendQueries&) = nullptr;
    void (*normaliseColumns)(const NormaliseColumns&) = nullptr;
    void (*packDirections)(const PackDirections&) = nullptr;
    void (*packQueries)(const PackQueries&) = nullptr;
    void (*softmaxRows)(const SoftmaxRows&) = nullptr;
    void (*drawKeys)(const DrawKeys&) = nullptr;
    void (*summariseFourier)(const SummariseFourier&) = nullptr;
    void (*attendFourier)(const AttendFourier&) = nullptr;
    /// Box and Muller: out_i = √(−2 ln a_i) cos(2π b_i), a and b uniform in (0, 1).
    void (*normal)(const float* a, const float* b, float* out, std::int64_t count) = nullptr;
    /// Mean of `across` rows from x on and of as many in each further row of a grid that is `columns` wide, `down` in all.
    void (*meanOfCell)(Rows x, std::int64_t down, std::int64_t across, std::int64_t columns, std::int64_t width, float* mean) = nullptr;
    /// ‖k‖² of `count` keys, times `factor`.
    void (*squares)(Rows keys, std::int64_t count, std::int64_t width, float factor, float* out) = nullptr;
    /// Largest ‖k‖² of `count` keys.
    float (*largestSquare)(Rows keys, std::int64_t count, std::int64_t width) = nullptr;

    void (*linearRows)(const LinearRows&) = nullptr;
    void (*normRows)(const NormRows&) = nullptr;
    void (*depthwiseRows)(const DepthwiseRows&) = nullptr;

    /// The same of bfloat16, with sums in float32; processors that do not multiply pairs of bfloat16 widen them in registers. Words are
    /// pairs: of queries, keys, values and answers (SoftmaxRows: width in words, valueDim a multiple of 16, no bias, nothing added),
    /// of x (LinearRows).
    void (*softmaxBfloat16)(const SoftmaxRows&) = nullptr;
    void (*linearBfloat16)(const LinearRows&) = nullptr;
    /// Norms of float32 and of bfloat16, into bfloat16; GELU of a convolution of float32 into it, as exact as it is.
    void (*normIntoBfloat16)(const NormRows&) = nullptr;
    void (*normBfloat16)(const NormRows&) = nullptr;
    void (*depthwiseIntoBfloat16)(const DepthwiseRows&) = nullptr;

    std::int64_t padded(std::int64_t n) const { return (n + lanes - 1) / lanes * lanes; }
    FeatureShape shape(std::int64_t width, std::int64_t samples, std::int64_t valueDim) const
    {
        return {width, samples, valueDim, padded(samples), padded(valueDim)};
    }
};

std::int64_t featureScratch(const FeatureShape& shape);
std::int64_t softmaxScratch(std::int64_t valueDim);
std::int64_t drawScratch(std::int64_t count);

/// The best that this processor runs, or those that the environment variable ATTNSCOPE_CPU asks for (by CpuKernels::name), which also
/// keeps LibTorch's own operators to that instruction set. Throws UsageError where it names none, or none that this processor runs.
const CpuKernels& cpuKernels();
/// All that this processor runs, the best first, whatever ATTNSCOPE_CPU says.
const std::vector<const CpuKernels*>& supportedCpuKernels();

}  // namespace attnscope::kernels

#pragma once

#include "core/kernels/activation.h"

#include <cstdint>
#include <string>
#include <vector>

/// Attention on CPUs in one pass over keys and one over queries: float32, independent of torch, one thread per call. The same code is
/// compiled for several instruction sets; `cpuKernels()` returns the best that this processor supports.
///
/// Matrices are rows of float32. The *scale* of the logits is folded into the packed operands or given as a factor, so that q, k and v are
/// read as stored.
namespace attnscope::kernels {

/// Row r begins at data + r · stride.
struct Rows {
    const float* data = nullptr;
    int64_t stride = 0;
};

struct OutputRows {
    float* data = nullptr;
    int64_t stride = 0;
};

/// Rows that feature kernels process at a time, so that their logits and values stay in the L1 cache.
constexpr int64_t featureRows = 48;

/// Sums over keys of S random features in the log domain, for one head (and one group of keys): value row s is Σ_m ξ(k̂_m,ω_s) v_m and sum
/// s is Σ_m ξ(k̂_m,ω_s), both divided by exp(maximum s). Summaries can be merged.
struct KeySummary {
    float* maximum = nullptr;  ///< paddedSamples
    float* sum = nullptr;      ///< paddedSamples
    float* values = nullptr;   ///< paddedSamples rows of paddedValues
};

/// Sizes of a random-feature attention; padded ones are rounded up to whole vectors.
struct FeatureShape {
    int64_t width = 0;    ///< head dimension D of queries and keys
    int64_t samples = 0;  ///< S
    int64_t valueDim = 0;
    int64_t paddedSamples = 0;
    int64_t paddedValues = 0;
};

struct SummariseKeys {
    FeatureShape shape;
    const float* projections = nullptr;  ///< projections ω of all samples, times √scale: from PackProjections
    float scaleOver2 = 0.5f;             ///< ½ · scale: times ‖k‖² gives ½‖k̂‖²
    Rows keys, values;
    const float* logWeights = nullptr;     ///< of each key; null: 0
    int64_t count = 0;                     ///< number of keys
    KeySummary summary;                    ///< is overwritten, not added to
    float* scratch = nullptr;              ///< featureScratch(shape) numbers
    const float* squareWeights = nullptr;  ///< of each channel in ‖k‖²; null: 1
};

/// LARA's weights of the samples for each query: α_c = max(balance_c + β (r_c − mean r), floor), r_c = exp(q̂·q̂̃_c − normaliser_c).
struct LandmarkWeights {
    const float* landmarks = nullptr;   ///< q̂̃ times √scale, from PackProjections; null: no such weights
    const float* normaliser = nullptr;  ///< log Σ_n exp(q̂_n·q̂̃_c)
    const float* balance = nullptr;
    float beta = 1;
    float floor = 1e-8f;               ///< 0: weights may be negative
    const float* exponents = nullptr;  ///< q̂·q̂̃_c, one row per query, from NormaliseColumns; null: recomputed
};

struct AttendQueries {
    FeatureShape shape;
    const float* projections = nullptr;  ///< as in SummariseKeys
    Rows queries;
    int64_t count = 0;              ///< number of queries
    int64_t groups = 1;             ///< groups of keys, each with its own summary and output
    const float* bias = nullptr;    ///< of the logits: `groups` rows of paddedSamples; paddedLogit in the padding
    const float* values = nullptr;  ///< means of values: `groups` times paddedSamples rows of paddedValues
    LandmarkWeights weights;
    OutputRows out;  ///< row n · groups + g
    /// Unless null: log of the weights' sum for each query, with the factors of `bias`; one group only.
    float* logNormaliser = nullptr;
    float* scratch = nullptr;  ///< featureScratch(shape) numbers
};

/// Stands for −∞ in the padding: its exponential is negligible.
constexpr float paddedLogit = -1e30f;

/// For each projection s, over all rows: max and Σ exp of factor · x_n·ω_s − shift_n, the latter divided by exp(max).
struct NormaliseColumns {
    FeatureShape shape;
    const float* projections = nullptr;  ///< from PackProjections
    Rows rows;
    int64_t count = 0;  ///< number of rows
    float factor = 1;
    const float* shift = nullptr;  ///< of each row; null: none
    float* maximum = nullptr;      ///< paddedSamples
    float* sum = nullptr;          ///< paddedSamples
    float* diagonal = nullptr;   ///< unless null: the exponent of row n and projection n, for as many as both have
    float* exponents = nullptr;  ///< unless null: all of them, `count` rows of paddedSamples
    float* scratch = nullptr;    ///< featureScratch(shape) numbers
};

/// Projections, landmarks or means of one head as columns, times `factor`: `width` rows of paddedSamples, zeros in the padding.
struct PackProjections {
    FeatureShape shape;
    Rows projections;  ///< `samples` rows of `width`
    float factor = 1;
    float* columns = nullptr;
};

/// Maximum number of keys that softmax kernels process at a time.
constexpr int64_t keyTile = 64;
/// Maximum number of queries per call of a softmax kernel.
constexpr int64_t queryBlock = 48;

/// Queries as columns: `width` rows of queryBlock numbers, of which the first `count` are written, in whole vectors.
struct PackQueries {
    Rows queries;
    int64_t count = 0, width = 0;
    float* columns = nullptr;
    const int32_t* index = nullptr;  ///< of each query among `queries`; null: 0, 1, …
};

/// Keys next to each other in memory.
struct KeyRun {
    Rows keys, values;
    int64_t count = 0;
    const float* bias = nullptr;  ///< of each key; null: none
};

/// Exact softmax attention of at most queryBlock queries in one pass over keys, with weights exp(factor · q·k_j + bias_j).
struct SoftmaxRows {
    const float* columns = nullptr;  ///< from PackQueries
    int64_t rows = 0, width = 0;
    Rows keys;
    int64_t count = 0;            ///< number of keys
    float factor = 1;             ///< at least 0
    const float* bias = nullptr;  ///< of each key; null: none
    Rows values;
    int64_t valueDim = 0;
    const KeyRun* further = nullptr;  ///< more keys in the same softmax (softmaxRows only)
    int64_t furtherCount = 0;
    float outputFactor = 1;  ///< multiplies the output
    bool add = false;        ///< adds to what is in `out`
    OutputRows out;
    float* logNormaliser = nullptr;  ///< unless null: log Σ_j of the weights of each query (softmaxRows only)
    float* scratch = nullptr;        ///< softmaxScratch(valueDim) numbers
};

/// At most keyTile keys that some queries of a block see.
struct SparseTile {
    const int32_t* keys = nullptr;  ///< numbers of keys, ascending
    int64_t count = 0;
    /// Of each key: bit n is set if query n of the block sees it; null: all do.
    const uint64_t* seenBy = nullptr;
    /// Added to logits: for each key queryBlock numbers, one for each query; null: none.
    const float* bias = nullptr;
};

/// softmaxRows over the keys that each query of a block sees. The keys of a query may be split into several calls, whose blocks need not
/// have the same queries: what one found out is carried over to the next.
struct SparseRows {
    Rows queries;                    ///< all of them
    const int32_t* index = nullptr;  ///< numbers of the block's queries, at most queryBlock
    int64_t rows = 0, width = 0;
    Rows keys, values;  ///< all of them
    float factor = 1;   ///< of logits, at least 0
    int64_t valueDim = 0;
    const SparseTile* tiles = nullptr;
    int64_t tileCount = 0;
    bool begins = true, ends = true;  ///< whether this is the first and the last call for these queries
    OutputRows carried;               ///< sums of values between calls, by the query's number; may be `out`
    float* state = nullptr;           ///< the same of maxima and sums of weights: two for each query
    OutputRows out;  ///< by the query's number, written by the last call: zeros for a query that saw no key
    float* scratch = nullptr;  ///< sparseScratch(width, valueDim) numbers
};

/// The first key m with u < π_1 + … + π_m, π being the softmax weights of a query; no matrix of weights is stored.
struct DrawKeys {
    const float* queries = nullptr;  ///< rows of `width`
    const float* columns = nullptr;  ///< the same queries, from PackQueries
    int64_t rows = 0, width = 0;
    Rows keys;
    int64_t count = 0;               ///< number of keys
    float factor = 1;                ///< of the logits; at least 0
    const float* uniform = nullptr;  ///< rows of `draws`
    int64_t draws = 1;
    int64_t* drawn = nullptr;  ///< rows of `draws`
    float* scratch = nullptr;  ///< drawScratch(count) numbers
};

/// For each query of a block the key with the largest q·k_j + bias_j, ties to the lowest.
struct ArgmaxKeys {
    const float* columns = nullptr;  ///< from PackQueries
    int64_t rows = 0, width = 0;
    Rows keys;
    int64_t count = 0;            ///< number of keys, below 2²³
    const float* bias = nullptr;  ///< of each key
    bool bothSigns = false;       ///< also of −(q·k_j + bias_j), as number count + j
    int32_t* found = nullptr;     ///< of each query
    float* scratch = nullptr;     ///< keyTile · queryBlock numbers
};

/// Keys of a coreset's factor that are stored together, channel by channel.
constexpr int64_t coresetTile = 64;

/// WildCat's weighted coreset of some keys of one head (arXiv 2602.10056): randomly pivoted Cholesky of h(x,y) = exp(−factor ‖x − y‖²)
/// chooses keys r, W = H_SS⁻¹ H_S spreads the masses u_m = exp(factor ‖k_m − mean‖² + w_m − top) over them. With S of them, at most `samples`:
/// mass r is Σ_m W_rm u_m, value row r is Σ_m W_rm u_m (v_m − middle).
struct ChooseCoreset {
    Rows keys, values;
    int64_t count = 0, width = 0, valueDim = 0;
    const float* mean = nullptr;        ///< is subtracted from keys
    const float* squares = nullptr;     ///< ‖k_m − mean‖²
    const float* logWeights = nullptr;  ///< w_m; null: 0
    float factor = 1, top = 0;
    const float* middle = nullptr;  ///< is subtracted from values
    int64_t samples = 0;            ///< at most `count`
    /// Of each pivot: it is the first m with u < p_1 + … + p_m; null: the most probable.
    const float* uniform = nullptr;
    float stop = 1e-6f;           ///< no more keys are chosen if all residuals are below
    int32_t* chosen = nullptr;    ///< S numbers of keys
    float* chosenKeys = nullptr;  ///< S rows of `width`: k_r − mean
    float* bias = nullptr;        ///< −factor ‖k_r − mean‖²
    float* masses = nullptr;
    float* sums = nullptr;     ///< `samples` value rows, padded to whole vectors
    float* scratch = nullptr;  ///< coresetScratch() numbers
};

/// Σ_r e_nr V_r / Σ_r e_nr n_r + middle with e_nr = exp(factor · q_n·k_r + bias_r) and masses n_r of either sign, for at most queryBlock queries. A
/// denominator of at most 1e-7 Σ_r e_nr |n_r| is rounding error: such an output is `middle`.
struct AttendCoreset {
    const float* columns = nullptr;  ///< from PackQueries
    int64_t rows = 0, width = 0;
    const float* keys = nullptr;  ///< `count` rows of `width`
    const float* bias = nullptr;
    const float* masses = nullptr;
    const float* values = nullptr;  ///< rows padded to whole vectors
    int64_t count = 0, valueDim = 0;
    float factor = 1;
    /// Of each channel, padded likewise; low, high: null, or the outputs' range.
    const float *middle = nullptr, *low = nullptr, *high = nullptr;
    OutputRows out;
    float* logNormaliser = nullptr;  ///< unless null: log of the denominators
    int64_t* cancelled = nullptr;    ///< unless null, plus the queries with such a denominator
    const float* mean = nullptr;     ///< q_n·mean · factor is added to them, unless null
    float* scratch = nullptr;        ///< coresetQueryScratch(count, valueDim) numbers
};

/// Fourier features (RFA): y = Σ_j φ_j(q) K_j / Σ_j φ_j(q) k_j, φ = (sin ω·x, cos ω·x). Summaries have 2·paddedSamples rows, sines first;
/// the caller's `shift` takes the place of a running maximum.
struct SummariseFourier {
    FeatureShape shape;
    const float* projections = nullptr;
    float scaleOver2 = 0;  ///< a key's weight is exp(scaleOver2 ‖k‖² − shift); 0: all weights are 1
    float shift = 0;
    Rows keys, values;
    int64_t count = 0;
    float* sum = nullptr;        ///< 2·paddedSamples
    float* valueSums = nullptr;  ///< 2·paddedSamples rows of paddedValues
    float* scratch = nullptr;
};

struct AttendFourier {
    FeatureShape shape;
    const float* projections = nullptr;
    Rows queries;
    int64_t count = 0, groups = 1;
    const float* sum = nullptr;        ///< `groups` rows of 2·paddedSamples
    const float* valueSums = nullptr;  ///< `groups` times 2·paddedSamples rows of paddedValues
    float floor = 0;                   ///< minimum magnitude of the denominator
    OutputRows out;
    float* scratch = nullptr;
};

/// Σ_m w_m x_m y_mᵀ over rows x on the left and y on the right, w_m = exp(exponent_m − shift).
struct CrossMoments {
    Rows left, right;
    int64_t count = 0, leftWidth = 0, rightWidth = 0;
    const float* exponents = nullptr;  ///< `exponentStride` apart; null: all weights are 1
    int64_t exponentStride = 1;
    float shift = 0;
    float minWeight = 0;       ///< rows of a smaller weight are left out
    float* out = nullptr;      ///< leftWidth rows of rightWidth, padded to whole vectors; overwritten
    float* scratch = nullptr;  ///< momentScratch(leftWidth, rightWidth) numbers
};

/// out_n = x_n A + offset for some rows, each channel between `low` and `high`.
struct ExpandRows {
    Rows rows;                       ///< all of them
    const int32_t* index = nullptr;  ///< the numbers of those meant
    int64_t count = 0, width = 0, valueDim = 0;
    const float* matrix = nullptr;                ///< A: `width` rows of valueDim, padded to whole vectors
    const float* offset = nullptr;                ///< padded likewise, as are low and high
    const float *low = nullptr, *high = nullptr;  ///< null: not bounded
    OutputRows out;                               ///< by the row's number
    float* scratch = nullptr;                     ///< momentScratch(width, valueDim) numbers
};

/// Packed weights (out, in) of a linear layer: strips of CpuKernels::stripColumns outputs (int8StripColumns with weights in 8 bits), one after
/// the other, each of `packedInputs` rows. A word is 32 bits: one float32 input, two inputs in packed bfloat16, or four in 8 bits, each the
/// integer w + 128 for a weight w · scale.
struct PackedWeight {
    const float* packedWeights = nullptr;
    int64_t packedInputs = 0, out = 0;  ///< out: a multiple of 16
    const float* scales = nullptr;      ///< of each output, of weights in 8 bits
};

/// Inputs of a row that are rounded to 8 bits together, from a multiple of these on.
constexpr int64_t int8Group = 96;

/// out = x Wᵀ + bias + addend for a range of outputs and a range of inputs.
struct LinearRows {
    Rows x;  ///< words from depthBegin on
    int64_t rows = 0;
    PackedWeight weight;
    int64_t depthBegin = 0, depthEnd = 0;      ///< words; of packed bfloat16 multiples of 8
    int64_t columnBegin = 0, columnEnd = 0;    ///< range of outputs: multiples of 16, best of stripColumns
    const float* bias = nullptr;               ///< of all outputs
    Rows addend;                               ///< from columnBegin on; may be the same as `out`, or null
    bool bfloat16Addend = false;               ///< the addend is bfloat16 (linearBfloat16 only)
    bool add = false;                          ///< adds to what is in `out`, instead of bias and addend
    Activation activation = Activation::None;  ///< of the result
    OutputRows out;                            ///< from columnBegin on
    /// Takes the result as bfloat16 instead (linearBfloat16 only); `out` then holds partial sums.
    OutputRows bfloat16;
};

/// GELU of a depthwise 3×3 convolution with zero padding: image rows [begin, end) of `rows`, channels last.
struct DepthwiseRows {
    Rows x;  ///< one row per token, from image row `first` on; all that rows [begin, end) read
    int64_t first = 0, rows = 0, columns = 0;
    int64_t begin = 0, end = 0;
    int64_t width = 0;              ///< channels, a multiple of 16
    const float* weight = nullptr;  ///< 9 rows of channels, kernel positions in reading order
    int64_t weightStride = 0;
    const float* bias = nullptr;
    OutputRows out;  ///< from row `begin` on
};

/// Gated linear unit: activation(gate) · value of rows of sums, `width` gates (a multiple of 16), then as many values.
struct GateRows {
    Rows x;
    int64_t rows = 0, width = 0;
    Activation activation = Activation::Silu;
    OutputRows out;
};

/// Rotary positions: turns pairs (a, b) of channels to (a cos − b sin, b cos + a sin), in place. A row has `heads` heads one after the
/// other.
struct RotateRows {
    OutputRows x;
    int64_t rows = 0, heads = 0, width = 0;  ///< width: of a head, a multiple of 4
    Rows cosine, sine;                       ///< of each row: width/2 numbers
    int64_t tables = 1;                      ///< head h takes the angles of table h mod `tables`
    int64_t tableStride = 0;                 ///< numbers from a table to the next
    bool interleaved = true;  ///< pairs are neighbours (2i, 2i + 1) instead of channels (i, i + width/2)
};

/// Layer norm of rows whose width is a multiple of 16; out may be x if both have the same type.
struct NormRows {
    Rows x;
    int64_t rows = 0, width = 0;
    /// Zeros at the end of a row that do not count; they stay 0 where weight and bias are.
    int64_t padding = 0;
    bool centred = true;  ///< false: RMS norm, which takes 0 for the mean
    const float* weight = nullptr;
    const float* bias = nullptr;
    float eps = 1e-6f;
    OutputRows out;
};

/// The kernels of one instruction set.
struct CpuKernels {
    const char* name = "";  ///< "amx", "avx512bf16", "avx512", "avx2", "portable"
    int64_t lanes = 0;      ///< numbers in a vector
    /// Outputs in a strip of a PackedWeight, and of one in 8 bits.
    int64_t stripColumns = 0, int8StripColumns = 0;
    int64_t blockRows = 0;  ///< rows that the products of float32 take at a time

    void (*summariseKeys)(const SummariseKeys&) = nullptr;
    void (*attendQueries)(const AttendQueries&) = nullptr;
    void (*normaliseColumns)(const NormaliseColumns&) = nullptr;
    void (*packProjections)(const PackProjections&) = nullptr;
    void (*packQueries)(const PackQueries&) = nullptr;
    void (*softmaxRows)(const SoftmaxRows&) = nullptr;
    void (*sparseRows)(const SparseRows&) = nullptr;
    void (*drawKeys)(const DrawKeys&) = nullptr;
    void (*argmaxKeys)(const ArgmaxKeys&) = nullptr;
    /// Returns how many keys were chosen.
    int64_t (*chooseCoreset)(const ChooseCoreset&) = nullptr;
    void (*attendCoreset)(const AttendCoreset&) = nullptr;
    void (*summariseFourier)(const SummariseFourier&) = nullptr;
    void (*attendFourier)(const AttendFourier&) = nullptr;
    void (*crossMoments)(const CrossMoments&) = nullptr;
    void (*expandRows)(const ExpandRows&) = nullptr;
    /// Box–Muller: out_i = √(−2 ln a_i) cos(2π b_i), a and b uniform in (0, 1).
    void (*normal)(const float* a, const float* b, float* out, int64_t count) = nullptr;
    /// Mean of a cell of a grid `columns` wide: `down` grid rows of `across` consecutive rows each, starting at x.
    void (*meanOfCell)(Rows x, int64_t down, int64_t across, int64_t columns, int64_t width,
                       float* mean) = nullptr;
    /// ‖k‖² of `count` keys, times `factor`.
    void (*squares)(Rows keys, int64_t count, int64_t width, float factor, float* out) = nullptr;
    /// Largest ‖k‖² of `count` keys.
    float (*largestSquare)(Rows keys, int64_t count, int64_t width) = nullptr;
    /// ‖k − mean‖² of `count` keys.
    void (*centredSquares)(Rows keys, int64_t count, int64_t width, const float* mean, float* out) = nullptr;
    /// Σ x and Σ x² of each column of `count` rows.
    void (*sumsOfColumns)(Rows x, int64_t count, int64_t width, float* sums, float* squares) = nullptr;
    /// The least and the largest number in each column of `count` rows, at least one.
    void (*rangeOfColumns)(Rows x, int64_t count, int64_t width, float* low, float* high) = nullptr;

    void (*linearRows)(const LinearRows&) = nullptr;
    /// The same with weights in 8 bits: each group of a row's inputs is rounded to integers from −127 to 127 times its largest magnitude / 127,
    /// products and their sums over a group are exact integers, and sums of groups float32. Inputs are float32, or packed bfloat16.
    void (*linearInt8)(const LinearRows&) = nullptr;
    void (*linearInt8Bfloat16)(const LinearRows&) = nullptr;
    void (*normRows)(const NormRows&) = nullptr;
    void (*depthwiseRows)(const DepthwiseRows&) = nullptr;
    void (*gateRows)(const GateRows&) = nullptr;
    void (*rotateRows)(const RotateRows&) = nullptr;

    /// The same with bfloat16 and sums in float32; processors without bfloat16 products widen the numbers in registers. Words hold packed
    /// bfloat16: those of queries, keys, values and outputs (SoftmaxRows: width in words, valueDim a multiple of 16, no bias, nothing
    /// added; SparseRows likewise, but with any bias) and of x (LinearRows).
    void (*softmaxBfloat16)(const SoftmaxRows&) = nullptr;
    void (*sparseBfloat16)(const SparseRows&) = nullptr;
    void (*linearBfloat16)(const LinearRows&) = nullptr;
    /// Layer norm of float32 and of bfloat16 into bfloat16; GELU of a float32 convolution, and a gated unit
    /// of float32, into bfloat16 to its accuracy; rotary positions of bfloat16.
    void (*normIntoBfloat16)(const NormRows&) = nullptr;
    void (*normBfloat16)(const NormRows&) = nullptr;
    void (*depthwiseIntoBfloat16)(const DepthwiseRows&) = nullptr;
    void (*gateIntoBfloat16)(const GateRows&) = nullptr;
    void (*rotateBfloat16)(const RotateRows&) = nullptr;

    int64_t padded(int64_t n) const { return (n + lanes - 1) / lanes * lanes; }
    FeatureShape shape(int64_t width, int64_t samples, int64_t valueDim) const
    {
        return {width, samples, valueDim, padded(samples), padded(valueDim)};
    }
};

int64_t featureScratch(const FeatureShape& shape);
int64_t softmaxScratch(int64_t valueDim);
int64_t momentScratch(int64_t leftWidth, int64_t rightWidth);
int64_t drawScratch(int64_t count);
int64_t sparseScratch(int64_t width, int64_t valueDim);
int64_t coresetScratch(int64_t count, int64_t width, int64_t samples, int64_t valueDim);
int64_t coresetQueryScratch(int64_t count, int64_t valueDim);

/// The best kernels that this processor supports, or those named by the environment variable ATTNSCOPE_CPU (see CpuKernels::name), which
/// also limits LibTorch's own operators to that instruction set. Throws UsageError if it names unknown or unsupported kernels.
const CpuKernels& cpuKernels();
/// All kernels that this processor supports, best first, regardless of ATTNSCOPE_CPU.
const std::vector<const CpuKernels*>& supportedCpuKernels();

}

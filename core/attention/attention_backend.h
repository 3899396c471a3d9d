#pragma once

#include "core/attention/attention_spec.h"
#include "core/attention/backend_info.h"
#include "core/attention/noise.h"
#include "core/attention/token_layout.h"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

#include <concepts>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

class KeySets;
struct TokenMeans;

/// q (B,H,N,D), k (B,H,M,D), v (B,H,M,Dv), unscaled. `scale` is that of the logits (D^-½ in every model here).
struct AttentionInput {
    at::Tensor q, k, v;
    double scale = 1;
    TokenLayout tokens;     ///< of the queries, and of the keys if N = M
    TokenLayout keyTokens;  ///< of the keys if they have a grid of their own (spatial reduction); else empty
    /// Consecutive groups of keys of equal length, each with its own normaliser: the frames of trajectory attention.
    int64_t keyGroups = 1;

    /// Given instead of computed, unscaled (B,H,C,D): from a dumped file.
    at::Tensor queryLandmarks, keyLandmarks, valueLandmarks;
    at::Tensor gate;  ///< (B,H,N) in (0,1), rfa only
    /// (H,N,M), added to the scaled logits by position: methods that do not take it (BackendInfo::takesBias) leave it out. Not with groups.
    at::Tensor bias;
    /// (B,H,M), added to the scaled logits of every query: log n counts a key n times, −∞ removes it; undefined: 0.
    at::Tensor keyLogWeights;
    bool linear = false;  ///< outputs stay linear in v: none are bounded by the values (`impliedWeights`)

    const TokenLayout& keyLayout() const { return keyTokens.hasGrid() ? keyTokens : tokens; }
};

/// The queries, or keys, [begin, end) alone.
AttentionInput withQueries(AttentionInput in, int64_t begin, int64_t end);
AttentionInput withKeys(AttentionInput in, int64_t begin, int64_t end);

/// Attention to some keys with log Σ_m exp(scale · q_n·k_m + w_m) over them, as a method estimates it. Parts over disjoint keys join like
/// the blocks of fused softmax.
struct AttentionPart {
    at::Tensor out;            ///< (B,H,N,Dv); 0 where there is no key
    at::Tensor logNormaliser;  ///< (B,H,N); −∞ where there is no key
    /// What subtracting a mean from the keys took from all logits of a query, (B,H,N); undefined: nothing.
    at::Tensor centring;
};

/// Attention to the keys of both: weights are softmax over the two normalisers.
AttentionPart joined(const AttentionPart& a, const AttentionPart& b);

/// Throws UsageError if `spec` needs queries and keys of the same tokens (BackendInfo::ownKeysOnly) and a layer of this shape has others.
void refuseOtherKeys(const AttentionSpec& spec, const AttentionShape& shape);

/// Tensors of a checkpoint that belong to one attention layer, by their names within it ("q_bar_gen.2.weight", "eval_proj").
using AttentionParameters = std::map<std::string, at::Tensor>;

/// What a backend is created for.
struct BackendContext {
    int64_t heads = 1;
    int64_t width = 1;  ///< D
    TokenLayout tokens;
    AttentionParameters parameters;

    /// Undefined if there is none of that name.
    at::Tensor parameter(const std::string& name) const
    {
        const auto found = parameters.find(name);
        return found == parameters.end() ? at::Tensor() : found->second;
    }
};

/// The weight of each landmark for a query.
struct LandmarkWeights {
    at::Tensor weights;  ///< (B,H,C); they sum to 1 if the method normalises them, and may be negative
    /// (B,H,C): the query tokens chosen as landmarks; undefined if landmarks are means of tokens.
    at::Tensor tokens;
    /// Landmarks are means of the cells of a side × side grid, row-major; 0: of consecutive segments.
    int64_t side = 0;
};

/// What an attention chose, in numbers of tokens: a TokenMapInfo of its BackendInfo has this name.
struct TokenMap {
    std::string name;
    at::Tensor values;  ///< of queries (B,H,N) or of keys (B,H,M); NaN: a token that it does not concern
};

/// How many of the denominators that an attention estimates from terms of both signs nearly cancel: the quotients are then mostly rounding
/// error, so that another order of summation gives another output.
struct Cancellation {
    static constexpr double nearly = 1e-3;  ///< fraction of the sum of the terms' magnitudes
    int64_t denominators = 0, cancelled = 0;
};

/// What a sparse attention let its queries see. Softmax over few keys is cheap only if its sets are small, and a query without any key
/// falls back to all of them: a method with many such rows looks exact without being sparse.
struct AllowedPairs {
    int64_t rows = 0;       ///< queries of all heads and elements; 0: the attention is not sparse
    int64_t pairs = 0;      ///< of query and key, those of rows that fell back included
    int64_t emptyRows = 0;  ///< queries that saw nothing, and therefore everything

    AllowedPairs& operator+=(const AllowedPairs& other);
    /// emptyRows / rows; empty if the attention is not sparse.
    std::optional<double> emptyFraction() const;
    /// "12 % of queries saw no key and used all"; empty if none did.
    std::string emptyRowsNote() const;
};

/// One attention, created for one layer. Stateless between calls: all randomness comes from the noise source. It is a module, so that
/// learned parts (landmark maps, σ) train with the model; it is created in evaluation mode.
class AttentionBackend : public torch::nn::Module {
public:
    explicit AttentionBackend(AttentionSpec spec);

    /// q, k, v → (B,H,N,Dv), or (B,H,N,G,Dv) if the input has G > 1 groups of keys; same dtype. float16 and bfloat16 are widened to float32
    /// internally, float64 is kept. Throws UsageError if the shapes don't fit each other or the options.
    at::Tensor attend(const AttentionInput& input, NoiseSource& noise) const;

    /// The same with the normaliser of every query, in float32 or float64. Throws UsageError for a method that estimates none
    /// (`hasNormaliser`), and for more than one group of keys.
    AttentionPart attendPart(const AttentionInput& input, NoiseSource& noise) const;

    /// Whether there is an estimate of softmax's normaliser with these options, the method's own or by tangents.
    bool hasNormaliser() const { return m_tangentNormaliser || estimatesNormaliser(); }

    /// The weights that it effectively applies: rows (B,H,N) → Σ_n rows_n W_nm, (B,H,M), where output_n = Σ_m W_nm v_m with the given
    /// noise. One-hot rows give the weights of one query; with groups of keys each group has its own weights. Costs a forward and a
    /// backward pass for values of one channel: W is never formed unless `attend` forms it.
    at::Tensor impliedWeights(const AttentionInput& input, NoiseSource& noise, const at::Tensor& rows) const;
    /// The weight of each landmark for query `query`; empty for an attention without landmarks.
    std::optional<LandmarkWeights> landmarkWeights(const AttentionInput& input, NoiseSource& noise,
                                                   int64_t query) const;

    /// What it chose for this input: without a query the maps that are those of all queries, else those of this one. Prefix tokens that are
    /// exact have NaN, and a query that is one has none. Of several groups of keys, keys have the maps of their group and queries the mean
    /// over groups. Costs up to an attention in plain operators.
    std::vector<TokenMap> tokenMaps(const AttentionInput& input, NoiseSource& noise,
                                    std::optional<int64_t> query = {}) const;

    /// Costs about a forward pass in plain operators; nothing if all terms of the attention have the same sign.
    Cancellation cancellation(const AttentionInput& input, NoiseSource& noise) const;

    /// The sets of a sparse attention, counted over the whole batch and all groups of keys; no rows for any other. Costs their listing.
    AllowedPairs allowedPairs(const AttentionInput& input, NoiseSource& noise) const;

    /// What the queries see of each group of keys; empty for an attention that weighs all keys one by one.
    std::vector<std::shared_ptr<const KeySets>> keySets(const AttentionInput& input, NoiseSource& noise) const;

    /// Multiply-adds for one sample (batch 1), without the model's q, k, v and output projections.
    double multiplyAdds(const AttentionShape& shape) const;

    /// Whether the result is independent of the noise. By default so for methods that use no random numbers.
    virtual bool deterministic() const;

    const AttentionSpec& spec() const { return m_spec; }
    /// Decisions that the user should know about: "plain pooled landmarks: …".
    const std::vector<std::string>& notes() const { return m_notes; }

    /// With rows of prefix tokens that are exact, `prefix` of them: for counting.
    void setPrefixTokens(int64_t prefix) { m_prefix = prefix; }
    /// From now on tokens form a line whatever an input says: they have merged before this layer.
    void forgetGrid() { m_forgetsGrid = true; }
    /// Why keys can't have log-weights with these options, in one clause; empty if they can: by default as BackendInfo::takesKeyWeights says.
    virtual std::string whyNoKeyWeights() const;

protected:
    /// Those of `compute`.
    virtual double countMultiplyAdds(const AttentionShape& shape) const = 0;
    /// Inputs in the compute dtype, shapes checked.
    virtual at::Tensor compute(const AttentionInput& input, NoiseSource& noise) const = 0;
    /// Whether `computePart` can be called: by default what BackendInfo::normaliser says.
    virtual bool estimatesNormaliser() const;
    /// The same with normalisers, for one group of keys; they are float32 for 16-bit inputs.
    virtual AttentionPart computePart(const AttentionInput& input, NoiseSource& noise) const;
    /// Whether `compute` takes G > 1 groups of keys itself.
    virtual bool takesGroups() const { return false; }
    /// The same for G > 1 groups of keys → (B,H,N,G,Dv). By default one group after the other, with the same noise and landmarks; backends
    /// that can share work between groups override it, or `takesGroups`.
    virtual at::Tensor computeGroups(const AttentionInput& input, NoiseSource& noise) const;
    /// Means that are subtracted from all queries and keys, those of prefix tokens included, before anything else: softmax stays the same.
    /// By default nothing.
    virtual std::optional<TokenMeans> subtractedMeans(const AttentionInput& input) const;
    /// The same input, changed such that the weights don't depend on v: for backends that read values (LARA's vmixed).
    virtual AttentionInput withFixedWeights(AttentionInput input) const { return input; }
    virtual std::optional<LandmarkWeights> computeLandmarkWeights(const AttentionInput&, NoiseSource&,
                                                                  int64_t) const
    {
        return {};
    }
    /// The same for one group of keys; weights are parts of those that `compute` applies.
    virtual std::vector<TokenMap> computeTokenMaps(const AttentionInput&, NoiseSource&,
                                                   std::optional<int64_t>) const
    {
        return {};
    }
    /// The same for one group of keys.
    virtual AllowedPairs countAllowed(const AttentionInput&, NoiseSource&) const { return {}; }
    virtual Cancellation computeCancellation(const AttentionInput&, NoiseSource&) const { return {}; }
    /// Whether `compute` and `computePart` take these float16 or bfloat16 inputs directly; otherwise they are converted to float32.
    virtual bool takesHalf(const AttentionInput&) const { return false; }
    /// The same for one group of keys; null: all keys.
    virtual std::shared_ptr<const KeySets> groupSets(const AttentionInput&, NoiseSource&) const { return nullptr; }
    void note(std::string text);

private:
    enum class PrefixAttention { Ordinary, Rows, Exact };
    static PrefixAttention prefixAttentionOf(const AttentionSpec& spec);

    const TokenMapInfo& tokenMapInfo(const std::string& name) const;
    std::vector<TokenMap> mapsOfGroups(const AttentionInput& in, NoiseSource& noise,
                                       std::optional<int64_t> query) const;
    at::Tensor weightOfPatches(const AttentionInput& in, NoiseSource& noise) const;
    AttentionInput checked(const AttentionInput& input) const;
    AttentionInput withoutUnknownBias(AttentionInput in) const;
    AttentionInput centred(const AttentionInput& in) const;
    at::Tensor computeChecked(const AttentionInput& in, NoiseSource& noise) const;
    AttentionPart computeCheckedPart(const AttentionInput& in, NoiseSource& noise) const;
    AttentionPart computeEstimate(const AttentionInput& in, NoiseSource& noise) const;

    AttentionSpec m_spec;
    PrefixAttention m_prefixAttention;
    bool m_tangentNormaliser;  // logz=tangent
    int64_t m_prefix = 0;
    bool m_forgetsGrid = false;
    std::vector<std::string> m_notes;
};

/// Creates the backend that `spec` names. Throws UsageError if the options don't fit the context (50 landmarks on a grid). `spec` must not
/// be native, nor merge tokens: a model does that.
std::shared_ptr<AttentionBackend> makeBackend(const AttentionSpec& spec, const BackendContext& context);

/// `BackendInfo::make` of a method that is the class `Method`.
template <std::derived_from<AttentionBackend> Method>
std::shared_ptr<AttentionBackend> makeMethod(const AttentionSpec& spec, const BackendContext& context)
{
    return std::make_shared<Method>(spec, context);
}

/// x̂ = √scale · x: the space in which random-feature methods live (q̂·k̂ = scale · q·k).
at::Tensor scaledInput(const at::Tensor& x, double scale);

}

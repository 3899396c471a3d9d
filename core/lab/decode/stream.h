#pragma once

#include "core/lab/decode/stream_spec.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

/// The recurrent form of a causal mechanism: one head, one token at a time. Independent of torch.
namespace attnscope {

/// One token of one head. The pointers are read during the call only.
template <typename Real>
struct StreamToken {
    const Real *q = nullptr, *k = nullptr;  ///< D numbers each
    const Real* v = nullptr;                ///< Dv numbers
    Real gate = 1;                          ///< of rfa, where `StreamHead::gated`
};

/// What one head of a stream is made with.
template <typename Real>
struct StreamHead {
    StreamShape shape;
    Real scale = 1;           ///< of the logits: D^-½; elu uses none
    double slope = 0;         ///< of alibi: slope · α_h
    double retrieved = 0;     ///< of retrieval: the weight g of what was retrieved
    std::vector<Real> omega;  ///< of rfa and performer: S rows of D numbers
    bool gated = false;       ///< of rfa: every token has a gate
    /// Of compressive: what every compression changes (F25) is computed, which takes time.
    bool collectLosses = false;
};

/// A tensor of the state, without batch and heads.
struct StateTensor {
    std::vector<int64_t> shape;
    std::vector<double> values;
};

template <typename Real>
class Stream {
public:
    virtual ~Stream() = default;

    /// Takes the next token and writes its output, Dv numbers.
    virtual void step(const StreamToken<Real>& token, Real* out) = 0;
    /// Takes the next token without an output, for what is cheaper so: the state is that after `step`.
    virtual void skip(const StreamToken<Real>& token) = 0;
    /// Numbers that are kept for the next step.
    virtual int64_t stateElements() const = 0;
    /// "S", "z", "k", "v" …, oldest token first.
    virtual std::map<std::string, StateTensor> state() const = 0;
    /// Of compressive, with `collectLosses`: ‖attn(q, old) − attn(q, new)‖₂ of every compression so far (F25), for the queries of the
    /// segment that had ended, softmax over the compressed tokens alone.
    virtual std::vector<double> losses() const { return {}; }
};

/// out_t of each mechanism, with s = D^-½:
///
///     cache        softmax of s q_t·k_i over i ≤ t
///     alibi        the same with −slope·α_h (t − i) added
///     window       softmax over the last W tokens, t included
///     xl           softmax over the segment up to t and the m tokens before the segment (Dai et al., ACL 2019)
///     compressive  the same and compressed slots: before the first token of a segment, what exceeds `memory` is cut in groups of `rate`
///                  and appended to them, the oldest beyond `compressed` fall out (Rae et al., ICLR 2020, algorithm 1)
///     retrieval    (1 − g)·softmax over the last W + g·softmax over the best k of the older `capacity` (Wu et al., ICLR 2022)
///     elu          φ(q)ᵀS / (φ(q)·z + eps), φ = elu + 1, S = Σ φ(k) vᵀ, z = Σ φ(k)
///     rfa          φ(q)ᵀS / φ(q)·z, φ = S^-½ [sin ωx, cos ωx], keys weighted by exp(½‖k̂‖² − running maximum) for norm=exact; with a
///                  gate S ← g S + (1 − g) φ(k) vᵀ, or + φ(k) vᵀ (Peng et al., ICLR 2021)
///     performer    Σ_s softmax_s(ℓq_s + log z_s + c_s) S_s / z_s, ℓx = ω x − ½‖x‖², c_s the running maximum of ℓk_s
///
/// Throws UsageError if `head.omega` does not have the features of the mechanism.
template <typename Real>
std::unique_ptr<Stream<Real>> makeStream(const StreamSpec& spec, StreamHead<Real> head);

extern template std::unique_ptr<Stream<float>> makeStream(const StreamSpec& spec, StreamHead<float> head);
extern template std::unique_ptr<Stream<double>> makeStream(const StreamSpec& spec, StreamHead<double> head);

}

#pragma once

#include "core/lab/decode/stream.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

/// Streams on whole tensors: both forms of every mechanism.
namespace attnscope {

/// What a mechanism is made with beyond its options. Undefined tensors: as the options say.
struct StreamParameters {
    at::Tensor omega;     ///< (H,S,D) of rfa and performer
    at::Tensor gate;      ///< (B,H,T) of rfa: what every token keeps of the state
    at::Tensor gateBias;  ///< (H) of retrieval: g = σ(bias)
};

/// q, k (B,H,T,D), v (B,H,T,Dv) in one floating type, on the CPU.
struct StreamInput {
    at::Tensor q, k, v;
    StreamParameters parameters;
};

enum class StreamLosses { Skipped, Collected };

struct StreamRun {
    at::Tensor out;                           ///< (B,H,T,Dv)
    std::vector<int64_t> stateElements;       ///< after every token, of one head of one element
    std::map<std::string, at::Tensor> state;  ///< after the last token, (B,H,…)
    at::Tensor losses;                        ///< (compressions,B,H) of compressive; undefined where not collected
};

/// What `input` lacks: ω drawn from `seed` (the shared stream "omega" of layer 0), and the constant gate of the options.
void completeParameters(const StreamSpec& spec, StreamInput& input, uint64_t seed);

/// One for each of H heads of D and Dv channels; `parameters` as completed. Throws UsageError where they have other sizes.
template <typename Real>
std::vector<StreamHead<Real>> streamHeads(const StreamSpec& spec, int64_t heads, const StreamShape& widths,
                                          const StreamParameters& parameters);

/// The recurrent form, token by token (`Stream`). float32 and float64 are computed as they are. Throws UsageError if the shapes do not
/// match, Cancelled.
StreamRun runRecurrent(const StreamSpec& spec, const StreamInput& input, StreamLosses losses,
                       std::stop_token stop = {});

/// The parallel form, all tokens at once: softmax under a mask for what keeps keys (compressive: segment by segment, retrieval: by rank);
/// for rfa weights w_i Π_{i<j≤t} g_j φ(q_t)·φ(k_i), w_i = 1 or 1 − g_i; elu alike; for performer Σ_s softmax_s(ℓq_t + LSE_{i≤t} ℓk_i) ·
/// softmax_{i≤t}(ℓk_i) v_i. Equals the recurrent form up to rounding. (T,T) numbers a head, S times as many multiply-adds for performer.
at::Tensor runParallel(const StreamSpec& spec, const StreamInput& input);

}

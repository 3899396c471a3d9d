#pragma once

#include "core/lab/decode/decode.h"

#include <ATen/ATen.h>

#include <memory>

namespace attnscope {

/// Tokens `first` … of all heads: q, k (H,n,D), v (H,n,Dv), float32, on the CPU.
struct TokenBlock {
    at::Tensor q, k, v;
};

/// A stream as it can be read again from any token on.
class TokenSource {
public:
    virtual ~TokenSource() = default;
    virtual TokenBlock tokens(int64_t first, int64_t count) = 0;
    virtual int64_t heads() const = 0;
    virtual StreamShape widths() const = 0;
    /// Of a file; INT64_MAX of what is made.
    virtual int64_t length() const = 0;
};

/// Made tokens: normal numbers n(i) by counter, from `seed`.
///     normal   q_t, k_t, v_t independent
///     smooth   x_t = ρ x_{t−1} + √(1 − ρ²) n(t), ρ = 0.95: neighbours are alike, as the frames of a video
///     recall   k_t = n(t mod 256), v_t likewise, q_t the key of 128 tokens ago: what it asks for is far away
/// or q, k, v (layers,H,T,·) of the request's file. Throws FileError, UsageError for a layer that the file does not have.
std::unique_ptr<TokenSource> makeTokenSource(const DecodeRequest& request);

}

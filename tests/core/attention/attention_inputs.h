#pragma once

#include "core/attention/attention_backend.h"
#include "core/attention/methods/softmax.h"
#include "tests/support/tensors.h"

#include <cmath>
#include <string>

namespace attnscope::test {

struct Sizes {
    int64_t batch = 2, heads = 3, queries = 25, keys = 25, width = 16, valueDim = 16;
};

/// Normal q, k, v from our own generator, so that a failing case can be run again anywhere.
inline AttentionInput randomInput(const Sizes& s, uint64_t seed, at::ScalarType type = at::kDouble,
                                  double size = 1)
{
    SeededNoise noise(seed, 99);
    const auto options = at::TensorOptions(type);
    AttentionInput in;
    in.q = noise.normal("q", {s.batch, s.heads, s.queries, s.width}, options) * size;
    in.k = noise.normal("k", {s.batch, s.heads, s.keys, s.width}, options) * size;
    in.v = noise.normal("v", {s.batch, s.heads, s.keys, s.valueDim}, options);
    in.scale = 1 / std::sqrt(double(s.width));
    return in;
}

inline std::shared_ptr<AttentionBackend> make(const std::string& spec, const AttentionInput& in,
                                              AttentionParameters parameters = {})
{
    return makeBackend(AttentionSpec::parse(spec), {in.q.size(1), in.q.size(3), in.tokens, std::move(parameters)});
}

inline at::Tensor attend(const std::string& spec, const AttentionInput& in, uint64_t seed = 0)
{
    SeededNoise noise(seed, 0);
    return make(spec, in)->attend(in, noise);
}

inline AttentionPart part(const std::string& spec, const AttentionInput& in, uint64_t seed = 0)
{
    SeededNoise noise(seed, 0);
    return make(spec, in)->attendPart(in, noise);
}

/// The exact answer, from its definition.
inline at::Tensor softmaxOf(const AttentionInput& in)
{
    return at::matmul(attentionMatrix(in.q, in.k, in.scale), in.v);
}

/// The same q, k, v in another type.
inline AttentionInput as(AttentionInput in, at::ScalarType type)
{
    for (at::Tensor* x : {&in.q, &in.k, &in.v})
        *x = x->to(type);
    return in;
}

}

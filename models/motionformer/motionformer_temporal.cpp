#include "models/motionformer/motionformer_temporal.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

/// Number of tokens processed at a time by a CPU, so that W_kᵀ q of all heads, 12·768 numbers per token, stays in its cache.
constexpr int64_t cachedLength = 128;

/// x_s,t(s): (B,S,T',C) → (B,S,C).
at::Tensor ownFrames(const at::Tensor& x)
{
    const int64_t times = x.size(2);
    const auto byFrame = x.unflatten(1, {times, -1});                      // (B,T',P,T',C)
    return byFrame.diagonal(0, 1, 3).permute({0, 3, 1, 2}).flatten(1, 2);  // (B,P,C,T') → (B,S,C)
}

/// One matrix per head: (C,C) with rows ordered head, channel → (H,D,C).
at::Tensor byHead(const at::Tensor& weight, int64_t heads)
{
    return weight.unflatten(0, {heads, -1});
}

/// q (n,C) scaled, x (n,T',C) → softmax over the frames, (n,H,T').
at::Tensor temporalWeights(const at::Tensor& q, const at::Tensor& x, const at::Tensor& keyByHead)
{
    const auto absorbed = at::bmm(q.unflatten(1, {keyByHead.size(0), -1}).transpose(0, 1), keyByHead);  // (H,n,C)
    return at::bmm(absorbed.transpose(0, 1), x.transpose(1, 2)).softmax(-1);
}

/// Σ_f a_f x_f, each head for its own channels: weights (n,H,T'), x (n,T',C) → (n,C).
at::Tensor ownChannels(const at::Tensor& weights, const at::Tensor& x)
{
    const auto channels = x.unflatten(2, {weights.size(1), -1});                   // (n,T',H,D)
    return at::matmul(weights.unsqueeze(2), channels.transpose(1, 2)).flatten(1);  // (n,H,1,D)
}

/// W_v Σ_f a_f x_f + b, each head with its own rows of W_v: → (n,C).
at::Tensor projectedChannels(const at::Tensor& weights, const at::Tensor& x, const LayerWeights& value)
{
    const auto sums = at::bmm(weights, x).transpose(0, 1);                                        // (H,n,C)
    const auto projected = at::bmm(sums, byHead(value.weight, weights.size(1)).transpose(1, 2));  // (H,n,D)
    return projected.transpose(0, 1).flatten(1) + value.bias;
}

}

at::Tensor temporalStep(const at::Tensor& x, int64_t heads, const TemporalWeights& weights)
{
    const int64_t headDim = x.size(3) / heads;
    const double scale = 1 / std::sqrt(double(headDim));
    const auto q = linear(ownFrames(x), weights.query) * scale;  // (B,S,C)
    const auto keyByHead = byHead(weights.key(), heads);
    const auto attended = [&](const at::Tensor& queries, const at::Tensor& values) {  // (n,C), (n,T',C) → (n,C)
        const auto attention = temporalWeights(queries, values, keyByHead);
        return weights.hasValue() ? projectedChannels(attention, values, weights.value())
                                  : ownChannels(attention, values);
    };
    // The gradient of a block is as large as all of x: with gradients, all tokens form one block.
    if (at::GradMode::is_enabled() && x.requires_grad())
        return attended(q.flatten(0, 1), x.flatten(0, 1)).unflatten(0, {x.size(0), x.size(1)});
    const int64_t blockLength = x.is_cpu() ? cachedLength : x.size(1);
    std::vector<at::Tensor> blocks;
    for (int64_t b = 0; b < x.size(0); ++b) {
        for (int64_t begin = 0; begin < x.size(1); begin += blockLength) {
            const int64_t end = std::min(begin + blockLength, x.size(1));
            blocks.push_back(attended(q[b].slice(0, begin, end), x[b].slice(0, begin, end)));
        }
    }
    return at::cat(blocks, 0).unflatten(0, {x.size(0), x.size(1)});
}

}
